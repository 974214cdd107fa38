/**
 * virt-controller's evacuation controller: migrates VMIs that were evicted or whose node is drained, a few at a time.
 */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { ObjectKey } from '@ssvirt/kube/object';
import type { World } from '../../world.ts';
import { serverWords } from '../../server-words.ts';
import { configOf } from '../admission/cluster-config.ts';
import { virtualMachineInstanceMigrations, type VirtualMachineInstance } from '../objects.ts';
import {
  activePods,
  cachesOf,
  configurationIn,
  evacuated,
  evacuatedNode,
  migrationsOf,
  unfinished,
  vmiOf,
  vmisOn,
  type MigrationCaches,
} from './caches.ts';
import { departures, evacuationOf, isDrained, isToLeave } from './evacuation.ts';
import { reasons } from './names.ts';
import { leaves } from './slots.ts';
import { hasTarget, isFinal } from './state.ts';

const FULL_MS = 5000;
const STUCK_MS = 60_000;

export function evacuationController(world: World): Runnable {
  const controller = createController({
    name: 'vmi-evacuation',
    // Two nodes at a time would both count the same free slots.
    concurrency: 1,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => sources(cachesOf(cluster)),
    reconcile: (request, context) => reconcile(world, request, context),
  });
  controller.engage(world.as('virt-controller', { events: 'evacuation-controller' }));
  return controller;
}

function sources(caches: MigrationCaches): readonly Source[] {
  /** Most VMIs stay where they are: a change of them does not wake their node. */
  const nodeLeftBy = (vmi: VirtualMachineInstance | undefined): readonly ObjectKey[] => {
    const name = vmi?.status?.nodeName ?? '';
    const node = name === '' ? undefined : caches.nodes.get({ name });
    if (vmi === undefined || node === undefined) return [];
    const asked = evacuatedNode(vmi) !== '' || isDrained(node, () => configurationIn(caches).drainTaint);
    return asked ? [{ name }] : [];
  };
  return [
    watches(caches.nodes, enqueueObject),
    watches(caches.vmis, ({ object }) => nodeLeftBy(object)),
    watches(caches.migrations, ({ object }) => nodeLeftBy(vmiOf(caches, object))),
    watches(caches.pods, () => []),
  ];
}

async function reconcile(world: World, { name }: Request, { cluster, signal }: ClusterContext): Promise<Result | void> {
  const caches = cachesOf(cluster);
  const node = caches.nodes.get({ name });
  if (node === undefined) return;
  const configuration = configurationIn(caches);
  const vmis = isDrained(node, () => configuration.drainTaint)
    ? vmisOn(caches, name)
    : evacuated(caches, name).filter(isToLeave);
  if (vmis.length === 0) return;
  const { movable, stuck } = departures({
    vmis,
    evictionStrategy: configOf(caches.kubeVirts.list()[0]).evictionStrategy,
    hasMigration: (vmi) => migrationsOf(caches, vmi).some((migration) => !isFinal(migration)),
    activePods: (vmi) => activePods(caches, vmi),
  });
  if (movable.length === 0 && stuck.length === 0) return;
  const running = unfinished(caches).filter(hasTarget);
  const leaving = running.filter((migration) => leaves(vmiOf(caches, migration), name));
  const room = Math.min(configuration.perCluster - running.length, configuration.perNode - leaving.length);
  if (room <= 0) return { requeueAfterMs: world.scaled(FULL_MS) };
  const warned = stuck.slice(0, Math.max(0, room - movable.length));
  for (const vmi of warned)
    cluster.recorder.event(vmi, 'Normal', reasons.notCreated, 'VirtualMachineInstance is not migrateable');
  if (movable.length > 0) {
    await evacuateSome(cluster, movable, room, name, signal);
    return movable.length > room ? { requeueAfterMs: world.scaled(FULL_MS) } : undefined;
  }
  return warned.length > 0 ? { requeueAfterMs: world.scaled(STUCK_MS) } : undefined;
}

/**
 * Migrates as many as there are free slots. If one is refused, for example by the quota of its namespace, the others
 * continue, and it is retried.
 */
async function evacuateSome(
  cluster: Cluster,
  movable: readonly VirtualMachineInstance[],
  room: number,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  const refusals: unknown[] = [];
  let made = 0;
  for (const vmi of movable) {
    if (made === room) break;
    try {
      await evacuate(cluster, vmi, node, signal);
      made++;
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw refusals[0];
}

async function evacuate(
  { client, recorder }: Cluster,
  vmi: VirtualMachineInstance,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { metadata } = await client.create(virtualMachineInstanceMigrations, evacuationOf(vmi, node), { signal });
    recorder.event(vmi, 'Normal', reasons.created, `Created Migration ${metadata.name ?? ''}`);
  } catch (error) {
    if (isKind(error, 'Aborted')) throw error;
    recorder.event(vmi, 'Warning', reasons.notCreated, `Error creating a Migration: ${serverWords(error)}`);
    throw error;
  }
}
