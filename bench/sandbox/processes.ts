/**
 * Reads Linux's statistics about the servers' processes. Other systems have no /proc, and the figures from it are left
 * out.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
}

/** Ticks per second in /proc: the kernel's interface fixes it at 100 on every architecture that Node supports. */
const TICKS = 100;

export const measurable = process.platform === 'linux';

/** The fields of /proc/PID/stat after the name, which may contain spaces; the first is the state. */
function stat(pid: number): { name: string; fields: readonly string[] } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = text.lastIndexOf(')');
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
}

const field = (pid: number, index: number): number => Number(stat(pid).fields[index]);

/** Our own child processes, by their kernel names (at most 15 characters). */
export function childProcesses(): readonly ServerProcess[] {
  if (!measurable) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((text) => {
    try {
      const { name, fields } = stat(Number(text));
      return Number(fields[1]) === process.pid ? [{ name, pid: Number(text) }] : [];
    } catch {
      return []; // The process has just ended.
    }
  });
}

/** Processor seconds, user and system, of all of them since their start. */
export function cpuSeconds(processes: readonly ServerProcess[]): number {
  return processes.reduce((sum, { pid }) => sum + field(pid, 11) + field(pid, 12), 0) / TICKS;
}

export function residentBytes(processes: readonly ServerProcess[]): number {
  return sumOf('VmRSS', processes);
}

/** The sum of each one's peak resident size. */
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
