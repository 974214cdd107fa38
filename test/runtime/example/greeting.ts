/** A Greeting becomes a ConfigMap that says hello. */
import type { Logger } from 'pino';
import {
  Applier,
  childOf,
  type ClusterContext,
  type Controller,
  createController,
  deleteInOrder,
  type Doomed,
  enqueueObject,
  enqueueOwner,
  isControlledBy,
  keyOfObject,
  type Metrics,
  perCluster,
  reconcileObject,
  type Request,
  type Result,
  type Step,
  watches,
  withController,
} from '@ssvirt/kube';
import { configMaps, greetings, type ConfigMap, type Greeting } from './kinds.ts';

const manager = 'greeting-controller';
const applier = new Applier({ fieldManager: manager });

/** The caches that it reads. Of the ConfigMaps, only those that it made are kept in memory. */
const caches = perCluster(({ informers }) => ({
  greetings: informers.informer(greetings),
  configMaps: informers.informer(configMaps, {
    labelSelector: `app.kubernetes.io/managed-by=${manager}`,
    projection: childOf<ConfigMap>(manager),
  }),
}));

export function greetingController(instruments: { readonly log: Logger; readonly metrics: Metrics }): Controller {
  return createController({
    ...instruments,
    name: 'greeting',
    concurrency: 4,
    // What happens to a Greeting, or to the ConfigMap of one, puts the Greeting's key into the queue.
    sources: (cluster) => [
      watches(caches(cluster).greetings, enqueueObject),
      watches(caches(cluster).configMaps, enqueueOwner(greetings, { controllerOnly: true })),
    ],
    reconcile,
  });
}

/** Called with a key until it succeeds. It reads the world and writes the difference: twice is once. */
function reconcile(key: Request, context: ClusterContext): Promise<Result | void> {
  const { client } = context.cluster;
  const cache = caches(context.cluster);
  const left = (): readonly Doomed[] => {
    const object = cache.configMaps.get(key);
    return object === undefined ? [] : [{ type: configMaps, object }];
  };
  return reconcileObject<Greeting>(
    {
      client,
      type: greetings,
      get: () => cache.greetings.get(key),
      paused: ({ metadata }) => metadata.annotations?.['example.ssvirt.io/paused'],
      finalizer: 'example.ssvirt.io/greeting',
      steps: [sayHello(context)],
      remove: ({ signal }) => deleteInOrder(client, [{ name: 'the config map', left }], { signal }),
    },
    context,
  );
}

function sayHello({ cluster }: ClusterContext): Step<Greeting> {
  return {
    name: 'say hello',
    async run({ object, report, signal }) {
      const key = keyOfObject(object);
      const text = `Hello, ${object.spec.to}!`;
      // What the cache has is read first: a write on a state that has changed since is refused.
      const live = caches(cluster).configMaps.get(key);
      const mayTake = (found: ConfigMap): boolean => isControlledBy(found, object);
      const desired = withController(
        { metadata: { ...key, labels: { 'app.kubernetes.io/managed-by': manager } }, data: { text } },
        { cluster: cluster.name, type: configMaps },
        { cluster: cluster.name, type: greetings, object },
      );
      const { outcome } = await applier.apply(cluster.client, { type: configMaps, desired, live, mayTake }, { signal });
      if (outcome === 'deleting') return { reason: 'Replacing', message: 'the old config map is not gone yet' };
      if (outcome === 'applied') cluster.recorder.event(object, 'Normal', 'Greeted', `It says "${text}"`);
      report({ text });
      return undefined;
    },
  };
}
