/**
 * Where a PostgreSQL is: `postgres://user:password@host:port/database?sslmode=verify-full`. The parameters are those of libpq that mean something
 * here; another one is refused, since a forgotten `sslmode` by a typing error would be no encryption.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Secret } from './secret.ts';

export interface DatabaseTls {
  /** Undefined: the authorities that Node knows. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Whether the server's certificate must come from an authority, and whether it must be for the name of the host. */
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

/** What the text breaks, as the rest of a sentence; it never repeats the text, which may hold a password. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl';
}

const form = 'write postgres://USER@HOST:PORT/DATABASE';
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];
const parameters = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** Files that it names are relative to `folder`. Throws BadDatabaseUrl. */
export function parseDatabaseUrl(text: string, folder: string = process.cwd()): DatabaseUrl {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new BadDatabaseUrl(`is not the URL of a PostgreSQL: ${form}`);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  // Not repeated: it may be the rest of a password with an unescaped question mark.
  if (unknown !== undefined)
    throw new BadDatabaseUrl(
      `has a parameter that is not known: write only ${parameters.join(', ')}, and %3F for a question mark in a password`,
    );
  const host = url.searchParams.get('host') ?? decode(url.hostname).replace(/^\[(.+)\]$/, '$1');
  if (host === '') throw new BadDatabaseUrl(`names no host: ${form}`);
  const user = decode(url.username);
  if (user === '') throw new BadDatabaseUrl(`names no user: ${form}`);
  const database = decode(url.pathname.slice(1));
  if (database === '') throw new BadDatabaseUrl(`names no database: ${form}`);
  const tls = tlsOf(url.searchParams, folder);
  const password = decode(url.password);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    database,
    ...(password === '' ? {} : { password: new Secret(password) }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** Without the password. */
export function showDatabaseUrl({ host, port, user, database, tls }: DatabaseUrl): string {
  const place = host.startsWith('/') ? 'localhost' : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const socket = host.startsWith('/') ? [`host=${host}`] : [];
  const mode = tls === undefined ? [] : [`sslmode=${modeOf[tls.check]}`];
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
    throw new BadDatabaseUrl('has a percent sign that begins no escape: write %25 for a percent sign');
  }
}

function tlsOf(query: URLSearchParams, folder: string): DatabaseTls | undefined {
  const given = query.get('sslmode') ?? 'disable';
  const mode = modes.find((one) => one === given);
  if (mode === undefined)
    throw new BadDatabaseUrl(`has an sslmode that is not known: write one of ${modes.join(', ')}`);
  if (mode === 'disable') return undefined;
  const files = { ca: query.get('sslrootcert'), cert: query.get('sslcert'), key: query.get('sslkey') };
  const read = Object.entries(files).flatMap(([name, file]) =>
    file === null ? [] : [[name, pem(resolve(folder, file))] as const],
  );
  return { ...Object.fromEntries(read), check: checkOf(mode, files.ca !== null) };
}

/** As libpq: `require` checks the authority where one is given. */
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
