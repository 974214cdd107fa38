/** The kubectls that the suites run with. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { findTool } from '../not-run.ts';

/** The one next to the control plane's binaries and the one on the PATH, each once. */
export function kubectls(): string[] {
  const listed = process.env['SSVIRT_KUBECTL'];
  if (listed !== undefined && listed !== '') return listed.split(':');
  const found = [findTool('kubectl'), findTool('kubectl', { PATH: process.env['PATH'] })];
  return [...new Set(found.flatMap((path) => (path === undefined ? [] : realpathSync(path))))];
}

export function versionOf(kubectl: string): string {
  const text = execFileSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  return (JSON.parse(text) as { clientVersion: { gitVersion: string } }).clientVersion.gitVersion;
}
