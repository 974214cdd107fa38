/** `ssvirt login`: opens a session by password or API token, and stores it in a profile. */
import { defined } from '@ssvirt/base/values/defined';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Connection, type Server } from '../api/connection.ts';
import { refusalOf } from '../api/refusal.ts';
import { notLoggedIn } from '../api/target.ts';
import { isProvider, newApiToken, sessionOf } from '../api/token-grant.ts';
import { serverUrl } from '../api/url.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { saveProfile } from '../profile/file.ts';
import type { Profile } from '../profile/profile.ts';
import { secretFrom, secretTyped } from './secret-input.ts';

export interface LogInOptions {
  readonly user: string;
  readonly passwordFile?: string;
  readonly apiTokenFile?: string;
  readonly apiToken?: boolean;
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly profile?: string;
}

export async function logIn(address: string | undefined, options: LogInOptions): Promise<void> {
  const server = serverOf(address, options);
  const who = personOf(options.user);
  const profile = options.profile ?? process.env['SSVIRT_PROFILE'] ?? 'default';
  if (server.insecure === true)
    note('ssvirt: the certificate of the server is not verified: others on the network can read what you send.');
  const connection = new Connection(server);
  try {
    const opened = await (options.apiTokenFile === undefined
      ? byPassword(connection, who, options)
      : byApiToken(connection, who, options.apiTokenFile));
    saveProfile(profile, { ...profileOf(server), ...who, ...opened });
  } finally {
    await connection.close();
  }
  const renewed = options.apiToken === true || options.apiTokenFile !== undefined;
  note(
    `logged in to ${server.url} as ${options.user}, saved as profile "${profile}"${renewed ? '; the session is renewed automatically' : ''}.`,
  );
}

type Person = Pick<Profile, 'user' | 'org'>;
type Opened = Pick<Profile, 'token' | 'apiToken'>;

function serverOf(address: string | undefined, { ca, insecureSkipTlsVerify }: LogInOptions): Server {
  const { SSVIRT_URL, SSVIRT_CA } = process.env;
  const given = address ?? SSVIRT_URL;
  if (given === undefined || given === '')
    throw new CliFailure(
      'no server given: "ssvirt login https://cloud.example.org --user USER@ORGANIZATION".',
      exitCodes.usage,
    );
  const file = ca ?? SSVIRT_CA;
  return {
    url: serverUrl(given),
    ...(file === undefined || file === '' ? {} : { ca: resolve(file) }),
    ...(insecureSkipTlsVerify === true ? { insecure: true } : {}),
  };
}

function profileOf({ url, ca, insecure }: Server): Pick<Profile, 'url' | 'ca' | 'insecure'> {
  return { url, ...defined({ ca }), ...(insecure === true ? { insecure } : {}) };
}

/** The organization follows the last @, because user names may contain one. */
function personOf(text: string): Person {
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1)
    throw new CliFailure(
      `--user "${text}": write it as USER@ORGANIZATION, such as ava@acme; the organization of the provider is System.`,
      exitCodes.usage,
    );
  return { user: text.slice(0, at), org: text.slice(at + 1) };
}

async function byPassword(connection: Connection, who: Person, options: LogInOptions): Promise<Opened> {
  const { passwordFile, apiToken } = options;
  const password =
    passwordFile === undefined
      ? await secretTyped(
          `Password of ${options.user}: `,
          'give the password with --password-file FILE (- for standard input).',
        )
      : secretFrom(passwordFile, 'password');
  const token = await sessionBy(connection, who, password);
  if (apiToken !== true) return { token };
  const name = `ssvirt on ${hostname()} since ${new Date().toISOString()}`.slice(0, 128);
  const made = await newApiToken(connection, { org: who.org, token, name });
  if (made === undefined) throw new CliFailure('the server did not hand out an API token: log in without --api-token.');
  return { token, apiToken: made };
}

async function sessionBy(connection: Connection, { user, org }: Person, password: string): Promise<string> {
  const { statusCode, headers, body } = await connection.send({
    method: 'POST',
    path: isProvider(org) ? '/cloudapi/1.0.0/sessions/provider' : '/cloudapi/1.0.0/sessions',
    headers: { authorization: `Basic ${Buffer.from(`${user}@${org}:${password}`).toString('base64')}` },
  });
  const text = await body.text();
  const token = headers['x-vmware-vcloud-access-token'];
  if (statusCode === 200 && typeof token === 'string') return token;
  if (statusCode !== 401) throw refusalOf(statusCode === 200 ? 500 : statusCode, text);
  throw notLoggedIn(
    `log-in of ${user}@${org} at ${connection.server.url} failed: the organization, the user or the password is wrong, or the user may not log in.`,
  );
}

async function byApiToken(connection: Connection, { user, org }: Person, file: string): Promise<Opened> {
  const secret = secretFrom(file, 'API token');
  const token = await sessionOf(connection, { org, secret });
  if (token !== undefined) return { token, apiToken: { id: '', secret } };
  throw notLoggedIn(
    `${connection.server.url} rejected the API token of ${user}@${org}: it does not exist, was revoked, has expired, or belongs to another organization.`,
  );
}
