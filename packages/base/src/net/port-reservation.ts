/**
 * Ports that a process chooses now and another process, which it starts, listens on later. Several installations and
 * test processes on one machine do this at the same time, so each choice is recorded in a folder that they share.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports for outgoing connections (from 32768 on), because one of these could take a port before its process
 * listens or while it restarts.
 */
export const chosenPorts = { from: 20_000, to: 32_000 } as const;

const own = new Set<string>();

/**
 * `reservePort` returns false while another living process has the port reserved. A reservation ends with the process
 * that made it. Where the folder cannot be used, every port counts as free.
 */
export function reservePort(port: number, folder: string = sharedFolder()): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The folder of temporary files is writable for all: nothing is written through a link of somebody else.
    if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) return true;
    const file = join(folder, String(port));
    if (own.has(file)) return true;
    for (let attempt = 0; attempt < 2; attempt++) {
      if (wrote(file)) return true;
      if (isAlive(Number(readFileSync(file, 'utf8')))) return false;
      rmSync(file, { force: true });
    }
    return false;
  } catch {
    return true;
  }
}

/** False if the file exists. */
function wrote(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (own.size === 0) process.once('exit', () => own.forEach((name) => rmSync(name, { force: true })));
  own.add(file);
  return true;
}

/** An empty file is being written at this moment, by a living process. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function sharedFolder(): string {
  return join(tmpdir(), `ssvirt-ports-${userInfo().uid}`);
}
