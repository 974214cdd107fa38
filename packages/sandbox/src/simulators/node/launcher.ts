/** Derives the fate of a launcher pod from its guest: the pod lives and ends with it. */
import type { Pod, VirtualMachineInstance } from '../kubevirt/objects.ts';

export type Fate =
  /** No guest runs in the pod: it ends as soon as it is deleted. */
  'empty' | 'lives' | { readonly ended: 'Succeeded' | 'Failed' };

export function fateOf(pod: Pod, vmi: VirtualMachineInstance | undefined): Fate {
  if (vmi === undefined || vmi.metadata.uid !== pod.metadata.labels?.['kubevirt.io/created-by']) return 'empty';
  const { phase, nodeName } = vmi.status ?? {};
  if (phase === 'Succeeded') return { ended: 'Succeeded' };
  if (phase === 'Failed') return { ended: wasStopped(vmi) ? 'Succeeded' : 'Failed' };
  if (hasMovedAway(pod, vmi)) return { ended: 'Succeeded' };
  if (waitsInVain(pod, vmi)) return { ended: 'Failed' };
  return (phase === 'Running' || phase === 'Scheduled') && nodeName === pod.spec.nodeName ? 'lives' : 'empty';
}

function hasMovedAway(pod: Pod, { status }: VirtualMachineInstance): boolean {
  const migration = status?.migrationState;
  return (
    migration?.['completed'] === true &&
    migration['failed'] !== true &&
    migration['sourcePod'] === pod.metadata.name &&
    status?.nodeName !== pod.spec.nodeName
  );
}

/** The migration failed, so the guest stays on its source node. */
function waitsInVain(pod: Pod, { status }: VirtualMachineInstance): boolean {
  const migration = status?.migrationState;
  return (
    migration?.['failed'] === true &&
    migration['targetPod'] === pod.metadata.name &&
    status?.nodeName !== pod.spec.nodeName
  );
}

/** If a guest was killed because it did not shut down in time, its launcher still counts as successful. */
function wasStopped({ metadata, spec, status }: VirtualMachineInstance): boolean {
  const told = metadata.deletionTimestamp;
  const stamps = status?.['phaseTransitionTimestamps'] as
    | readonly { readonly phase: string; readonly phaseTransitionTimestamp: string }[]
    | undefined;
  const failed = stamps?.find(({ phase }) => phase === 'Failed')?.phaseTransitionTimestamp;
  if (told === undefined || failed === undefined) return false;
  return Date.parse(told) < Date.parse(failed) || spec.terminationGracePeriodSeconds === 0;
}
