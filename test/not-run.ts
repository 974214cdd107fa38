/** Lists tests that could not run here, by name, at the end of a run, so that a green run never hides a gap. */
import { accessSync, appendFileSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `notRun` records that `name` was not run, and returns the reason for use as a test's `skip`. */
export function notRun(name: string, reason: string): string {
  const file = process.env['SSVIRT_NOT_RUN'];
  if (file !== undefined && file !== '') appendFileSync(file, `${name}: ${reason}\n`);
  return reason;
}

/** The path of a program: in the folder KUBEBUILDER_ASSETS if that is set, otherwise on the PATH. */
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
