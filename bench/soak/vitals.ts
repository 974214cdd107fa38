/** The server's memory and open files at quiet points, and whether they grow without end. */
import { readdirSync, readlinkSync } from 'node:fs';
import { askInspector } from '../sandbox/collect.ts';
import type { ServerProcess } from '../sandbox/processes.ts';

export interface Vitals {
  /** Resident; much of it is garbage and what the allocator keeps. */
  readonly megabytes: number;
  /** What is left on the heap and beside it after the garbage was collected. */
  readonly live: number;
  readonly sockets: number;
  readonly files: number;
}

export function openFiles(process: ServerProcess): Pick<Vitals, 'sockets' | 'files'> {
  const folder = `/proc/${process.pid}/fd`;
  const targets = readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(`${folder}/${fd}`)];
    } catch {
      return []; // closed in the meantime
    }
  });
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { sockets, files: targets.length };
}

/** Asks a Node process by its inspector. */
export async function liveMegabytes(inspector: string): Promise<number> {
  // Twice: what finalizers let go of in the first round is free after the second.
  await askInspector(inspector, 'HeapProfiler.collectGarbage');
  await askInspector(inspector, 'HeapProfiler.collectGarbage');
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
  const answer = await askInspector(inspector, 'Runtime.evaluate', { expression, returnByValue: true });
  return (answer as { result: { value: number } }).result.value / 1e6;
}

export interface Growth {
  readonly title: string;
  /** More from one quiet point to the next than this is too much. */
  readonly step: number;
  /** So many rises in a row, which together are more than `noise`, are growth without end. */
  readonly rises: number;
  readonly noise: number;
}

/** What is wrong with the newest value of a series, if anything. */
export function growthComplaint(series: readonly number[], growth: Growth): string | undefined {
  const { title, step, rises, noise } = growth;
  const last = series.at(-1);
  const before = series.at(-2);
  if (last === undefined || before === undefined) return undefined;
  if (last - before > step) return `${title} grew from ${before.toFixed(0)} to ${last.toFixed(0)} at once`;
  const run = series.slice(-rises - 1);
  const rising = run.length > rises && run.every((value, i) => i === 0 || value > (run[i - 1] as number));
  if (!rising || last - (run[0] as number) <= noise) return undefined;
  return `${title} has grown at ${rises} quiet points in a row: ${run.map((value) => value.toFixed(0)).join(', ')}`;
}
