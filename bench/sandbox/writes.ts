/** Measures creates and patches: how many per second, the latency of each, and their cost for the server. */
import type { Call, Connection } from './connection.ts';
import type { Figures } from './figures.ts';
import { runLoad, withConnections } from './load.ts';
import { percentile } from './percentiles.ts';
import { cpuSeconds, measurable } from './processes.ts';
import type { Server } from './servers.ts';
import { applyCall, createCall, mergeCall, statusCall, type Workload } from './workload.ts';

export interface WriteSizes {
  readonly objects: number;
  readonly patches: number;
  /** By one client that waits for each answer. */
  readonly alone: number;
  readonly connections: number;
}

/** Leaves `objects` objects behind, which the other measurements use. */
export async function measureCreates(
  server: Server,
  workload: Workload,
  sizes: WriteSizes,
  figures: Figures,
): Promise<void> {
  await withConnections(server, sizes.connections, (connections) =>
    measureLoad(server, connections, sizes.objects, `${workload.title} create`, figures, (i) =>
      createCall(workload, i),
    ),
  );
}

export async function measurePatches(
  server: Server,
  workload: Workload,
  sizes: WriteSizes,
  figures: Figures,
): Promise<void> {
  const { title } = workload;
  const object = (index: number): number => index % sizes.objects;
  // Numbers continue from one kind of patch to the next, so that every write changes the object.
  const kinds: readonly [string, (workload: Workload, index: number, round: number) => Call][] = [
    ['merge patch', mergeCall],
    ['apply', applyCall],
    ...(workload.status === undefined ? [] : [['status patch', statusCall] as [string, typeof statusCall]]),
  ];
  await withConnections(server, sizes.connections, async (connections) => {
    for (const [kind, call] of kinds) {
      await measureLoad(server, connections, sizes.patches, `${title} ${kind}`, figures, (i) =>
        call(workload, object(i), i + 1),
      );
    }
  });
  await withConnections(server, 1, async (connections) => {
    const { latencies } = await runLoad(connections, sizes.alone, (i) =>
      mergeCall(workload, object(i), sizes.patches + i + 1),
    );
    figures.add('writes, one client alone', `${title} merge patch, p50`, 'ms', percentile(latencies, 0.5));
    figures.add('writes, one client alone', `${title} merge patch, p99`, 'ms', percentile(latencies, 0.99));
  });
}

async function measureLoad(
  server: Server,
  connections: readonly Connection[],
  count: number,
  title: string,
  figures: Figures,
  call: (index: number) => Call,
): Promise<void> {
  const before = measurable ? cpuSeconds(server.processes) : 0;
  const { seconds, latencies } = await runLoad(connections, count, call);
  const section = `writes, ${connections.length} clients`;
  figures.add(section, title, '/s', count / seconds);
  for (const share of [0.5, 0.95, 0.99])
    figures.add(section, `${title}, p${share * 100}`, 'ms', percentile(latencies, share));
  if (measurable)
    figures.add(section, `${title}, per 1000`, 'CPU s', ((cpuSeconds(server.processes) - before) / count) * 1000);
}
