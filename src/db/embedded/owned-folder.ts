/** Folders with names that others could guess, in places where others may write: used only where they are ours. */
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/** Makes the folder for that account alone (0700), or checks that the one that is there is such a folder. */
export function ownedFolder(path: string, account: Account | undefined): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    if (account !== undefined) chownSync(path, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    checkOwner(path, account?.uid ?? process.getuid?.() ?? 0);
  }
}

/** Refuses what somebody else could have put there: a link, another owner's folder, one that others may write. */
export function checkOwner(path: string, uid: number): void {
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `cannot use the folder "${path}" for PostgreSQL: it is not a folder of the user ${uid} that only that user may write; remove it`,
  );
}
