/** Reports for each DataSource whether it can be used. */
import { isDeepStrictEqual } from 'node:util';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { dataSources } from '../kubevirt/objects.ts';
import type { World } from '../world.ts';
import { cdiCaches, type CdiCaches } from './caches.ts';
import { dataSourceStatus } from './data-source-status.ts';
import { volumeSnapshots } from './kinds.ts';
import { sourceOf } from './origin.ts';

/** Indexes DataSources by what they name: a PVC or another DataSource. */
const BY_NAMED = 'cdi/named';
const SNAPSHOT_MS = 10_000;

export function dataSourceController(world: World): Controller {
  const cluster = world.as('cdi-controller');
  const caches = cdiCaches(cluster);
  const naming = (kind: string, { metadata: { namespace = '', name = '' } }: KubeObject): readonly ObjectKey[] =>
    caches.dataSources.byIndex(BY_NAMED, `${kind}/${namespace}/${name}`).map(keyOfObject);
  caches.dataSources.addIndex(BY_NAMED, named);
  const controller = createController({
    name: 'data-source',
    concurrency: 4,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      watches(caches.dataSources, enqueueObject),
      watches(
        caches.dataSources,
        enqueueMapped((object) => naming('dataSource', object)),
      ),
      watches(
        caches.dataVolumes,
        enqueueMapped((object) => naming('pvc', object)),
        (change) => change.type !== 'updated' || change.before.status?.phase !== change.object.status?.phase,
      ),
      watches(
        caches.claims,
        enqueueMapped((object) => naming('pvc', object)),
        ({ type }) => type !== 'updated',
      ),
    ],
    reconcile: (key) => sync(world, cluster, caches, key),
  });
  controller.engage(cluster);
  return controller;
}

function named(dataSource: Unstructured): readonly string[] {
  const source = sourceOf(dataSource);
  return ['pvc', 'dataSource'].flatMap((kind) => {
    const one = objectAt(source, kind);
    const namespace = textAt(one, 'namespace') || (dataSource.metadata.namespace ?? '');
    return one === undefined ? [] : [`${kind}/${namespace}/${textAt(one, 'name')}`];
  });
}

async function sync(world: World, cluster: Cluster, caches: CdiCaches, key: ObjectKey): Promise<Result | void> {
  const dataSource = caches.dataSources.get(key);
  if (dataSource === undefined || dataSource.metadata.deletionTimestamp !== undefined) return;
  const snapshot = await snapshotOf(cluster, dataSource);
  const around = {
    phaseOf: (namespace: string, name: string) => {
      const found = caches.dataVolumes.get({ namespace, name });
      return found === undefined ? undefined : (found.status?.phase ?? '');
    },
    hasClaim: (namespace: string, name: string) => caches.claims.get({ namespace, name }) !== undefined,
    isSnapshotReady: () => snapshot,
    dataSource: (namespace: string, name: string) => caches.dataSources.get({ namespace, name }),
  };
  const status = dataSourceStatus(dataSource, around, new Date());
  if (!isDeepStrictEqual(dataSource['status'], status)) {
    const { uid } = dataSource.metadata;
    const body = { metadata: { uid }, status: { source: null, ...status } };
    await cluster.client.patch(dataSources, key, { type: 'merge', body }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
  // Snapshots are polled, because most clusters do not serve them and they cannot be watched.
  if (objectAt(sourceOf(dataSource), 'snapshot') !== undefined)
    return { requeueAfterMs: Math.max(1000, world.scaled(SNAPSHOT_MS)) };
}

async function snapshotOf({ client }: Cluster, dataSource: Unstructured): Promise<boolean | undefined> {
  const one = objectAt(sourceOf(dataSource), 'snapshot');
  if (one === undefined) return undefined;
  const namespace = textAt(one, 'namespace') || (dataSource.metadata.namespace ?? '');
  try {
    const found = await client.get(volumeSnapshots, { namespace, name: textAt(one, 'name') });
    const status = found['status'] as Json | undefined;
    return isObject(status) && status['readyToUse'] === true;
  } catch (error) {
    if (isKind(error, 'NotFound')) return undefined;
    throw error;
  }
}
