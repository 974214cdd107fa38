/**
 * Our side of the bench: a controller on packages/kube/src that reads each object from its cache when it reconciles, and writes
 * nothing. Its cache keeps a projection, as our controllers do, or whole objects with `--whole`. The rival in bench/go
 * does the same on controller-runtime.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createInformers } from '../../packages/kube/src/informer/informers.ts';
import type { Informer, Projected, Projection } from '../../packages/kube/src/informer/informer.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { createController } from '../../packages/kube/src/controller/controller.ts';
import { enqueueObject } from '../../packages/kube/src/controller/handlers.ts';
import type { Request } from '../../packages/kube/src/controller/request.ts';
import { watches } from '../../packages/kube/src/controller/sources.ts';
import { createRecorder } from '../../packages/kube/src/events/recorder.ts';
import { loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { keyOf, type ObjectMeta, type Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { watchSlices } from './slices.ts';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string', default: '' },
    group: { type: 'string', default: 'kubevirt.io' },
    objects: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
    slices: { type: 'boolean', default: false },
  },
});

const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** The fields of a VM that a status controller reads. */
interface View extends Projected {
  readonly metadata: Projected['metadata'] & Pick<ObjectMeta, 'annotations' | 'labels'>;
  readonly printableStatus: string | undefined;
  readonly ready: boolean;
}

interface Machine extends Unstructured {
  readonly status?: { readonly printableStatus?: string; readonly ready?: boolean };
}

const view: Projection<Machine, View> = {
  name: 'bench-view',
  project: ({ metadata: { name, namespace, uid, resourceVersion, annotations }, status }) => ({
    metadata: {
      ...defined({ name, namespace, uid, resourceVersion }),
      annotations: { 'bench/sent': annotations?.['bench/sent'] ?? '' },
    },
    printableStatus: status?.printableStatus,
    ready: status?.ready === true,
  }),
};

const type: ResourceType<Machine> = {
  group: values.group,
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

const expected = Number(values.objects);
const log = pino({ level: 'warn' }, pino.destination(2));
const metrics = createMetrics(new Registry());
const client = createClient({
  cluster: 'bench',
  source: await loadKubeconfig({ path: values.kubeconfig }),
  userAgent: 'ssvirt-bench',
  metrics,
  log,
});
const stop = new AbortController();
const informers = createInformers({ client, metrics, log });
const recorder = createRecorder({ client, component: 'bench', log, metrics });

if (values.slices) watchSlices(say);
const began = performance.now();
const informer: Informer<Projected> = values.whole
  ? informers.informer(type)
  : informers.informer(type, { projection: view });

const seen = new Set<string>();
let drained = expected === 0;
let handled = 0;
let goal = 0;
let goalBegan = 0;
const lastSent = new Map<string, string>();
let latencies: number[] = [];

function reconcile(request: Request): Promise<void> {
  const object = informer.get(request);
  if (object === undefined) return Promise.resolve();
  const key = keyOf(request);
  const sent = object.metadata.annotations?.['bench/sent'] ?? '';
  if (sent !== '' && lastSent.get(key) !== sent) {
    lastSent.set(key, sent);
    latencies.push(performance.timeOrigin + performance.now() - Number(sent) / 1000);
  }
  if (!drained) {
    seen.add(key);
    drained = seen.size === expected;
    if (drained) {
      seen.clear();
      say({ event: 'drained', ms: performance.now() - began });
    }
  }
  handled++;
  if (handled === goal) say({ event: 'flooded', ms: performance.now() - goalBegan });
  return Promise.resolve();
}

const controller = createController({
  name: 'bench',
  reconcile,
  concurrency: Number(values.workers),
  sources: () => [watches(informer, enqueueObject)],
  log,
  metrics,
});
controller.engage({ name: 'bench', client, informers, recorder, signal: stop.signal });
const running = controller.run({ signal: stop.signal });
void informer.synced().then(() => say({ event: 'synced', ms: performance.now() - began }));

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'flood') {
      const objects = informer.list();
      handled = 0;
      goal = objects.length;
      goalBegan = performance.now();
      for (const { metadata } of objects)
        controller.enqueue({ cluster: 'bench', name: metadata.name ?? '', ...named(metadata) });
    } else if (line === 'latencies') {
      say({ event: 'latencies', ms: latencies });
      latencies = [];
    }
  })
  .on('close', () => stop.abort());

function named({ namespace }: Pick<ObjectMeta, 'namespace'>): { namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

await running;
await client.close();
process.exit(0);
