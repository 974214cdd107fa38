/**
 * The process under soak: a typical operator with a cache of a projection, a cache of a selection, a ledger, and a
 * controller over all of them. It counts violations, and reports its state on request.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Projected, Projection } from '../../packages/kube/src/informer/informer.ts';
import { createInformers } from '../../packages/kube/src/informer/informers.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { createController } from '../../packages/kube/src/controller/controller.ts';
import { enqueueObject } from '../../packages/kube/src/controller/handlers.ts';
import type { Request } from '../../packages/kube/src/controller/request.ts';
import { watches } from '../../packages/kube/src/controller/sources.ts';
import { createRecorder } from '../../packages/kube/src/events/recorder.ts';
import { loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { keyOf, type Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { digestOf, type Digest } from './digest.ts';

const { values } = parseArgs({
  options: { kubeconfig: { type: 'string', default: '' }, group: { type: 'string', default: '' } },
});
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const type: ResourceType = {
  group: values.group,
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

const slim: Projection<Unstructured, Projected> = {
  name: 'slim',
  project: ({ metadata: { name, namespace, uid, resourceVersion } }) => ({
    metadata: { name: name ?? '', namespace: namespace ?? '', uid: uid ?? '', resourceVersion: resourceVersion ?? '' },
  }),
};

const log = pino({ level: 'error' }, pino.destination(2));
const metrics = createMetrics(new Registry());
const client = createClient({
  cluster: 'soak',
  source: await loadKubeconfig({ path: values.kubeconfig }),
  userAgent: 'ssvirt-soak',
  metrics,
  log,
});
const stop = new AbortController();
const informers = createInformers({ client, metrics, log });
const all = informers.informer(type, { projection: slim });
const tenth = informers.informer(type, { projection: slim, labelSelector: 'bench/tenth=3' });

/** The version of each key when it was last reconciled; at rest, the current version. */
const reconciled = new Map<string, string>();
const working = new Set<string>();
let reconciles = 0;

async function reconcile(request: Request): Promise<void> {
  const key = keyOf(request);
  if (working.has(key)) say({ event: 'violation', text: `${key} is reconciled twice at once` });
  working.add(key);
  try {
    await new Promise((resolve) => setImmediate(resolve));
    reconciles++;
    const version = all.get(request)?.metadata.resourceVersion;
    if (version === undefined) reconciled.delete(key);
    else reconciled.set(key, version);
  } finally {
    working.delete(key);
  }
}

const controller = createController({
  name: 'soak',
  reconcile,
  concurrency: 10,
  sources: () => [watches(all, enqueueObject)],
  log,
  metrics,
});
const recorder = createRecorder({ client, component: 'soak', log, metrics });
controller.engage({ name: 'soak', client, informers, recorder, signal: stop.signal });
const running = controller.run({ signal: stop.signal });
void Promise.all([all.synced(), tenth.synced()]).then(() => say({ event: 'synced' }));

const versions = (objects: readonly Projected[]): Digest =>
  digestOf(objects.map(({ metadata }) => [keyOf(metadata), metadata.resourceVersion ?? ''] as const));

function vitals(): object {
  const { gc } = globalThis;
  // Twice: objects that finalizers release in the first collection are freed by the second.
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { event: 'vitals', megabytes: (heapUsed + external) / 1e6, reconciles };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'vitals') say(vitals());
    if (line === 'contents')
      say({
        event: 'contents',
        all: versions(all.list()),
        tenth: versions(tenth.list()),
        reconciled: digestOf(reconciled),
        health: all.health(),
      });
  })
  .on('close', () => stop.abort());

await running;
await client.close();
process.exit(0);
