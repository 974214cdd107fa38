/** What Linux knows about the servers' processes. Elsewhere there is no /proc, and the figures from it are left out. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
}

/** Of /proc's times: fixed by the kernel's interface at 100 a second on every architecture that Node runs on. */
const TICKS = 100;

export const measurable = process.platform === 'linux';

/** The fields of /proc/PID/stat after the name, which itself may hold spaces; the first is the state. */
function stat(pid: number): { name: string; fields: readonly string[] } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = text.lastIndexOf(')');
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
}

const field = (pid: number, index: number): number => Number(stat(pid).fields[index]);

/** Our own children, by the names that the kernel gives (15 characters at most). */
export function childProcesses(): readonly ServerProcess[] {
  if (!measurable) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((text) => {
    try {
      const { name, fields } = stat(Number(text));
      return Number(fields[1]) === process.pid ? [{ name, pid: Number(text) }] : [];
    } catch {
      return []; // it has just ended
    }
  });
}

/** Processor seconds, user and system, of all of them since they began. */
export function cpuSeconds(processes: readonly ServerProcess[]): number {
  return processes.reduce((sum, { pid }) => sum + field(pid, 11) + field(pid, 12), 0) / TICKS;
}

export function residentBytes(processes: readonly ServerProcess[]): number {
  return sumOf('VmRSS', processes);
}

/** The most that was ever resident, of each. */
export function peakBytes(processes: readonly ServerProcess[]): number {
  return sumOf('VmHWM', processes);
}

function sumOf(field: 'VmRSS' | 'VmHWM', processes: readonly ServerProcess[]): number {
  return processes.reduce((sum, { pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? '0') * 1024;
  }, 0);
}

/** How long a process has been running, in milliseconds. */
export function age({ pid }: ServerProcess): number {
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return (uptime - field(pid, 19) / TICKS) * 1000;
}
