/** The server's memory and open files at quiet points, and whether they grow without end. */
import { readdirSync, readlinkSync } from 'node:fs';
import { residentBytes, type ServerProcess } from '../sandbox/processes.ts';

export interface Vitals {
  readonly megabytes: number;
  readonly sockets: number;
  readonly files: number;
}

export function vitalsOf(process: ServerProcess): Vitals {
  const folder = `/proc/${process.pid}/fd`;
  const targets = readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(`${folder}/${fd}`)];
    } catch {
      return []; // closed in the meantime
    }
  });
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { megabytes: residentBytes([process]) / 1e6, sockets, files: targets.length };
}

export interface Growth {
  readonly title: string;
  /** Quiet points at the start that do not count: caches fill, code is compiled. */
  readonly warmUp: number;
  /** More from one quiet point to the next than this is too much. */
  readonly step: number;
  /** So many rises in a row, which together are more than `noise`, are growth without end. */
  readonly rises: number;
  readonly noise: number;
}

/** What is wrong with the newest value of a series, if anything. */
export function growthComplaint(series: readonly number[], growth: Growth): string | undefined {
  const { title, warmUp, step, rises, noise } = growth;
  const steady = series.slice(warmUp);
  const last = steady.at(-1);
  const before = steady.at(-2);
  if (last === undefined || before === undefined) return undefined;
  if (last - before > step) return `${title} grew from ${before.toFixed(0)} to ${last.toFixed(0)} at once`;
  const run = steady.slice(-rises - 1);
  const rising = run.length > rises && run.every((value, i) => i === 0 || value > (run[i - 1] as number));
  if (!rising || last - (run[0] as number) <= noise) return undefined;
  return `${title} has grown at ${rises} quiet points in a row: ${run.map((value) => value.toFixed(0)).join(', ')}`;
}
