import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a person could type the command, for what newcomers are told. */
export function isOnPath(command: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, command)));
}
