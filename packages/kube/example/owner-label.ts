/** Every namespace gets the label `example.com/owner`, from its annotation of the same name. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import {
  connectCluster,
  createController,
  createElector,
  createManager,
  createMetrics,
  enqueueObject,
  errorFields,
  loadKubeconfig,
  perCluster,
  runUntilSignal,
  watches,
  type ClusterContext,
  type KubeObject,
  type Request,
  type ResourceType,
} from '@ssvirt/kube';

const key = 'example.com/owner';
const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

const log = pino({ serializers: { err: errorFields } });
const metrics = createMetrics(new Registry());
const caches = perCluster(({ informers }) => ({ namespaces: informers.informer(namespaces) }));

const controller = createController({
  log,
  metrics,
  name: 'owner-label',
  sources: (cluster) => [watches(caches(cluster).namespaces, enqueueObject)],
  reconcile,
});

/** Called with the name of a namespace until it succeeds. It compares, and writes only a difference. */
async function reconcile({ name }: Request, { cluster, signal }: ClusterContext): Promise<void> {
  const found = caches(cluster).namespaces.get({ name });
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
  const { annotations = {}, labels = {}, resourceVersion } = found.metadata;
  const owner = annotations[key] ?? null;
  if ((labels[key] ?? null) === owner) return;
  // With the version that was read: a concurrent write makes this a conflict, and the reconcile starts again.
  const metadata = { resourceVersion, labels: { [key]: owner } };
  await cluster.client.patch(namespaces, { name }, { type: 'merge', body: { metadata } }, { signal });
  log.info({ namespace: name, owner }, 'label written');
}

await runUntilSignal(
  async (signal) => {
    const source = await loadKubeconfig();
    const cluster = connectCluster({ name: 'local', source, component: 'owner-label', log, metrics });
    controller.engage(cluster);
    const elector = createElector({ client: cluster.client, namespace: 'default', name: 'owner-label', log, metrics });
    const at = { port: Number(process.env['PORT'] ?? 8081) };
    const manager = createManager({ log, metrics, elector, health: at, metricsAt: at });
    manager.add(controller);
    await manager.run(signal);
    await cluster.close();
  },
  { log },
);
