/**
 * The profiles of a user, in one file that only this user can read. It holds tokens, so a new version is written beside
 * it and renamed: the file is never incomplete and never readable by others.
 */
import { defined } from '@ssvirt/base/values/defined';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliFailure } from '../output/failure.ts';
import type { Profile, Profiles } from './profile.ts';

const none: Profiles = { profiles: {} };

export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(folderOf(env), 'profiles.json');
}

function folderOf({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string {
  const base = XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? join(homedir(), '.config') : XDG_CONFIG_HOME;
  return join(base, 'ssvirt');
}

export function readProfiles(): Profiles {
  const file = profilesFile();
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return none;
  if ((mode & 0o077) !== 0)
    throw new CliFailure(
      `${file} contains your tokens and other users can read it (mode ${(mode & 0o777).toString(8)}), so it is not used: run "chmod 600 '${file}'", and log in again in case the tokens were read.`,
    );
  try {
    return parsed(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // The content is secret, and the parser's message would quote it.
    const why =
      error instanceof SyntaxError ? 'it is not JSON' : ((error as { code?: string }).code ?? 'unexpected structure');
    throw new CliFailure(
      `cannot read the profiles in ${file} (${why}): correct the file, or remove it and log in again.`,
    );
  }
}

function parsed(value: unknown): Profiles {
  const { current, profiles } = value as Partial<Profiles>;
  if (typeof profiles !== 'object' || profiles === null) throw new TypeError('no profiles');
  return { profiles, ...(typeof current === 'string' ? { current } : {}) };
}

export function changeProfiles(change: (before: Profiles) => Profiles): void {
  const folder = folderOf(process.env);
  const file = profilesFile();
  const next = change(readProfiles());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(beside, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new CliFailure(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** `saveProfile` makes the profile current, unless the environment selects it, which applies to one shell only. */
export function saveProfile(name: string, profile: Profile): void {
  const isOfShell = process.env['SSVIRT_PROFILE'] === name;
  changeProfiles(({ current, profiles }) => ({
    current: isOfShell ? (current ?? name) : name,
    profiles: { ...profiles, [name]: profile },
  }));
}

/** `saveToken` stores a new token in an existing profile; the current profile stays the same. */
export function saveToken(name: string, token: string | undefined): void {
  changeProfiles((before) => {
    const { token: _old, ...profile } = before.profiles[name] ?? { url: '', user: '', org: '' };
    return {
      ...before,
      profiles: { ...before.profiles, [name]: { ...profile, ...defined({ token }) } },
    };
  });
}
