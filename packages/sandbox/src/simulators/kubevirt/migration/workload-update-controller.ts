/**
 * virt-controller's workload updater, as far as VMs that grow while they run need it: if KubeVirt is configured so, it
 * migrates them, and the new size takes effect on the target.
 */
import { createController } from '@ssvirt/kube/controller/controller';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { serverWords } from '../../server-words.ts';
import type { World } from '../../world.ts';
import { virtualMachineInstanceMigrations, type VirtualMachineInstance } from '../objects.ts';
import { cachesOf, configurationIn, migrationsOf, unfinished, type MigrationCaches } from './caches.ts';
import { reasons } from './names.ts';
import { hasTarget, isFinal } from './state.ts';
import { isToMove, movesWorkloads, workloadUpdateOf } from './workload-update.ts';

/** The pause after a round: failed VMIs, and those for which there was no slot, are not retried at once. */
const PAUSE_MS = 5000;

export function workloadUpdateController(world: World): Runnable {
  const round = { endedAt: -Infinity };
  const controller = createController({
    name: 'workload-update',
    // There is one KubeVirt object; two rounds at a time would both count the same free slots.
    concurrency: 1,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => sources(cachesOf(cluster)),
    reconcile: (_, context) => reconcile(world, round, context),
  });
  controller.engage(world.as('virt-controller', { events: 'workload-update-controller' }));
  return controller;
}

function sources(caches: MigrationCaches): readonly Source[] {
  const all = (): readonly ObjectKey[] => caches.kubeVirts.list().map(keyOfObject);
  return [
    watches(caches.kubeVirts, all),
    watches(caches.vmis, ({ object }) => (isToMove(object) ? all() : [])),
    watches(caches.migrations, () => []),
  ];
}

async function reconcile(
  world: World,
  round: { endedAt: number },
  { cluster, signal }: ClusterContext,
): Promise<Result | void> {
  const caches = cachesOf(cluster);
  if (!movesWorkloads(caches.kubeVirts.list()[0])) return;
  const waiting = caches.vmis
    .list()
    .filter((vmi) => isToMove(vmi) && migrationsOf(caches, vmi).every((migration) => isFinal(migration)));
  if (waiting.length === 0) return;
  const leftMs = round.endedAt + world.scaled(PAUSE_MS) - performance.now();
  if (leftMs > 0) return { requeueAfterMs: Math.ceil(leftMs) };
  const room = Math.max(0, configurationIn(caches).perCluster - unfinished(caches).filter(hasTarget).length);
  try {
    for (const vmi of waiting.slice(0, room)) await move(cluster, vmi, signal);
  } finally {
    round.endedAt = performance.now();
  }
  // If a migration just created fails, its VMI is still waiting and the next round retries it.
  return { requeueAfterMs: Math.max(1, world.scaled(PAUSE_MS)) };
}

async function move({ client, recorder }: Cluster, vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void> {
  const why = 'for automated workload update';
  try {
    const { metadata } = await client.create(virtualMachineInstanceMigrations, workloadUpdateOf(vmi), { signal });
    recorder.event(vmi, 'Normal', reasons.created, `Created Migration ${metadata.name ?? ''} ${why}`);
  } catch (error) {
    if (!isKind(error, 'Aborted'))
      recorder.event(vmi, 'Warning', reasons.notCreated, `Error creating a Migration ${why}: ${serverWords(error)}`);
    throw error;
  }
}
