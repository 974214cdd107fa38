/**
 * A lock on a data folder, so that only one process uses it. It is SQLite's lock on an empty file: the operating system
 * releases it when the process ends in any way. A file with a process id would survive a crash, and its validity could
 * only be guessed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError, systemWords } from '../cli/start-error.ts';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** An unreferenced database would be closed by garbage collection, which would release the lock. */
const held = new Set<object>();

/** `lockFolder` throws a StartError when the folder cannot be locked. */
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
  // Loaded here, because a sandbox without a data folder does not need it.
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

/** Only for the message: the file may be old or missing. */
function holderOf(file: string): string {
  try {
    return `another sandbox (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return 'another sandbox';
  }
}
