/**
 * Where a server keeps its data and the password of its only user. A folder that PostgreSQL's account cannot reach
 * (such as one below a home with mode 0700) holds the password and a link. The data is then below /var/tmp, under a
 * name derived from the wanted one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountMay, asAccount, type Account } from './account.ts';
import { copiesFolder, type Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { ownedFolder } from './owned-folder.ts';

/** The name of the server's only user, and of its first database. */
export const userName = 'ssvirt';

export interface DataFolder {
  /** Accessible to PostgreSQL's account only. */
  readonly home: string;
  /** PostgreSQL's data directory, inside `home`. */
  readonly data: string;
  readonly password: string;
  /** The folder is removed when the server stops. */
  readonly isThrowAway: boolean;
}

const initdbMs = 120_000;

/** `persistentFolder` returns a folder that survives restarts; it is created when missing. */
export function persistentFolder(wanted: string, account: Account | undefined): DataFolder {
  // Another account must be able to pass through. What is inside belongs to one of the two accounts alone.
  mkdirSync(wanted, { recursive: true, mode: account === undefined ? 0o700 : 0o711 });
  const folder = realpathSync(wanted);
  return { ...home(folder, account), password: readOrCreatePassword(join(folder, 'password')), isThrowAway: false };
}

function home(folder: string, account: Account | undefined): Pick<DataFolder, 'home' | 'data'> {
  const elsewhere = join(
    copiesFolder,
    `ssvirt-postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`,
  );
  const link = join(folder, 'postgres');
  const reachable = accountMay(account, '-x', folder) && !existsSync(elsewhere);
  const path = reachable ? link : elsewhere;
  ownedFolder(path, account);
  if (!reachable && !existsSync(link)) symlinkSync(elsewhere, link);
  return { home: path, data: join(path, 'data') };
}

function readOrCreatePassword(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const password = newPassword();
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
  return password;
}

export function throwAwayFolder(account: Account | undefined): DataFolder {
  for (const parent of [tmpdir(), copiesFolder]) {
    const path = mkdtempSync(join(parent, 'ssvirt-postgres-'));
    if (account !== undefined) chownSync(path, account.uid, account.gid);
    if (accountMay(account, '-w', path))
      return { home: path, data: join(path, 'data'), password: newPassword(), isThrowAway: true };
    rmSync(path, { recursive: true });
  }
  throw new EmbeddedPostgresError(
    `cannot start PostgreSQL: the user ${account?.name ?? 'that runs this'} can write neither below "${tmpdir()}" nor below "${copiesFolder}"; set TMPDIR to a folder where it can`,
  );
}

/** `copiedFolder` returns a throw-away copy of another server's data, with that server's password. */
export function copiedFolder({ data, password }: DataFolder, account: Account | undefined): DataFolder {
  const folder = throwAwayFolder(account);
  const { status, stderr } = spawnSync('cp', ['-Rp', data, folder.data], {
    ...asAccount(account),
    cwd: folder.home,
    encoding: 'utf8',
    timeout: initdbMs,
  });
  if (status === 0) return { ...folder, password };
  rmSync(folder.home, { recursive: true, force: true });
  throw new EmbeddedPostgresError(`cannot copy the PostgreSQL data directory "${data}": ${stderr.trim()}`);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** `initialise` fills the data directory when that has not happened yet. */
export async function initialise(folder: DataFolder, binaries: Binaries, account: Account | undefined): Promise<void> {
  if (existsSync(join(folder.data, 'PG_VERSION'))) return;
  // The remains of an initdb that was interrupted.
  rmSync(folder.data, { recursive: true, force: true });
  const passwordFile = join(folder.home, `initdb-${randomBytes(6).toString('hex')}`);
  writeFileSync(passwordFile, folder.password, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  try {
    await initdb(folder, binaries, account, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function initdb(
  { home: cwd, data, isThrowAway }: DataFolder,
  binaries: Binaries,
  account: Account | undefined,
  passwordFile: string,
): Promise<void> {
  const args = [`--pgdata=${data}`, `--username=${userName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // The same sort order on every computer, whatever its locales.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const child = spawn(binaries.initdb, [...args, ...locale, ...(isThrowAway ? ['--no-sync'] : [])], {
    ...asAccount(account),
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: initdbMs,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  rmSync(data, { recursive: true, force: true });
  throw new EmbeddedPostgresError(`cannot make a PostgreSQL data directory in "${data}": initdb says: ${said.trim()}`);
}
