/** virt-controller's VMI controller: one sync acts on pods, and then writes the status once if it changed. */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOf, keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { KubeError, isKind } from '@ssvirt/kube/errors';
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import { jsonEqual, type Json } from '../../../values/json.ts';
import { now } from '../../../objects/kinds/values/fields.ts';
import type { World } from '../../world.ts';
import {
  pods,
  virtualMachineInstances,
  type Pod,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
} from '../objects.ts';
import { CLAIM_INDEX, CONTROLLER_INDEX, cachesOf, storageIn, type VmiCaches } from './caches.ts';
import { find, type VmiSyncError } from './conditions.ts';
import { Departed } from './departed.ts';
import { changesOf } from './handed-over.ts';
import { annotations, labels } from './names.ts';
import { currentPod, isTemporary } from './pods.ts';
import { unpausedCondition } from './ready.ts';
import { Retries, SHORTEST_RETRY_MS } from './retries.ts';
import { isHandedOver, type VmiScene } from './draft.ts';
import { decide } from './status.ts';
import { Sync } from './sync.ts';
import { dataVolumesOf } from './volumes.ts';

const WORKERS = 20;
/**
 * The pause between two writes: after a pod was deleted at once, both intermediate states of the VMI must be visible to
 * its watchers.
 */
const DEPARTURE_MS = 15;

export function vmiLifecycleController(world: World): Runnable {
  const around: Around = { world, departed: new Departed(), retries: new Retries() };
  const controller = createController({
    name: 'vmi',
    concurrency: WORKERS,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => sources(cachesOf(cluster), around.departed),
    reconcile: (request, context) => reconcile(around, request, context),
  });
  controller.engage(world.as('virt-controller'));
  return controller;
}

function sources(caches: VmiCaches, departed: Departed): readonly Source[] {
  const { vmis } = caches;
  const nobody = (): readonly ObjectKey[] => [];
  const usersOf = ({
    metadata,
  }: {
    readonly metadata: { readonly namespace?: string; readonly name?: string };
  }): readonly ObjectKey[] =>
    vmis.byIndex(CLAIM_INDEX, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`).map(keyOfObject);
  return [
    watches(vmis, (change, cluster) => {
      if (change.type === 'deleted') departed.forget(change.object.metadata.uid ?? '');
      return enqueueObject(change, cluster);
    }),
    watches(caches.pods, (change) => {
      const owner = ownerOf(change.object, caches);
      departed.note(change, (uid) => owner !== undefined && vmis.get(owner)?.metadata.uid === uid);
      return owner === undefined ? [] : [owner];
    }),
    watches(caches.dataVolumes, ({ object }) => usersOf(object)),
    watches(caches.claims, (change) => {
      if (change.type === 'deleted') return [];
      if (change.type === 'updated' && sameSize(change.before, change.object)) return [];
      const state = change.object.metadata.labels?.[labels.persistentStateFor];
      const { namespace = '' } = change.object.metadata;
      return state === undefined ? usersOf(change.object) : [{ namespace, name: state }];
    }),
    // These wake no VMI, but a pod must not be created before the caches know them. KubeVirt's own object may be
    // missing.
    watches(caches.vms, nobody),
    watches(caches.migrations, nobody),
    watches(caches.quotas, nobody),
    watches(caches.namespaces, nobody),
  ];
}

/** Returns the VMI of a launcher pod, or of the launcher that owns an attachment pod. */
function ownerOf(pod: Pod, caches: VmiCaches): ObjectKey | undefined {
  const { namespace = '' } = pod.metadata;
  let owner = controllerOf(pod);
  if (owner?.kind === 'Pod') {
    const launcher = caches.pods.get({ namespace, name: owner.name });
    owner = launcher === undefined ? undefined : controllerOf(launcher);
  }
  return owner?.kind === 'VirtualMachineInstance' ? { namespace, name: owner.name } : undefined;
}

function sameSize(before: PersistentVolumeClaim, after: PersistentVolumeClaim): boolean {
  return (
    jsonEqual(before.status?.['capacity'] as Json | undefined, after.status?.['capacity'] as Json | undefined) &&
    jsonEqual(before.spec['resources'], after.spec['resources'])
  );
}

interface Around {
  readonly world: World;
  readonly departed: Departed;
  readonly retries: Retries;
}

/** A failure is retried with growing pauses, and a conflict after a new read. Neither is logged. */
async function reconcile(around: Around, request: Request, context: ClusterContext): Promise<Result | void> {
  const { world, retries } = around;
  const key = keyOf(request);
  const again = (): Result => ({ requeueAfterMs: Math.max(SHORTEST_RETRY_MS, world.scaled(retries.next(key))) });
  const vmi = cachesOf(context.cluster).vmis.get(request);
  if (vmi === undefined) return retries.forget(key);
  try {
    const result = await bringFurther(around, vmi, context);
    if (result?.failed === true) return again();
    retries.forget(key);
    return result;
  } catch (error) {
    if (isKind(error, 'Conflict', 'NotFound')) return again();
    throw error;
  }
}

async function bringFurther(
  { world, departed }: Around,
  vmi: VirtualMachineInstance,
  { cluster, signal }: ClusterContext,
): Promise<(Result & { readonly failed?: boolean }) | undefined> {
  const caches = cachesOf(cluster);
  if (await observeVersion(cluster, vmi, signal)) return undefined;
  const { uid = '' } = vmi.metadata;
  const owned = caches.pods.byIndex(CONTROLLER_INDEX, uid);
  const missed = departed.of(uid).filter((pod) => owned.every(({ metadata }) => metadata.uid !== pod.metadata.uid));
  // The VMI may already show this state or a later one; then it is not written.
  const told = find(vmi.status?.conditions, 'Ready')?.reason;
  if (missed.length > 0 && told !== 'PodTerminating' && told !== 'PodNotExists') {
    await writeStatus(cluster, sceneOf(caches, vmi, [...owned, ...missed]), undefined, signal);
    departed.forget(uid);
    return { requeueAfterMs: world.scaled(DEPARTURE_MS) };
  }
  departed.forget(uid);
  const scene = sceneOf(caches, vmi, owned);
  const { pod, error } = await new Sync(cluster, caches, signal).run({
    vmi,
    pods: owned,
    pod: scene.pod,
    attachmentsOf: (launcher) => caches.pods.byIndex(CONTROLLER_INDEX, launcher.metadata.uid ?? ''),
    storage: storageIn(caches, vmi.metadata.namespace ?? ''),
  });
  const isNew = pod !== undefined && owned.every(({ metadata }) => metadata.uid !== pod.metadata.uid);
  await writeStatus(cluster, { ...scene, pods: isNew ? [...owned, pod] : owned, pod }, error, signal);
  return { failed: error?.retry === true };
}

/** The first write of all: it records in which API version the object is stored. */
async function observeVersion(cluster: Cluster, vmi: VirtualMachineInstance, signal: AbortSignal): Promise<boolean> {
  const { latestApiVersion, storageApiVersion } = annotations;
  const known = vmi.metadata.annotations ?? {};
  if (known[latestApiVersion] === 'v1' && known[storageApiVersion] === 'v1') return false;
  const metadata = { ...vmi.metadata, annotations: { ...known, [latestApiVersion]: 'v1', [storageApiVersion]: 'v1' } };
  await cluster.client.update(virtualMachineInstances, { ...vmi, metadata }, { signal });
  return true;
}

function sceneOf(caches: VmiCaches, vmi: VirtualMachineInstance, owned: readonly Pod[]): VmiScene {
  const { namespace = '' } = vmi.metadata;
  const pod = currentPod(vmi, owned);
  const storage = storageIn(caches, namespace);
  const owner = controllerOf(vmi);
  const vm = owner?.kind === 'VirtualMachine' ? caches.vms.get({ namespace, name: owner.name }) : undefined;
  const attached = pod === undefined ? [] : caches.pods.byIndex(CONTROLLER_INDEX, pod.metadata.uid ?? '');
  return {
    vmi,
    pods: owned,
    pod,
    attachments: attached.filter((attachment) => !isTemporary(attachment)),
    dataVolumes: dataVolumesOf(vmi, storage),
    claim: storage.claim,
    hasOwnerVm: vm !== undefined && vm.metadata.uid === owner?.uid,
    now: now(),
  };
}

async function writeStatus(
  cluster: Cluster,
  scene: VmiScene,
  error: VmiSyncError | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { vmi } = scene;
  if (scene.pod !== undefined && !isTemporary(scene.pod)) await tellPod(cluster, vmi, scene.pod, signal);
  const { vmi: next, events } = decide(scene, error);
  for (const { type, reason, message } of events) cluster.recorder.event(vmi, type, reason, message);
  if (isHandedOver(vmi)) {
    const operations = changesOf(vmi, next);
    if (operations.length === 0) return;
    await patchUnlessChanged(cluster, vmi, operations, signal);
  } else if (!isSame(vmi, next)) await cluster.client.update(virtualMachineInstances, next, { signal });
}

/** A failed test counts as a conflict. */
async function patchUnlessChanged(
  cluster: Cluster,
  vmi: VirtualMachineInstance,
  operations: readonly JsonPatchOperation[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await cluster.client.patch(virtualMachineInstances, keyOfObject(vmi), { type: 'json', operations }, { signal });
  } catch (error) {
    if (isKind(error, 'Invalid') && error.causes.length === 0)
      throw new KubeError('Conflict', 'the VMI has changed meanwhile', { cause: error });
    throw error;
  }
}

function isSame(before: VirtualMachineInstance, after: VirtualMachineInstance): boolean {
  return jsonEqual(comparable(before), comparable(after));
}

function comparable({ metadata, status }: VirtualMachineInstance): Json {
  return { status, finalizers: metadata.finalizers, labels: metadata.labels } as unknown as Json;
}

/** Writes the readiness gate and the labels that follow the VMI's. Skips a pod that is gone. */
async function tellPod(cluster: Cluster, vmi: VirtualMachineInstance, pod: Pod, signal: AbortSignal): Promise<void> {
  if (cachesOf(cluster).pods.get(keyOfObject(pod)) === undefined) return;
  const condition = unpausedCondition(vmi, pod, now());
  if (condition !== undefined) {
    const body = { status: { conditions: [condition] } };
    const options = { signal, subresource: 'status' };
    await cluster.client.patch(pods, keyOfObject(pod), { type: 'strategic', body }, options);
  }
  const node = vmi.metadata.labels?.[labels.nodeName];
  const outdated = vmi.metadata.labels?.[labels.outdatedImage];
  const known = pod.metadata.labels ?? {};
  if (known[labels.nodeName] === node && known[labels.outdatedImage] === outdated) return;
  const wanted = { [labels.nodeName]: node ?? null, [labels.outdatedImage]: outdated ?? null };
  await cluster.client.patch(
    pods,
    keyOfObject(pod),
    { type: 'merge', body: { metadata: { labels: wanted } } },
    { signal },
  );
}
