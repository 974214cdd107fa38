/** The server's memory and open files at quiet points, and whether they grow without end. */
import { readdirSync, readlinkSync } from 'node:fs';
import { askInspector } from '../sandbox/collect.ts';
import type { ServerProcess } from '../sandbox/processes.ts';

export interface Vitals {
  /** The resident size, much of which is garbage and memory that the allocator keeps. */
  readonly megabytes: number;
  /** The size of the heap and of external memory after garbage collection. */
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
      return []; // Closed in the meantime.
    }
  });
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { sockets, files: targets.length };
}

/** Asks a Node process through its inspector. */
export async function liveMegabytes(inspector: string): Promise<number> {
  // Twice: objects that finalizers release in the first collection are freed by the second.
  await askInspector(inspector, 'HeapProfiler.collectGarbage');
  await askInspector(inspector, 'HeapProfiler.collectGarbage');
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
  const answer = await askInspector(inspector, 'Runtime.evaluate', { expression, returnByValue: true });
  return (answer as { result: { value: number } }).result.value / 1e6;
}

export interface Growth {
  readonly title: string;
  /** A larger increase between two quiet points than this is too much. */
  readonly step: number;
  /** This many consecutive increases, together more than `noise`, count as unbounded growth. */
  readonly rises: number;
  readonly noise: number;
}

/** Returns a complaint about the newest value of a series, if any. */
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
