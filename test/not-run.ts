/** What could not be tested here is said by name at the end of a run, so that a green run never hides a gap. */
import { accessSync, appendFileSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Notes that `name` was not run; returns the reason, which fits as a test's `skip`. */
export function notRun(name: string, reason: string): string {
  const file = process.env['SSVIRT_NOT_RUN'];
  if (file !== undefined && file !== '') appendFileSync(file, `${name}: ${reason}\n`);
  return reason;
}

/** The path of a program: in the folder KUBEBUILDER_ASSETS where that is set, or else on the PATH. */
export function findTool(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [env['KUBEBUILDER_ASSETS'] ?? '', ...(env['PATH'] ?? '').split(delimiter)];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
