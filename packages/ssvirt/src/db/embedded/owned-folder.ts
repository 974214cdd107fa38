/** Folders with guessable names in places that other users can write to. They are used only when they are ours. */
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/** `ownedFolder` creates the folder for that account alone (0700), or checks that the existing one is such a folder. */
export function ownedFolder(path: string, account: Account | undefined): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    if (account !== undefined) chownSync(path, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    checkOwner(path, account?.uid ?? process.getuid?.() ?? 0);
  }
}

/**
 * Refuses what another user could have put there: a link, a folder of another owner, or one that others may write to.
 */
export function checkOwner(path: string, uid: number): void {
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `cannot use the folder "${path}" for PostgreSQL: it is not a folder of the user ${uid} that only that user may write; remove it`,
  );
}
