/** The folder that holds everything: data of the clusters and of PostgreSQL, certificates, passwords. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@ssvirt/base/config/setting';

/** Marks the folder as ours, so that `--fresh` never removes another one. */
const marker = 'ssvirt-dev';

export interface Folder {
  readonly path: string;
  readonly kubeconfig: string;
  readonly sandbox: string;
  readonly database: string;
  readonly databaseUrl: string;
  readonly ca: string;
  readonly caKey: string;
  readonly certificate: string;
  readonly key: string;
  readonly env: string;
  /** Where the commands in the documentation store the header of their session. */
  readonly session: string;
  readonly passwords: string;
  readonly compiled: string;
  /** A caller of the simulated AAP needs this token. */
  readonly aapToken: string;
  /** Exists once all demo data was created. */
  readonly demoMade: string;
}

export function openFolder(path: string): Folder {
  // When root starts it, PostgreSQL runs under another account and must be able to pass through. Secrets are readable
  // by the owner only.
  mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const real = realpathSync(path);
  if (!existsSync(join(real, marker))) {
    if (readdirSync(real).length > 0)
      throw new ConfigError([
        `dev.data: "${real}" contains files that do not belong to ssvirt dev: choose an empty folder, or a new one, with --data DIR`,
      ]);
    writeFileSync(
      join(real, marker),
      'The data of "ssvirt dev". You can delete this folder while ssvirt dev is not running.\n',
    );
  }
  const passwords = join(real, 'passwords');
  const sessions = join(real, 'sessions');
  for (const secret of [passwords, sessions]) mkdirSync(secret, { recursive: true, mode: 0o700 });
  const inside = (name: string): string => join(real, name);
  return {
    path: real,
    kubeconfig: inside('kubeconfig'),
    sandbox: inside('sandbox'),
    database: inside('database'),
    databaseUrl: join(inside('database'), 'url'),
    ca: inside('ca.pem'),
    caKey: inside('ca.key'),
    certificate: inside('api.pem'),
    key: inside('api.key'),
    env: inside('env'),
    session: join(sessions, 'current'),
    passwords,
    compiled: inside('compiled'),
    aapToken: inside('aap.token'),
    demoMade: inside('demo-made'),
  };
}

/** No process may be using the folder. */
export function emptyFolder(path: string): void {
  if (!existsSync(path)) return;
  if (!existsSync(join(path, marker)))
    throw new ConfigError([
      `dev.data: "${path}" is not a folder of ssvirt dev, so --fresh does not empty it: delete it yourself`,
    ]);
  // PostgreSQL's own account may not be able to reach this folder; then its data is elsewhere, behind a link.
  const postgres = join(path, 'database', 'postgres');
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

export interface Password {
  readonly file: string;
  readonly text: string;
  /** Created just now. */
  readonly isNew: boolean;
}

/** Created once for each login, such as `admin@demo`, and readable by its owner only. */
export function passwordOf({ passwords }: Folder, login: string): Password {
  return readOrCreateSecret(join(passwords, login));
}

/** Generated once, then read from the file. */
export function readOrCreateSecret(file: string): Password {
  if (existsSync(file)) return { file, text: readFileSync(file, 'utf8').trim(), isNew: false };
  const text = randomBytes(15).toString('base64url');
  writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  return { file, text, isNew: true };
}
