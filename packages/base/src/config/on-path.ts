import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `isOnPath` returns whether the command can be typed as it is, for hints to new users. */
export function isOnPath(command: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, command)));
}
