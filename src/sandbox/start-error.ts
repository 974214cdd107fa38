/** Why the sandbox cannot start, for the person who started it: no defect, so it is said without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The system's own words for what went wrong with a file or a port. */
export function systemWords(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return WORDS[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a folder',
  EADDRINUSE: 'another process listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
};
