/** virt-controller's snapshot controller: it locks the VM, stores its content and unlocks the VM. */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { isNotFound } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { now } from '../../../objects/kinds/values/fields.ts';
import type { World } from '../../world.ts';
import { virtualMachines, type VirtualMachine } from '../objects.ts';
import { quietRetries } from '../quiet-retries.ts';
import { VM_INDEX, cachesOf, type SnapshotCaches } from './caches.ts';
import {
  contents,
  finalizers,
  snapshots,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
} from './kinds.ts';
import { contentName, contentOf, inProgress, isLocked, obstacleTo } from './source.ts';
import { deadlineMs, isInProgress, snapshotStatus } from './status.ts';
import { patchStatus, putStatus, withFinalizer, withoutFinalizer } from './writes.ts';

const RETRY_MS = 5000;

export function vmSnapshotController(world: World): Runnable {
  const controller = createController({
    name: 'vm-snapshot',
    concurrency: 4,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => sources(cachesOf(cluster)),
    reconcile: quietRetries(world, (request, context) => reconcile(world, request, context)),
  });
  controller.engage(world.as('virt-controller', { events: 'snapshot-controller' }));
  return controller;
}

function sources(caches: SnapshotCaches): readonly Source[] {
  const ofVm = ({ metadata }: { readonly metadata: ObjectKey | VirtualMachine['metadata'] }): readonly ObjectKey[] =>
    caches.snapshots.byIndex(VM_INDEX, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`).map(keyOfObject);
  return [
    watches(caches.snapshots, enqueueObject),
    watches(caches.contents, ({ object: { metadata, spec } }) => [
      { namespace: metadata.namespace ?? '', name: spec.virtualMachineSnapshotName ?? '' },
    ]),
    watches(caches.vms, ({ object }) => ofVm(object)),
    watches(caches.vmis, () => []),
    watches(caches.claims, () => []),
  ];
}

async function reconcile(world: World, request: Request, { cluster, signal }: ClusterContext): Promise<Result | void> {
  const caches = cachesOf(cluster);
  const known = caches.snapshots.get(request);
  if (known === undefined) return;
  const left = timeLeft(world, known);
  const isLate = left !== undefined && left < 0;
  const writer = { cluster, signal };
  const isDeleting = known.metadata.deletionTimestamp !== undefined;
  const isEnding = isDeleting || isLate || known.status?.phase === 'Failed';
  const snapshot = isEnding ? known : await withFinalizer(writer, snapshots, known, finalizers.snapshot);
  const { namespace = '' } = snapshot.metadata;
  const vmKey = { namespace, name: snapshot.spec.source.name };
  let vm = caches.vms.get(vmKey);
  let obstacle: string | undefined;
  if (snapshot.status !== undefined && vm !== undefined) {
    if (isInProgress(snapshot) && !isEnding) {
      if (isLocked(vm, snapshot)) await takeContent(writer, caches, snapshot, vm);
      else {
        obstacle = obstacleTo(vm, snapshot, (name) => caches.claims.get({ namespace, name }));
        if (obstacle === undefined) vm = await lock(writer, snapshot, vm);
      }
    } else vm = await unlock(writer, snapshot, vm);
  }
  const content = caches.contents.get({ namespace, name: contentName(snapshot) });
  if (isEnding && content !== undefined) await dropContent(writer, snapshot, content);
  const status = snapshotStatus({
    snapshot,
    vm,
    vmi: caches.vmis.get(vmKey),
    content,
    obstacle,
    isLate,
    now: now(),
  });
  const written = await putStatus(writer, snapshots, snapshot, status);
  if (isDeleting) await withoutFinalizer(writer, snapshots, written, finalizers.snapshot);
  else if (obstacle !== undefined) return { requeueAfterMs: world.scaled(RETRY_MS) };
  else if (isInProgress(written) && left !== undefined) return { requeueAfterMs: Math.max(1, left + 1) };
}

type Writer = Parameters<typeof putStatus>[0];

function timeLeft(world: World, snapshot: VirtualMachineSnapshot): number | undefined {
  const deadline = deadlineMs(snapshot);
  if (deadline === undefined || !isInProgress(snapshot)) return undefined;
  return Date.parse(snapshot.metadata.creationTimestamp ?? '') + world.scaled(deadline) - Date.now();
}

async function lock(writer: Writer, { metadata }: VirtualMachineSnapshot, vm: VirtualMachine): Promise<VirtualMachine> {
  const marked =
    inProgress(vm) === undefined
      ? await patchStatus(writer, virtualMachines, vm, { snapshotInProgress: metadata.name })
      : vm;
  return withFinalizer(writer, virtualMachines, marked, finalizers.source);
}

async function unlock(
  writer: Writer,
  { metadata }: VirtualMachineSnapshot,
  vm: VirtualMachine,
): Promise<VirtualMachine> {
  if (inProgress(vm) !== metadata.name) return vm;
  const free = await withoutFinalizer(writer, virtualMachines, vm, finalizers.source);
  // The finalizer was the last one of a VM in deletion: the VM is gone now.
  if (free.metadata.deletionTimestamp !== undefined && (free.metadata.finalizers ?? []).length === 0) return free;
  return patchStatus(writer, virtualMachines, free, { snapshotInProgress: null });
}

/** There are no volumes to wait for: the content is ready at once. */
async function takeContent(
  writer: Writer,
  caches: SnapshotCaches,
  snapshot: VirtualMachineSnapshot,
  vm: VirtualMachine,
): Promise<void> {
  const { cluster, signal } = writer;
  const key = { namespace: snapshot.metadata.namespace ?? '', name: contentName(snapshot) };
  let content = caches.contents.get(key);
  if (content === undefined) {
    content = await cluster.client.create(contents, contentOf(snapshot, vm), { signal });
    const message = `Successfully created VirtualMachineSnapshotContent ${key.name}`;
    cluster.recorder.event(snapshot, 'Normal', 'SuccessfulVirtualMachineSnapshotContentCreate', message);
  }
  if (typeof content.status?.creationTime === 'string') return;
  await putStatus(writer, contents, content, { creationTime: now(), readyToUse: true });
}

async function dropContent(
  writer: Writer,
  { spec }: VirtualMachineSnapshot,
  content: VirtualMachineSnapshotContent,
): Promise<void> {
  const isKept = spec.deletionPolicy === 'Retain' && content.status?.readyToUse === true;
  const free = await withoutFinalizer(writer, contents, content, finalizers.content);
  if (isKept || free.metadata.deletionTimestamp !== undefined) return;
  try {
    await writer.cluster.client.delete(contents, keyOfObject(content), { signal: writer.signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
