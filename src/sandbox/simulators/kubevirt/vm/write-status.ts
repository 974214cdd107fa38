/** Writes the status of a VM, once for each look, and only when it differs. */
import { isConflict, isNotFound } from '../../../../kube/errors.ts';
import { keyOfObject } from '../../../../kube/object.ts';
import { mergePatch } from '../../../../kube/reconcile/merge-patch.ts';
import { virtualMachineInstances, virtualMachines } from '../objects.ts';
import type { VirtualMachine, VirtualMachineStatus } from '../objects.ts';
import { same } from './domain.ts';
import { withoutFinalizer } from './finalizers.ts';
import type { Shell } from './shell.ts';
import { asShown } from './start-failure.ts';
import { statusAfter } from './status.ts';
import type { Outcome } from './sync.ts';
import { isDeleting, isFinal, phaseOf } from './vmi-state.ts';

/** `before` is what the server had when the look was taken. */
export async function writeStatus(shell: Shell, before: VirtualMachine, outcome: Outcome): Promise<void> {
  const { vm, vmi, startIssued = false, error } = outcome;
  if (isGone(vm)) return;
  const { namespace = '' } = vm.metadata;
  const precise = statusAfter({
    vm,
    vmi,
    startIssued,
    error,
    dataVolume: (name) => shell.caches.dataVolumes.get({ namespace, name }),
    claim: (name) => shell.caches.claims.get({ namespace, name }),
    pause: { now: new Date(), toMs: (seconds) => shell.scaled(seconds * 1000) },
  });
  rememberRetry(shell, vm, precise);
  const { startFailure, ...rest } = precise;
  const shown = asShown(startFailure);
  await put(shell, before, shown === undefined ? rest : { ...rest, startFailure: shown });
  // What the VMI had to say is written down: it may go.
  if (vmi !== undefined && (isFinal(vmi) || (isDeleting(vmi) && phaseOf(vmi) === 'WaitingForSync')))
    await withoutFinalizer(shell, virtualMachineInstances, vmi).catch(ignoreGone);
}

/** The last finalizer of something that is being deleted was taken off. */
function isGone({ metadata: { deletionTimestamp, finalizers = [] } }: VirtualMachine): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

/** For the waits only; the status bears the time in seconds. */
function rememberRetry({ retryAt }: Shell, vm: VirtualMachine, { startFailure }: VirtualMachineStatus): void {
  const [known, now] = [vm.status?.startFailure?.lastFailedVMIUID, startFailure?.lastFailedVMIUID];
  if (known === now) return;
  if (known !== undefined) retryAt.delete(known);
  if (now !== undefined && startFailure?.retryAfterTimestamp !== undefined)
    retryAt.set(now, startFailure.retryAfterTimestamp);
}

async function put(shell: Shell, before: VirtualMachine, status: VirtualMachineStatus): Promise<void> {
  const change = same(before.status ?? {}, status) ? undefined : mergePatch(before.status ?? {}, status);
  if (change === undefined) return;
  try {
    await patch(shell, before, change);
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isConflict(error)) throw error;
    const fresh = await shell.client.get(virtualMachines, keyOfObject(before), { signal: shell.signal });
    if (!isSameButForVolumes(before, fresh)) throw error;
    await patch(shell, fresh, change);
  }
}

/** The other writer of the status, who says which volumes can be snapshotted, is nobody to begin anew for. */
function isSameButForVolumes(before: VirtualMachine, fresh: VirtualMachine): boolean {
  const { uid, generation } = fresh.metadata;
  const left = ({ status: { volumeSnapshotStatuses: _, printableStatus: __, ...rest } = {} }: VirtualMachine): object =>
    rest;
  return uid === before.metadata.uid && generation === before.metadata.generation && same(left(before), left(fresh));
}

async function patch({ client, signal }: Shell, vm: VirtualMachine, status: object): Promise<void> {
  const { uid, resourceVersion } = vm.metadata;
  const body = { metadata: { uid, resourceVersion }, status };
  await client.patch(virtualMachines, keyOfObject(vm), { type: 'merge', body }, { subresource: 'status', signal });
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
