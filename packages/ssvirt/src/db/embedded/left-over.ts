/**
 * Handles a server that still runs on a data directory: stops it when its owner is dead, otherwise refuses to start.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { isGuardOf } from './guard.ts';
import { haveEnded, listProcesses, signalIfThere } from './processes.ts';

const fastMs = 20_000;

export async function stopLeftOver(data: string): Promise<void> {
  const pid = postmasterOf(data);
  if (pid === undefined) return;
  if (hasOwner(pid))
    throw new EmbeddedPostgresError(
      `cannot start PostgreSQL on "${data}": process ${pid} runs on it and belongs to another ssvirt; stop that one, or use another folder`,
    );
  signalIfThere(pid, 'SIGINT');
  if (await haveEnded([pid], fastMs)) return;
  signalIfThere(pid, 'SIGKILL');
  await haveEnded([pid], fastMs);
}

/** The pid in postmaster.pid if it is PostgreSQL on this folder. The number may belong to another process by now. */
function postmasterOf(data: string): number | undefined {
  const pid = pidIn(join(data, 'postmaster.pid'));
  return listProcesses().find((one) => one.pid === pid && one.command.includes(`-D ${data}`))?.pid;
}

export function pidIn(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 1 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The guard's parent is the process that started it. When that process has died, the guard has another parent. */
function hasOwner(pid: number): boolean {
  const all = listProcesses();
  const parentOf = (child: number): number | undefined => all.find((one) => one.pid === child)?.parent;
  const guard = all.find((one) => one.pid === parentOf(pid));
  return guard !== undefined && isGuardOf(guard.command, guard.parent);
}
