/**
 * One process at a time uses a data folder. The lock is SQLite's on an empty file: it is the system's own, which goes with
 * the process however that ends, while a file with a process id outlives a crash and must be guessed about.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError, systemWords } from '../start-error.ts';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** A database that nobody refers to is closed when the memory is cleaned up, and the lock with it. */
const held = new Set<object>();

/** Throws a StartError when the folder cannot be had. */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, 'process');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockFile(join(folder, 'lock'));
    writeFileSync(holder, `${process.pid}\n`);
    return lock;
  } catch (cause) {
    if (isBusy(cause)) {
      throw new StartError(`cannot use the data folder "${folder}": ${holderOf(holder)} uses it`, { cause });
    }
    throw new StartError(`cannot use the data folder "${folder}": ${systemWords(cause)}`, { cause });
  }
}

function lockFile(path: string): FolderLock {
  // Loaded here, since a sandbox without a data folder has no need of it.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY;
}

/** Only for the message: the file may be old, or not there yet. */
function holderOf(file: string): string {
  try {
    return `another sandbox (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return 'another sandbox';
  }
}
