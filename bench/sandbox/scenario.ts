/**
 * Everything that is measured, step by step. Each step runs on one server after the other while the rest are idle, so
 * that a minute in which the host is busy affects all of them alike.
 */
import type { Connection } from './connection.ts';
import type { Figures } from './figures.ts';
import { measureLists } from './lists.ts';
import { withConnections } from './load.ts';
import type { Memory } from './memory.ts';
import type { Options } from './options.ts';
import { measurable } from './processes.ts';
import { poll } from './poll.ts';
import type { Server } from './servers.ts';
import { measureInitialSync, measureWatchers } from './watches.ts';
import { configMaps, namespace, virtualMachines, type Workload } from './workload.ts';
import { measureCreates, measurePatches } from './writes.ts';

/** A server with its figures. */
export interface Subject {
  readonly server: Server;
  readonly figures: Figures;
  readonly memory: Memory;
}

export interface Step {
  readonly title: string;
  run(subject: Subject): Promise<void>;
}

export function steps(options: Options): readonly Step[] {
  const workloads = [configMaps, virtualMachines(options.definitions)];
  const ofEach = (title: string, run: (subject: Subject, workload: Workload) => Promise<void>): readonly Step[] =>
    workloads.map((workload) => ({ title: `${workload.title}: ${title}`, run: (subject) => run(subject, workload) }));
  return [
    {
      title: 'the namespace and the definition',
      run: async ({ server, memory }) => {
        await prepare(server, workloads);
        if (measurable) await memory.look('start and definition');
      },
    },
    // Creates come first, together with the memory that they take: leftovers of other work would blur it later.
    ...ofEach('creates', async ({ server, figures, memory }, workload) => {
      await measureCreates(server, workload, options, figures);
      if (measurable) await memory.look(`${options.objects} × ${workload.title}`);
    }),
    ...ofEach('patches', ({ server, figures }, workload) => measurePatches(server, workload, options, figures)),
    ...ofEach('lists', ({ server, figures }, workload) => measureLists(server, workload, options.repeats, figures)),
    ...ofEach('initial events', ({ server, figures }, workload) =>
      measureInitialSync(server, workload, options.repeats, figures),
    ),
    {
      title: `${options.watchers} watchers`,
      run: ({ server, figures }) => measureWatchers(server, configMaps, options, figures),
    },
  ];
}

async function prepare(server: Server, workloads: readonly Workload[]): Promise<void> {
  await withConnections(server, 1, async ([first]) => {
    const connection = first as Connection;
    const create = (path: string, object: unknown): Promise<unknown> =>
      connection.must({ method: 'POST', path, body: JSON.stringify(object) });
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const { definition, path } of workloads) {
      if (definition === undefined) continue;
      await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      const served = async (): Promise<true | undefined> =>
        (await connection.send({ method: 'GET', path })).status === 200 || undefined;
      await poll('the custom resource is not served', served);
    }
  });
}
