/** DataImportCrons: each imports its source once and keeps its DataSource pointed at that import. */
import { isDeepStrictEqual } from 'node:util';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey, Unstructured } from '@ssvirt/kube/object';
import { dataSources, dataVolumes } from '../../kubevirt/objects.ts';
import type { World } from '../../world.ts';
import { cdiCaches, type CdiCaches } from '../caches.ts';
import { cronStatus, CRON_LABEL, dataSourceOf, importName, importOf, managedDataSource } from './import-cron.ts';
import { dataImportCrons } from '../kinds.ts';

export function importCronController(world: World): Controller {
  const cluster = world.as('cdi-controller');
  const caches = cdiCaches(cluster);
  const crons = cluster.informers.informer(dataImportCrons);
  const controller = createController({
    name: 'data-import-cron',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      watches(crons, enqueueObject),
      watches(caches.dataVolumes, enqueueMapped(cronOf)),
      watches(caches.dataSources, enqueueMapped(cronOf)),
    ],
    async reconcile(key) {
      const cron = crons.get(key);
      if (cron !== undefined && cron.metadata.deletionTimestamp === undefined) await keep(cluster, caches, cron);
    },
  });
  controller.engage(cluster);
  return controller;
}

function cronOf({ metadata: { namespace = '', labels } }: KubeObject): readonly ObjectKey[] {
  const name = labels?.[CRON_LABEL];
  return name === undefined ? [] : [{ namespace, name }];
}

async function keep({ client }: Cluster, caches: CdiCaches, cron: Unstructured): Promise<void> {
  const { namespace = '', name = '', uid } = cron.metadata;
  const ignoringOthers = (error: unknown): void => {
    if (!isKind(error, 'AlreadyExists')) throw error;
  };
  const dataVolume = caches.dataVolumes.get({ namespace, name: importName(cron) });
  if (dataVolume === undefined) await client.create(dataVolumes, importOf(cron)).catch(ignoringOthers);
  const phase = dataVolume?.status?.phase;
  const wanted = dataSourceOf(cron, phase === 'Succeeded');
  const known = caches.dataSources.get({ namespace, name: managedDataSource(cron) });
  if (known === undefined) await client.create(dataSources, wanted).catch(ignoringOthers);
  else if (phase === 'Succeeded' && !isDeepStrictEqual(known['spec'], wanted['spec']))
    await client.patch(
      dataSources,
      { namespace, name: managedDataSource(cron) },
      { type: 'merge', body: { metadata: { uid: known.metadata.uid }, spec: wanted['spec'] } },
    );
  const status = cronStatus(cron, phase, new Date());
  if (isDeepStrictEqual(cron['status'], status)) return;
  await client.patch(dataImportCrons, { namespace, name }, { type: 'merge', body: { metadata: { uid }, status } });
}
