/**
 * The URL of a PostgreSQL server: `postgres://user:password@host:port/database?sslmode=verify-full`. The parameters are
 * the libpq parameters that apply here. Any other parameter is refused, because a misspelled `sslmode` would silently
 * mean less protection. Without `sslmode` a connection that leaves this machine is encrypted, and the server verified.
 */
import { isLoopback } from './address.ts';
import { defined } from '../values/defined.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Secret } from './secret.ts';

export interface DatabaseTls {
  /** If undefined, Node's default certificate authorities. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /**
   * Whether an authority must have issued the server's certificate, and whether the certificate must match the host
   * name.
   */
  readonly check: 'nothing' | 'authority' | 'authority and name';
}

export interface DatabaseUrl {
  /** A name, an address, or a folder with a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: Secret;
  readonly tls?: DatabaseTls;
}

/**
 * `BadDatabaseUrl` says what is wrong, as the rest of a sentence. It never repeats the text, which may hold a password.
 */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl';
}

const form = 'write postgres://USER@HOST:PORT/DATABASE';
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];
const parameters = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** File names in the URL are relative to `folder`. Throws BadDatabaseUrl. */
export function parseDatabaseUrl(text: string, folder: string = process.cwd()): DatabaseUrl {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new BadDatabaseUrl(`is not a PostgreSQL URL: ${form}`);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  // The name is not repeated: it may be the rest of a password with an unescaped question mark.
  if (unknown !== undefined)
    throw new BadDatabaseUrl(
      `has an unknown parameter: write only ${parameters.join(', ')}, and %3F for a question mark in a password`,
    );
  const host = url.searchParams.get('host') ?? decode(url.hostname).replace(/^\[(.+)\]$/, '$1');
  if (host === '') throw new BadDatabaseUrl(`has no host: ${form}`);
  const user = decode(url.username);
  if (user === '') throw new BadDatabaseUrl(`has no user: ${form}`);
  const database = decode(url.pathname.slice(1));
  if (database === '') throw new BadDatabaseUrl(`has no database: ${form}`);
  const tls = tlsOf(url.searchParams, isLocalDatabase({ host }) ? 'disable' : 'verify-full', folder);
  const password = decode(url.password);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    database,
    ...(password === '' ? {} : { password: new Secret(password) }),
    ...defined({ tls }),
  };
}

/** `isLocalDatabase` returns whether the connection does not leave this machine: a Unix socket, or the loopback interface. */
export function isLocalDatabase({ host }: Pick<DatabaseUrl, 'host'>): boolean {
  return host.startsWith('/') || isLoopback({ host });
}

/** `showDatabaseUrl` formats the URL without the password, and with the `sslmode` that applies by default. */
export function showDatabaseUrl({ host, port, user, database, tls }: DatabaseUrl): string {
  const place = host.startsWith('/') ? 'localhost' : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const socket = host.startsWith('/') ? [`host=${host}`] : [];
  const withoutTls = isLocalDatabase({ host }) ? [] : ['sslmode=disable'];
  const mode = tls === undefined ? withoutTls : [`sslmode=${modeOf[tls.check]}`];
  const query = [...socket, ...mode].join('&');
  return `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}${query === '' ? '' : `?${query}`}`;
}

const modeOf: Readonly<Record<DatabaseTls['check'], Mode>> = {
  nothing: 'require',
  authority: 'verify-ca',
  'authority and name': 'verify-full',
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadDatabaseUrl('has a percent sign that starts no escape: write %25 for a percent sign');
  }
}

function tlsOf(query: URLSearchParams, usual: Mode, folder: string): DatabaseTls | undefined {
  const given = query.get('sslmode') ?? usual;
  const mode = modes.find((one) => one === given);
  if (mode === undefined) throw new BadDatabaseUrl(`has an unknown sslmode: write one of ${modes.join(', ')}`);
  if (mode === 'disable') return undefined;
  const files = { ca: query.get('sslrootcert'), cert: query.get('sslcert'), key: query.get('sslkey') };
  const read = Object.entries(files).flatMap(([name, file]) =>
    file === null ? [] : [[name, pem(resolve(folder, file))] as const],
  );
  return { ...Object.fromEntries(read), check: checkOf(mode, files.ca !== null) };
}

/** Same as libpq: `require` verifies the authority if a root certificate is given. */
function checkOf(mode: Exclude<Mode, 'disable'>, hasAuthority: boolean): DatabaseTls['check'] {
  if (mode === 'verify-full') return 'authority and name';
  return mode === 'verify-ca' || hasAuthority ? 'authority' : 'nothing';
}

function pem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new BadDatabaseUrl(`names the file "${file}", which cannot be read (${code}): write the path of a PEM file`, {
      cause,
    });
  }
}
