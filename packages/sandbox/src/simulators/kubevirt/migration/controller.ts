/**
 * virt-controller's migration controller: one sync acts on pods and the VMI, and then writes the status once if it
 * changed.
 */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOf, keyOfObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import { jsonEqual, type Json } from '../../../values/json.ts';
import { now } from '../../../objects/kinds/values/fields.ts';
import type { World } from '../../world.ts';
import {
  pods,
  virtualMachineInstanceMigrations,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { hotplugVolumes } from '../vmi/hotplug.ts';
import { annotations as versions } from '../vmi/names.ts';
import { currentPod, isTemporary } from '../vmi/pods.ts';
import { Retries, SHORTEST_RETRY_MS } from '../vmi/retries.ts';
import { cachesOf, migrationsOf, podsOf, targetOf, vmiOf, type MigrationCaches } from './caches.ts';
import { decide, type MigrationScene } from './decide.ts';
import { FINALIZER, REJECTED_BY_QUOTA, annotations, labels } from './names.ts';
import { Slots } from './slots.ts';
import { isDeleting, isFinal, stateOf } from './state.ts';
import { MigrationSync } from './sync.ts';

/** How many finished migrations of a VMI are kept. */
const KEPT = 5;

interface Around {
  readonly world: World;
  readonly retries: Retries;
  readonly slots: Slots;
}

export function liveMigrationController(world: World): Runnable {
  const around: Around = { world, retries: new Retries(), slots: new Slots() };
  const controller = createController({
    name: 'vmi-migration',
    concurrency: 10,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => sources(cachesOf(cluster)),
    reconcile: (request, context) => reconcile(around, request, context),
  });
  controller.engage(world.as('virt-controller'));
  return controller;
}

function sources(caches: MigrationCaches): readonly Source[] {
  const nobody = (): readonly ObjectKey[] => [];
  return [
    watches(caches.migrations, enqueueObject),
    watches(caches.vmis, ({ object }) => migrationsOf(caches, object).map(keyOfObject)),
    watches(
      caches.pods,
      enqueueMapped((pod) => jobOf(pod)),
    ),
    watches(caches.quotas, (change) => (change.type === 'created' ? [] : refusedIn(caches, change.object))),
    // These wake no migration, but a pod must not be created before the caches know them.
    watches(caches.claims, nobody),
    watches(caches.nodes, nobody),
    watches(caches.namespaces, nobody),
  ];
}

function jobOf({ metadata }: Pod): readonly ObjectKey[] {
  const name = metadata.annotations?.[annotations.jobName];
  if (name === undefined || metadata.labels?.[labels.job] === undefined) return [];
  return [{ namespace: metadata.namespace ?? '', name }];
}

/** Migrations that wait for room in a quota. */
function refusedIn(caches: MigrationCaches, { metadata }: Unstructured): readonly ObjectKey[] {
  const there = caches.migrations.list(metadata.namespace);
  return there.filter(({ status }) => has(status?.conditions, REJECTED_BY_QUOTA)).map(keyOfObject);
}

/** A failure is retried with growing pauses, and a conflict after a new read. Neither is logged. */
async function reconcile(around: Around, request: Request, context: ClusterContext): Promise<Result | void> {
  const { world, retries } = around;
  const key = keyOf(request);
  const again = (): Result => ({ requeueAfterMs: Math.max(SHORTEST_RETRY_MS, world.scaled(retries.next(key))) });
  const migration = cachesOf(context.cluster).migrations.get(request);
  if (migration === undefined) return retries.forget(key);
  try {
    const result = await bringFurther(around, migration, context);
    if (result?.failed === true) return again();
    retries.forget(key);
    return result;
  } catch (error) {
    if (isKind(error, 'Conflict', 'NotFound')) return again();
    throw error;
  }
}

async function bringFurther(
  { world, slots }: Around,
  migration: VirtualMachineInstanceMigration,
  { cluster, signal }: ClusterContext,
): Promise<(Result & { readonly failed?: boolean }) | undefined> {
  const caches = cachesOf(cluster);
  if (await observeVersion(cluster, migration, signal)) return undefined;
  const vmi = vmiOf(caches, migration);
  if (vmi === undefined) {
    await dropOrphan(cluster, migration, signal);
    return undefined;
  }
  const scene = sceneOf(caches, migration, vmi);
  const { error, againAfterMs } = await new MigrationSync(world, cluster, caches, slots, signal).run(scene);
  await writeStatus(cluster, { ...scene, error }, signal);
  if (error !== undefined) return { failed: true };
  if (isFinal(migration)) await collectGarbage(cluster, caches, vmi, signal);
  return againAfterMs === undefined ? undefined : { requeueAfterMs: Math.max(1, world.scaled(againAfterMs)) };
}

/** The first write of all: it records in which API version the object is stored. */
async function observeVersion(
  cluster: Cluster,
  migration: VirtualMachineInstanceMigration,
  signal: AbortSignal,
): Promise<boolean> {
  const { latestApiVersion, storageApiVersion } = versions;
  const known = migration.metadata.annotations ?? {};
  if (known[latestApiVersion] === 'v1' && known[storageApiVersion] === 'v1') return false;
  const metadata = {
    ...migration.metadata,
    labels: { [labels.vmi]: migration.spec?.vmiName ?? '', ...migration.metadata.labels },
    annotations: { ...known, [latestApiVersion]: 'v1', [storageApiVersion]: 'v1' },
  };
  await cluster.client.update(virtualMachineInstanceMigrations, { ...migration, metadata }, { signal });
  return true;
}

/** Removes a migration whose VMI is gone. The finalizer must be removed too, because no other component does it. */
async function dropOrphan(
  { client }: Cluster,
  migration: VirtualMachineInstanceMigration,
  signal: AbortSignal,
): Promise<void> {
  const { metadata } = migration;
  if (!isDeleting(migration)) {
    const { uid } = metadata;
    await client.delete(virtualMachineInstanceMigrations, keyOfObject(migration), {
      signal,
      ...(uid === undefined ? {} : { uid }),
    });
  } else if (metadata.finalizers?.includes(FINALIZER) === true) {
    const finalizers = metadata.finalizers.filter((finalizer) => finalizer !== FINALIZER);
    const next = { ...migration, metadata: { ...metadata, finalizers } };
    await client.update(virtualMachineInstanceMigrations, next, { signal });
  }
}

function sceneOf(
  caches: MigrationCaches,
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
): MigrationScene {
  const owned = podsOf(caches, vmi);
  const target = targetOf(caches, migration, vmi);
  const source = currentPod(vmi, owned);
  const taken = stateOf(vmi)?.migrationUid ?? '';
  return {
    migration,
    vmi,
    target,
    source,
    needsAttachment: source !== undefined && hotplugVolumes(vmi, source).length > 0,
    attachment: target === undefined ? undefined : podsOf(caches, target).find((pod) => !isTemporary(pod)),
    isTaken:
      taken !== '' &&
      taken !== migration.metadata.uid &&
      migrationsOf(caches, vmi).some((other) => other.metadata.uid === taken && !isFinal(other)),
    error: undefined,
    now: now(),
  };
}

async function writeStatus(cluster: Cluster, scene: MigrationScene, signal: AbortSignal): Promise<void> {
  const { migration, target } = scene;
  const { status, finalizers, events, targetReadySince } = decide(scene);
  for (const { type, reason, message } of events) cluster.recorder.event(migration, type, reason, message);
  if (target !== undefined && targetReadySince !== undefined)
    await markTargetReady(cluster, target, targetReadySince, signal);
  let current = migration;
  if (!jsonEqual((migration.status ?? {}) as Json, status as Json)) {
    const options = { subresource: 'status', signal };
    current = await cluster.client.update(virtualMachineInstanceMigrations, { ...migration, status }, options);
  }
  if (finalizers.length === (migration.metadata.finalizers ?? []).length) return;
  const metadata = { ...current.metadata, finalizers };
  await cluster.client.update(virtualMachineInstanceMigrations, { ...current, metadata }, { signal });
}

/** The format in which Go prints a time. */
async function markTargetReady({ client }: Cluster, target: Pod, since: string, signal: AbortSignal): Promise<void> {
  const value = `${since.slice(0, 10)} ${since.slice(11, 19)} +0000 UTC`;
  const body = { metadata: { annotations: { [annotations.targetReady]: value } } };
  await client.patch(pods, keyOfObject(target), { type: 'merge', body }, { signal });
}

async function collectGarbage(
  { client }: Cluster,
  caches: MigrationCaches,
  vmi: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<void> {
  const over = migrationsOf(caches, vmi)
    .filter((migration) => isFinal(migration) && !isDeleting(migration))
    .toSorted((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  for (const old of over.slice(0, Math.max(0, over.length - KEPT))) {
    try {
      const { uid } = old.metadata;
      const options = uid === undefined ? { signal } : { signal, uid };
      await client.delete(virtualMachineInstanceMigrations, keyOfObject(old), options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
