/** Everything that is measured of one server, in the order in which it is done. */
import type { Connection } from './connection.ts';
import { Figures } from './figures.ts';
import { measureLists } from './lists.ts';
import { withConnections } from './load.ts';
import { settledMegabytes } from './memory.ts';
import type { Options } from './options.ts';
import { measurable } from './processes.ts';
import { poll, type Server } from './servers.ts';
import { measureInitialSync, measureWatchers } from './watches.ts';
import { configMaps, namespace, virtualMachines, type Workload } from './workload.ts';
import { measureCreates, measurePatches } from './writes.ts';

export async function measure(server: Server, options: Options, say: (text: string) => void): Promise<Figures> {
  const figures = new Figures();
  figures.add('start', 'until the default ServiceAccount is there', 'ms', server.startUp);
  const workloads = [configMaps, virtualMachines(options.definitions)];
  await prepare(server, workloads);
  await fill(server, workloads, options, figures, say);
  for (const workload of workloads) {
    say(`${server.name}: ${workload.title}: patches, lists, initial events`);
    await measurePatches(server, workload, options, figures);
    await measureLists(server, workload, options.repeats, figures);
    await measureInitialSync(server, workload, options.repeats, figures);
  }
  say(`${server.name}: ${options.watchers} watchers`);
  await measureWatchers(server, configMaps, options, figures);
  return figures;
}

/** Creates come first, with the memory that they take: later on, what is left of other work would blur it. */
async function fill(
  server: Server,
  workloads: readonly Workload[],
  options: Options,
  figures: Figures,
  say: (text: string) => void,
): Promise<void> {
  const settled = (): Promise<number> => (measurable ? settledMegabytes(server, options.patience) : Promise.resolve(0));
  let resident = await settled();
  if (measurable) figures.add('memory at rest', 'empty, with the definition', 'MB', resident);
  for (const workload of workloads) {
    say(`${server.name}: ${workload.title}: creates`);
    await measureCreates(server, workload, options, figures);
    const filled = await settled();
    if (measurable)
      figures.add('memory at rest', `more by ${options.objects} × ${workload.title}`, 'MB', filled - resident);
    resident = filled;
  }
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
