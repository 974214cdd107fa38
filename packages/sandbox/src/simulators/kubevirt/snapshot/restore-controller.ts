/** virt-controller's restore controller, for snapshots without volumes: it restores the spec of the VM. */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { isKind } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOfObject, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { now, objectAt } from '../../../objects/kinds/values/fields.ts';
import { applyJsonPatch } from '../../../objects/patch/json-patch.ts';
import type { World } from '../../world.ts';
import { serverWords } from '../../server-words.ts';
import { virtualMachines, type Condition, type VirtualMachine } from '../objects.ts';
import { Retries } from '../vmi/retries.ts';
import { VM_INDEX, cachesOf, type SnapshotCaches } from './caches.ts';
import { set } from './conditions.ts';
import { finalizers, restores, type RestoreStatus, type VirtualMachineRestore } from './kinds.ts';
import { isRestored, restored } from './restored.ts';
import { contentName } from './source.ts';
import { patchStatus, putStatus, withFinalizer, withoutFinalizer } from './writes.ts';

const GRACE_MS = 5 * 60_000;
const SOON_MS = 20;

/** An error that stops the restore; it is reported in the condition. */
class RestoreError extends Error {}

export function vmRestoreController(world: World): Runnable {
  const retries = new Retries();
  const controller = createController({
    name: 'vm-restore',
    concurrency: 2,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => {
      const caches = cachesOf(cluster);
      const ofVm = ({ object: { metadata } }: { readonly object: KubeObject }): readonly ObjectKey[] =>
        caches.restores.byIndex(VM_INDEX, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`).map(keyOfObject);
      return [
        watches(caches.restores, enqueueObject),
        watches(caches.vms, ofVm),
        watches(caches.vmis, ofVm),
        watches(caches.snapshots, () => []),
        watches(caches.contents, () => []),
      ];
    },
    reconcile: (request, context) => reconcile(world, retries, request, context),
  });
  controller.engage(world.as('virt-controller', { events: 'restore-controller' }));
  return controller;
}

async function reconcile(
  world: World,
  retries: Retries,
  request: Request,
  context: ClusterContext,
): Promise<Result | void> {
  const { cluster, signal } = context;
  const key = `${request.namespace ?? ''}/${request.name}`;
  const restore = cachesOf(cluster).restores.get(request);
  if (restore === undefined) return retries.forget(key);
  try {
    const result = await bringFurther(world, restore, context);
    retries.forget(key);
    return result;
  } catch (error) {
    const again = { requeueAfterMs: Math.max(SOON_MS, world.scaled(retries.next(key))) };
    if (isKind(error, 'Conflict', 'NotFound')) return again;
    if (!(error instanceof RestoreError) && !isKind(error, 'Invalid', 'Forbidden')) throw error;
    const message = serverWords(error);
    const said = `VirtualMachineRestore encountered error ${message}`;
    cluster.recorder.event(restore, 'Warning', 'VirtualMachineRestoreError', said);
    await putStatus({ cluster, signal }, restores, restore, statusOf(restore, 'False', message, message));
    return again;
  }
}

function statusOf(
  { status }: VirtualMachineRestore,
  progressing: Condition['status'],
  progress: string,
  ready: string,
): RestoreStatus {
  const conditions = set(status?.conditions ?? [], 'Progressing', progressing, progress, now());
  return { complete: false, ...status, conditions: set(conditions, 'Ready', 'False', ready, now()) };
}

async function bringFurther(
  world: World,
  known: VirtualMachineRestore,
  { cluster, signal }: ClusterContext,
): Promise<Result | void> {
  const writer = { cluster, signal };
  const caches = cachesOf(cluster);
  const { namespace = '' } = known.metadata;
  const vm = caches.vms.get({ namespace, name: known.spec.target.name });
  if (known.metadata.deletionTimestamp !== undefined) {
    if (vm !== undefined) await release(writer, known, vm);
    await withoutFinalizer(writer, restores, known, finalizers.restore);
    return;
  }
  if (known.status === undefined) {
    const begins = 'Initializing VirtualMachineRestore';
    await putStatus(writer, restores, known, statusOf(known, 'True', begins, begins));
    return;
  }
  if (known.status.complete === true || known.status.conditions?.some(({ type }) => type === 'Failure') === true)
    return;
  const restore = await withFinalizer(writer, restores, known, finalizers.restore);
  if (vm !== undefined && caches.vmis.get(keyOfObject(vm)) !== undefined)
    return awaitTarget(world, writer, restore, vm);
  if (vm === undefined || !isRestored(restore, vm)) {
    await bringBack(writer, caches, restore, vm);
    const status = statusOf(restore, 'True', 'Updating target spec', 'Waiting for target update');
    await putStatus(writer, restores, restore, status);
    return;
  }
  await release(writer, restore, vm);
  const message = `Successfully completed VirtualMachineRestore ${restore.metadata.name ?? ''}`;
  cluster.recorder.event(restore, 'Normal', 'VirtualMachineRestoreComplete', message);
  const done = set(restore.status?.conditions ?? [], 'Progressing', 'False', 'Operation complete', now());
  await putStatus(writer, restores, restore, {
    ...restore.status,
    complete: true,
    restoreTime: now(),
    conditions: set(done, 'Ready', 'True', 'Operation complete', now()),
  });
}

type Writer = Parameters<typeof putStatus>[0];

/**
 * A running VM must be stopped first; whether the restore waits, stops it or fails follows from
 * `targetReadinessPolicy`.
 */
async function awaitTarget(
  world: World,
  writer: Writer,
  restore: VirtualMachineRestore,
  vm: VirtualMachine,
): Promise<Result | void> {
  const { cluster, signal } = writer;
  cluster.recorder.event(restore, 'Normal', 'RestoreTargetNotReady', 'Restore target VMI still exists');
  const policy = restore.spec.targetReadinessPolicy ?? 'WaitGracePeriod';
  const left = Date.parse(restore.metadata.creationTimestamp ?? '') + world.scaled(GRACE_MS) - Date.now();
  const failed = (reason: string): Promise<VirtualMachineRestore> => {
    const { conditions = [], ...rest } = statusOf(restore, 'False', 'Operation failed', 'Operation failed');
    const status = { ...rest, conditions: set(conditions, 'Failure', 'True', reason, now()) };
    return putStatus(writer, restores, restore, status);
  };
  if (policy === 'FailImmediate') await failed('Restore target not ready');
  else if (policy === 'WaitGracePeriod' && left <= 0) await failed('Restore target failed to be ready within 5m0s');
  else {
    const waits = 'Waiting for target to be ready';
    if (policy === 'StopTarget' && vm.spec.runStrategy !== 'Halted' && vm.spec.running !== false) {
      const body = { spec: vm.spec.running === undefined ? { runStrategy: 'Halted' } : { running: false } };
      await cluster.client.patch(virtualMachines, keyOfObject(vm), { type: 'merge', body }, { signal });
    }
    await putStatus(writer, restores, restore, statusOf(restore, 'False', waits, waits));
    if (policy === 'WaitGracePeriod') return { requeueAfterMs: left + 1 };
  }
}

async function bringBack(
  writer: Writer,
  caches: SnapshotCaches,
  restore: VirtualMachineRestore,
  vm: VirtualMachine | undefined,
): Promise<void> {
  const { cluster, signal } = writer;
  const { namespace = '' } = restore.metadata;
  const name = restore.spec.virtualMachineSnapshotName;
  const snapshot = caches.snapshots.get({ namespace, name });
  if (snapshot === undefined) throw new RestoreError(`VMSnapshot ${namespace}/${name} does not exist`);
  if (snapshot.status?.phase === 'Failed')
    throw new RestoreError(`VMSnapshot ${namespace}/${name} failed and is invalid to use`);
  if (snapshot.status?.readyToUse !== true) throw new RestoreError(`VMSnapshot ${namespace}/${name} not ready`);
  const taken = caches.contents.get({ namespace, name: contentName(snapshot) })?.spec.source.virtualMachine;
  if (taken === undefined) throw new RestoreError('unexpected snapshot source');
  if (vm === undefined) {
    await cluster.client.create(virtualMachines, patched(restore, restored(restore, taken, undefined)), { signal });
    return;
  }
  if (vm.metadata.uid !== snapshot.status.sourceUID)
    throw new RestoreError('restore source and restore target are different but restore target already exists');
  const busy = vm.status?.['restoreInProgress'];
  if (typeof busy === 'string' && busy !== restore.metadata.name)
    throw new RestoreError(`vm restore ${busy} in progress`);
  const marked =
    busy === undefined
      ? await patchStatus(writer, virtualMachines, vm, { restoreInProgress: restore.metadata.name })
      : vm;
  await cluster.client.update(virtualMachines, restored(restore, taken, marked), { signal });
}

/** Applies the patches of the restore. They apply only to a new VM, not to an existing one. */
function patched({ spec, metadata }: VirtualMachineRestore, vm: VirtualMachine): VirtualMachine {
  if (spec.patches === undefined) return vm;
  const made = applied(spec.patches, vm);
  // virt-controller may write in every namespace: a patch must not move the VM to one where its author may not write.
  if (objectAt(made, 'metadata')?.['namespace'] !== metadata.namespace)
    throw new RestoreError('the namespace of the provided object does not match the namespace sent on the request');
  return made as unknown as VirtualMachine;
}

function applied(patches: readonly string[], vm: VirtualMachine): JsonObject {
  try {
    const operations = patches.map((text) => JSON.parse(text) as JsonObject);
    return applyJsonPatch(vm as unknown as JsonObject, operations);
  } catch (error) {
    throw new RestoreError(`error patching VM ${vm.metadata.name ?? ''}: ${String(error)}`);
  }
}

async function release(writer: Writer, { metadata }: VirtualMachineRestore, vm: VirtualMachine): Promise<void> {
  if (vm.status?.['restoreInProgress'] !== metadata.name) return;
  await patchStatus(writer, virtualMachines, vm, { restoreInProgress: null });
}
