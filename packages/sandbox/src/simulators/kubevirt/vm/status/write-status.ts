/** Writes the status of a VM, once per reconcile, and only if it differs. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import { keyOf, keyOfObject } from '@ssvirt/kube/object';
import { virtualMachineInstances, virtualMachines } from '../../objects.ts';
import type { VirtualMachine, VirtualMachineStatus } from '../../objects.ts';
import { same } from '../domain.ts';
import { withoutFinalizer } from '../finalizers.ts';
import type { Shell } from '../shell.ts';
import { asShown } from './start-failure.ts';
import { statusAfter } from './status.ts';
import type { Outcome } from '../sync.ts';
import { testedPatch } from '../tested-patch.ts';
import { isDeleting, isFinal, phaseOf } from '../vmi-state.ts';

/** `before` is the server's object at the start of the reconcile. */
export async function writeStatus(shell: Shell, before: VirtualMachine, outcome: Outcome): Promise<void> {
  const { vm, vmi, startIssued = false, stopIssued = false, error } = outcome;
  if (isGone(vm)) return;
  const { namespace = '' } = vm.metadata;
  const precise = statusAfter({
    vm,
    vmi,
    startIssued,
    stopIssued,
    error,
    dataVolume: (name) => shell.caches.dataVolumes.get({ namespace, name }),
    claim: (name) => shell.caches.claims.get({ namespace, name }),
    pause: { now: new Date(), toMs: (seconds) => shell.scaled(seconds * 1000) },
  });
  rememberRetry(shell, vm, precise);
  const { startFailure, ...rest } = precise;
  const shown = asShown(startFailure);
  await put(shell, before, shown === undefined ? rest : { ...rest, startFailure: shown });
  // The end of the VMI is recorded in the VM's status: the VMI may be deleted.
  if (vmi !== undefined && (isFinal(vmi) || (isDeleting(vmi) && phaseOf(vmi) === 'WaitingForSync')))
    await withoutFinalizer(shell, virtualMachineInstances, vmi).catch(ignoreGone);
}

/** The last finalizer of an object in deletion was removed. */
function isGone({ metadata: { deletionTimestamp, finalizers = [] } }: VirtualMachine): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

/** Keeps the exact time for the backoff; the status has whole seconds only. */
function rememberRetry({ retryAt }: Shell, vm: VirtualMachine, { startFailure }: VirtualMachineStatus): void {
  const [known, failed] = [vm.status?.startFailure?.lastFailedVMIUID, startFailure?.lastFailedVMIUID];
  if (known === failed) return;
  const [key, at] = [keyOf(keyOfObject(vm)), startFailure?.retryAfterTimestamp];
  if (failed === undefined || at === undefined) retryAt.delete(key);
  else retryAt.set(key, { failed, at });
}

async function put(shell: Shell, before: VirtualMachine, status: VirtualMachineStatus): Promise<void> {
  if (same(before.status ?? {}, status)) return;
  try {
    await patch(shell, before, status);
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isConflict(error)) throw error;
    const fresh = await shell.client.get(virtualMachines, keyOfObject(before), { signal: shell.signal });
    if (!isSameButForVolumes(before, fresh)) throw error;
    const volumes = fresh.status?.['volumeSnapshotStatuses'];
    await patch(shell, fresh, volumes === undefined ? status : { ...status, volumeSnapshotStatuses: volumes });
  }
}

/**
 * Ignores fields of the volume snapshot controller, which also writes the status: its write is no reason to repeat the
 * reconcile.
 */
function isSameButForVolumes(before: VirtualMachine, fresh: VirtualMachine): boolean {
  const { uid, generation } = fresh.metadata;
  const left = ({ status: { volumeSnapshotStatuses: _, printableStatus: __, ...rest } = {} }: VirtualMachine): object =>
    rest;
  return uid === before.metadata.uid && generation === before.metadata.generation && same(left(before), left(fresh));
}

/** A JSON patch, because a merge patch cannot set the time of a condition to null. */
async function patch(shell: Shell, vm: VirtualMachine, status: VirtualMachineStatus): Promise<void> {
  const { resourceVersion } = vm.metadata;
  const test = { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion } as const;
  const operations =
    vm.status === undefined ? [{ op: 'add', path: '/status', value: status } as const] : changes(vm.status, status);
  await testedPatch(shell, virtualMachines, vm, [test, ...operations], 'status');
}

function changes(before: VirtualMachineStatus, after: VirtualMachineStatus): readonly JsonPatchOperation[] {
  const gone = Object.keys(before).filter((field) => after[field] === undefined);
  const differing = Object.keys(after).filter(
    (field) => after[field] !== undefined && !same(before[field], after[field]),
  );
  return [
    ...gone.map((field) => ({ op: 'remove', path: `/status/${field}` }) as const),
    ...differing.map((field) => ({ op: 'add', path: `/status/${field}`, value: after[field] }) as const),
  ];
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
