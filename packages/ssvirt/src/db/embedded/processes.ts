/** Processes that are not our children: the server of an earlier process, and a postmaster's backends. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export function listProcesses(): readonly ProcessInfo[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): readonly ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name in parentheses may itself contain parentheses.
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        // It ended while we read about it.
        return [];
      }
    });
}

function fromPs(): readonly ProcessInfo[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8', timeout: 10_000 });
  return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

export function childrenOf(pid: number): readonly number[] {
  return listProcesses()
    .filter((one) => one.parent === pid)
    .map((one) => one.pid);
}

/** `signalIfThere` sends a signal; returns false when the process does not exist. */
export function signalIfThere(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** `haveEnded` resolves to whether all have ended before the deadline. */
export async function haveEnded(pids: readonly number[], deadlineMs: number): Promise<boolean> {
  const end = performance.now() + deadlineMs;
  while (pids.some((pid) => isRunning(pid))) {
    if (performance.now() > end) return false;
    await sleep(10);
  }
  return true;
}

/** A zombie counts as ended: in a container without an init it may never be reaped. */
function isRunning(pid: number): boolean {
  if (!signalIfThere(pid, 0)) return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return !existsSync('/proc/self/stat');
  }
}
