/** Selects the server and the credentials: by flag, environment or profile. */
import { resolve } from 'node:path';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { readProfiles, saveToken } from '../profile/file.ts';
import type { Profile, Profiles } from '../profile/profile.ts';
import type { Server } from './connection.ts';
import { serverUrl } from './url.ts';

/** `Renewal` renews a session. */
export interface Renewal {
  readonly org: string;
  readonly secret: string;
  /** Stores the new session for the next command. */
  readonly keep: (token: string) => void;
}

export interface Target {
  readonly server: Server;
  readonly token?: string | undefined;
  readonly renewal?: Renewal | undefined;
  /** The command that logs in to this server. */
  readonly logIn: string;
}

export function targetOf(named: string | undefined, env: NodeJS.ProcessEnv = process.env): Target {
  const { SSVIRT_TOKEN, SSVIRT_API_TOKEN, SSVIRT_ORG } = env;
  const url = env['SSVIRT_URL'] === undefined || named !== undefined ? undefined : serverUrl(env['SSVIRT_URL']);
  const all = readProfiles();
  const name = named ?? env['SSVIRT_PROFILE'] ?? profileAt(all, url);
  const profile = profileNamed(all, name, named !== undefined || env['SSVIRT_PROFILE'] !== undefined);
  const asked = url ?? profile?.url;
  if (asked === undefined)
    throw notLoggedIn('you are not logged in: "ssvirt login URL --user USER@ORGANIZATION" (or set SSVIRT_URL).');
  // The credentials of one server are never sent to another.
  const own = profile?.url === asked ? profile : undefined;
  const ca = named === undefined ? env['SSVIRT_CA'] : undefined;
  const server = {
    url: asked,
    ca: ca === undefined || ca === '' ? own?.ca : resolve(ca),
    insecure: own?.insecure === true && (ca === undefined || ca === ''),
  };
  const logIn = `ssvirt login ${asked} --user ${own === undefined ? 'USER@ORGANIZATION' : `${own.user}@${own.org}`}${name === undefined || name === 'default' ? '' : ` --profile ${name}`}`;
  if (SSVIRT_TOKEN !== undefined && SSVIRT_TOKEN !== '') return { server, token: SSVIRT_TOKEN, logIn };
  if (SSVIRT_API_TOKEN !== undefined && SSVIRT_API_TOKEN !== '')
    return { server, logIn, renewal: { org: orgOf(SSVIRT_ORG), secret: SSVIRT_API_TOKEN, keep: () => undefined } };
  return { server, token: own?.token, logIn, renewal: renewalOf(name, own) };
}

function renewalOf(name: string | undefined, own: Profile | undefined): Renewal | undefined {
  if (name === undefined || own?.apiToken === undefined) return undefined;
  return { org: own.org, secret: own.apiToken.secret, keep: (token) => saveToken(name, token) };
}

function orgOf(name: string | undefined): string {
  if (name !== undefined && name !== '') return name;
  throw new CliFailure(
    'SSVIRT_API_TOKEN is set without SSVIRT_ORG: name the organization of the token.',
    exitCodes.usage,
  );
}

/** Returns the current profile; if an address is given, a profile with this address. */
function profileAt({ current, profiles }: Profiles, url: string | undefined): string | undefined {
  if (url === undefined || (current !== undefined && profiles[current]?.url === url)) return current;
  return Object.keys(profiles).find((name) => profiles[name]?.url === url);
}

function profileNamed({ profiles }: Profiles, name: string | undefined, isAsked: boolean): Profile | undefined {
  const profile = name === undefined || !Object.hasOwn(profiles, name) ? undefined : profiles[name];
  if (profile === undefined && isAsked)
    throw new CliFailure(
      `there is no profile "${String(name)}"; there ${known(Object.keys(profiles))}. "ssvirt login URL --user USER@ORGANIZATION --profile ${String(name)}" creates it.`,
      exitCodes.notLoggedIn,
    );
  return profile;
}

function known(names: readonly string[]): string {
  return names.length === 0 ? 'are none yet' : `are: ${names.join(', ')}`;
}

export function notLoggedIn(message: string): CliFailure {
  return new CliFailure(message, exitCodes.notLoggedIn);
}
