/** Controllers with real caches, on a server. */
import assert from 'node:assert/strict';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Informer } from '../../../packages/kube/src/informer/informer.ts';
import type { Cluster } from '../../../packages/kube/src/cluster.ts';
import { connectCluster, type ConnectedCluster } from '../../../packages/kube/src/connect-cluster.ts';
import {
  createController,
  type Controller,
  type ControllerOptions,
} from '../../../packages/kube/src/controller/controller.ts';
import { enqueueMapped, enqueueObject, enqueueOwner } from '../../../packages/kube/src/controller/handlers.ts';
import { generationChanged } from '../../../packages/kube/src/controller/predicates.ts';
import { watches } from '../../../packages/kube/src/controller/sources.ts';
import { createMetrics, type Metrics } from '../../../packages/kube/src/metrics/metrics.ts';
import type { KubeObject, OwnerReference } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';
import { widget, widgetDefinition, widgets } from '../widget.ts';

const configMaps: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

/** Short pauses for tests. */
const reflector = { backoff: { initialMs: 20, factor: 2, maxMs: 200, jitter: 1 } };

interface Stage {
  readonly namespace: string;
  readonly metrics: Metrics;
  readonly lines: readonly string[];
  connect(name: string, proxy?: FaultProxy): ConnectedCluster;
  start(controller: Controller): void;
  run(controller: Controller): Promise<void>;
  controller(options: Partial<ControllerOptions> & Pick<ControllerOptions, 'sources'>): Controller;
  /** `cluster/name` of every reconcile, in order. */
  readonly seen: string[];
}

/** Everything that a case starts ends with it. */
async function onStage(harness: Harness, play: (stage: Stage) => Promise<void>): Promise<void> {
  const namespace = await harness.namespace('controller');
  const metrics = createMetrics(new Registry());
  const lines: string[] = [];
  const log: Logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const clusters: ConnectedCluster[] = [];
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const seen: string[] = [];
  try {
    await play({
      namespace,
      metrics,
      lines,
      seen,
      connect(name, proxy) {
        const source = harness.credential(proxy);
        clusters.push(connectCluster({ name, source, component: 'test', log, metrics, reflector }));
        return clusters.at(-1) as ConnectedCluster;
      },
      run: (controller) => controller.run({ signal: stop.signal }),
      start(controller) {
        const run = controller.run({ signal: stop.signal });
        running.push(run.catch((error: unknown) => void lines.push(String(error))));
      },
      controller: (options) =>
        createController({
          name: 'widget',
          reconcile: ({ cluster, name }) => {
            seen.push(`${cluster}/${name}`);
            return Promise.resolve();
          },
          log,
          metrics,
          ...options,
        }),
    });
  } finally {
    stop.abort();
    await Promise.allSettled(running);
    for (const cluster of clusters) await cluster.close();
  }
}

function controllerCase(
  id: string,
  name: string,
  play: (harness: Harness, stage: Stage) => Promise<void>,
): RuntimeCase {
  return { id, name, run: (harness) => onStage(harness, (stage) => play(harness, stage)) };
}

async function resize({ direct }: Harness, namespace: string, name: string, size: number): Promise<void> {
  await direct.patch(widgets, { namespace, name }, { type: 'merge', body: { spec: { size } } });
}

async function depth(metrics: Metrics, priority: string): Promise<number> {
  const { values } = await metrics.queue.depth.get();
  return values.find(({ labels }) => labels.priority === priority)?.value ?? 0;
}

export const controllerCases: readonly RuntimeCase[] = [
  controllerCase('Q5', 'a live change overtakes the first list', async (harness, stage) => {
    const { namespace, metrics, seen } = stage;
    for (const name of ['a', 'b', 'c']) await harness.direct.create(widgets, widget(namespace, name));
    const cluster = stage.connect('one');
    const informer = cluster.informers.informer(widgets, { namespaces: [namespace] });
    const gate = Promise.withResolvers<void>();
    const controller = stage.controller({
      sources: () => [watches(informer, enqueueObject)],
      async reconcile({ cluster, name }) {
        seen.push(`${cluster}/${name}`);
        // The first one occupies the only worker while the others wait.
        if (seen.length === 1) await gate.promise;
      },
    });
    controller.engage(cluster);
    stage.start(controller);
    await until('the first list is in the queue', async () => (await depth(metrics, '-100')) === 2);
    const waiting = ['a', 'b', 'c'].filter((name) => seen[0] !== `one/${name}`);
    const [next = '', last = ''] = waiting;
    await resize(harness, namespace, last, 5);
    await until('the change is in the queue', async () => (await depth(metrics, '0')) === 1);
    gate.resolve();
    await until('all are reconciled', () => seen.length === 3);
    assert.deepEqual(seen.slice(1), [`one/${last}`, `one/${next}`]);
  }),

  controllerCase('Q2', 'hundreds of updates of a key are seen in order, one at a time', async (harness, stage) => {
    const { namespace } = stage;
    await harness.direct.create(widgets, widget(namespace, 'busy', { size: 0 }));
    const cluster = stage.connect('one');
    const informer = cluster.informers.informer(widgets, { namespaces: [namespace] });
    const sizes: number[] = [];
    let active = 0;
    let most = 0;
    const controller = stage.controller({
      concurrency: 8,
      sources: () => [watches(informer, enqueueObject)],
      async reconcile(key) {
        most = Math.max(most, ++active);
        sizes.push(informer.get({ namespace, name: key.name })?.spec?.size ?? NaN);
        await cluster.client.get(widgets, { namespace, name: key.name });
        active--;
      },
    });
    controller.engage(cluster);
    stage.start(controller);
    for (let size = 1; size <= 200; size++) await resize(harness, namespace, 'busy', size);
    await until('the last is seen', () => sizes.at(-1) === 200);
    assert.equal(most, 1);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
  }),

  controllerCase('P1', 'a change of status alone passes no generationChanged', async (harness, stage) => {
    const { namespace, seen } = stage;
    const cluster = stage.connect('one');
    const informer = cluster.informers.informer(widgets, { namespaces: [namespace] });
    const controller = stage.controller({ sources: () => [watches(informer, enqueueObject, generationChanged)] });
    controller.engage(cluster);
    stage.start(controller);
    const key = { namespace, name: 'x' };
    await harness.direct.create(widgets, widget(namespace, 'x', { size: 1 }));
    await until('it is there', () => seen.length === 1);
    const body = { status: { seen: 1 } };
    await harness.direct.patch(widgets, key, { type: 'merge', body }, { subresource: 'status' });
    await until('the status is in the cache', () => informer.get(key)?.status?.seen === 1);
    await resize(harness, namespace, 'x', 2);
    await until('the change of the spec is seen', () => seen.length === 2);
    await harness.direct.delete(widgets, key);
    await until('the deletion is seen', () => seen.length === 3);
    assert.equal(informer.get(key), undefined, 'the cache knows before the reconciler does');
  }),

  controllerCase('P2', 'a child that changes hands concerns the old owner and the new', async (harness, stage) => {
    const { namespace, seen } = stage;
    const owners: OwnerReference[] = [];
    for (const name of ['old', 'new']) {
      const { metadata } = await harness.direct.create(widgets, widget(namespace, name));
      owners.push({ apiVersion: 'test.ssvirt.io/v1', kind: 'Widget', name, uid: metadata.uid ?? '', controller: true });
    }
    const cluster = stage.connect('one');
    const informer = cluster.informers.informer(configMaps, { namespaces: [namespace] });
    const controller = stage.controller({
      sources: () => [watches(informer, enqueueOwner(widgets, { controllerOnly: true }))],
    });
    controller.engage(cluster);
    stage.start(controller);
    const child = { metadata: { namespace, name: 'child', ownerReferences: owners.slice(0, 1) } };
    await harness.direct.create(configMaps, child);
    await until('the first owner is told', () => seen.length === 1);
    const body = { metadata: { ownerReferences: owners.slice(1) } };
    await harness.direct.patch(configMaps, child.metadata, { type: 'merge', body });
    await until('both are told', () => seen.length === 3);
    assert.deepEqual(seen, ['one/old', 'one/old', 'one/new']);
  }),

  controllerCase(
    'P2',
    'code that throws on a change is logged, and the next change comes through',
    async (harness, stage) => {
      const { namespace, seen, lines } = stage;
      const cluster = stage.connect('one');
      const informer = cluster.informers.informer(widgets, { namespaces: [namespace] });
      const map = enqueueMapped<KubeObject>(({ metadata }) => {
        if (metadata.name === 'unmappable') throw new Error('cannot map it');
        return [{ namespace, name: metadata.name ?? '' }];
      });
      const picky = (): boolean => {
        throw new Error('cannot tell');
      };
      const controller = stage.controller({ sources: () => [watches(informer, map, picky)] });
      controller.engage(cluster);
      stage.start(controller);
      await harness.direct.create(widgets, widget(namespace, 'unmappable'));
      await harness.direct.create(widgets, widget(namespace, 'fine'));
      await until('the second is reconciled', () => seen.includes('one/fine'));
      assert.deepEqual(seen, ['one/fine']);
      assert.ok(lines.some((line) => line.includes('cannot map a change to requests') && line.includes('unmappable')));
      assert.ok(lines.some((line) => line.includes('predicate failed')));
    },
  ),

  controllerCase('C1', 'a cluster that left and came back delivers everything again', async (harness, stage) => {
    const { namespace, seen } = stage;
    await harness.direct.create(widgets, widget(namespace, 'x'));
    const controller = stage.controller({
      sources: ({ informers }) => [watches(informers.informer(widgets, { namespaces: [namespace] }), enqueueObject)],
    });
    stage.start(controller);
    const first = stage.connect('one');
    controller.engage(first);
    controller.engage(first);
    await until('it is reconciled', () => seen.length === 1);
    await first.close();
    await harness.direct.create(widgets, widget(namespace, 'y'));
    assert.deepEqual(controller.health().sources, []);
    controller.engage(stage.connect('one'));
    await until('both are reconciled', () => seen.length === 3);
    assert.deepEqual(new Set(seen.slice(1)), new Set(['one/x', 'one/y']));
  }),

  controllerCase(
    'C3',
    'a cluster that cannot be reached costs the others nothing, and is served once it can',
    async (harness, stage) => {
      const { namespace, seen, lines } = stage;
      await harness.direct.create(widgets, widget(namespace, 'x'));
      const proxy = await harness.newProxy();
      await proxy.refuse();
      const controller = stage.controller({
        sources: ({ informers }) => [watches(informers.informer(widgets, { namespaces: [namespace] }), enqueueObject)],
        onSyncTimeout: 'wait',
        cacheSyncTimeoutMs: 300,
      });
      stage.start(controller);
      controller.engage(stage.connect('away', proxy));
      controller.engage(stage.connect('here'));
      await until('the one that is there is served', () => seen.length > 0);
      await until('the other is reported', () => lines.some((line) => line.includes('sources not synced')));
      assert.deepEqual(seen, ['here/x']);
      await proxy.accept();
      await until('the other is served, too', () => seen.length === 2);
      assert.deepEqual(seen, ['here/x', 'away/x']);
    },
  ),

  controllerCase(
    'Q9',
    'a kind that is not served ends the controller by its name, or is waited for',
    async (harness, stage) => {
      const { namespace, seen, lines } = stage;
      const gadgets: ResourceType<KubeObject> = {
        ...widgets,
        plural: 'gadgets',
        kind: 'Gadget',
        group: 'later.ssvirt.io',
      };
      const informerOf = ({ informers }: Cluster): Informer<KubeObject> =>
        informers.informer(gadgets, { namespaces: [namespace] });
      const sources: ControllerOptions['sources'] = (cluster) => [watches(informerOf(cluster), enqueueObject)];
      /**
       * The informer learns of the absence before the controller waits for it, so the answer takes no part of the
       * controller's timeout.
       */
      const knownAbsent = async (name: string): Promise<ConnectedCluster> => {
        const cluster = stage.connect(name);
        const informer = informerOf(cluster);
        await until('it is known to be absent', () => informer.health().trouble === 'absent');
        return cluster;
      };
      const strict = stage.controller({ name: 'strict', sources, cacheSyncTimeoutMs: 500 });
      strict.engage(await knownAbsent('one'));
      await assert.rejects(
        stage.run(strict),
        /controller "strict" in cluster "one" within 0\.5 s: gadgets\.later\.ssvirt\.io \(absent\)/,
      );

      const patient = stage.controller({ sources, cacheSyncTimeoutMs: 500, onSyncTimeout: 'wait-if-absent' });
      patient.engage(await knownAbsent('two'));
      stage.start(patient);
      await until('it waits', () => lines.some((line) => line.includes('sources not synced, cluster waits')));
      assert.equal(patient.health().sources[0]?.trouble, 'absent');
      const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
      const body = {
        ...widgetDefinition,
        metadata: { name: 'gadgets.later.ssvirt.io' },
        spec: { ...widgetDefinition.spec, group: gadgets.group, names },
      };
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      assert.equal((await harness.http.send({ method: 'POST', path, body })).status, 201);
      await until('it can be made', async () => {
        await harness.direct.create(gadgets, { metadata: { namespace, name: 'g' } });
        return true;
      });
      await until('it is reconciled', () => seen.length === 1);
    },
  ),
];
