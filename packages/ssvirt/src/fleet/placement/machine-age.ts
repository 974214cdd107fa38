import type { KubeObject } from '@ssvirt/kube/object';

interface AgedMachine extends KubeObject {
  readonly status?: { readonly observedGeneration?: number };
}

/**
 * `isOlder` decides between two Machines that want the same address or disk. Creation times are whole seconds. Of two
 * equal times the Machine that is already fulfilled counts as older, then the uid decides.
 */
export function isOlder(one: AgedMachine, other: AgedMachine): boolean {
  const isMade = ({ status }: AgedMachine): boolean => (status?.observedGeneration ?? 0) > 0;
  const age = (machine: AgedMachine): string =>
    `${machine.metadata.creationTimestamp ?? ''} ${isMade(machine) ? 0 : 1} ${machine.metadata.uid ?? ''}`;
  return age(one) < age(other);
}
