/**
 * The profiles of a person, in one file that nobody else can read. It holds tokens, so it is written as a whole beside the old one and renamed: neither half a file
 * nor one that others can read is ever there.
 */
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
      `${file} holds your tokens and can be read by others (mode ${(mode & 0o777).toString(8)}), so it is not used: run "chmod 600 '${file}'", and log in again where somebody may have read it.`,
    );
  try {
    return parsed(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // What stands in it is secret: the parser's own words would quote it.
    const why = error instanceof SyntaxError ? 'it is no JSON' : ((error as { code?: string }).code ?? 'its shape');
    throw new CliFailure(`cannot read the profiles in ${file} (${why}): mend the file, or remove it and log in again.`);
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

/** It is the current one from now on, unless the environment names it, which goes for one shell only. */
export function saveProfile(name: string, profile: Profile): void {
  const isOfShell = process.env['SSVIRT_PROFILE'] === name;
  changeProfiles(({ current, profiles }) => ({
    current: isOfShell ? (current ?? name) : name,
    profiles: { ...profiles, [name]: profile },
  }));
}

/** A new token of a profile that is there; which one is current stays. */
export function saveToken(name: string, token: string | undefined): void {
  changeProfiles((before) => {
    const { token: _old, ...profile } = before.profiles[name] ?? { url: '', user: '', org: '' };
    return {
      ...before,
      profiles: { ...before.profiles, [name]: { ...profile, ...(token === undefined ? {} : { token }) } },
    };
  });
}
