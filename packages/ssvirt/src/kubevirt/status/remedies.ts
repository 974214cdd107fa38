/** What to do about a fault of a VM: a tenant can change the VM, the provider also the cluster. */
import type { FaultReason } from './faults.ts';

interface Remedy {
  readonly tenant: string;
  readonly provider: string;
}

/** Reasons whose sentence already says what to do, or for which waiting is all, have none. */
const remedies: Readonly<Partial<Record<FaultReason, Remedy>>> = {
  NO_ROOM: {
    tenant: 'Give it fewer CPUs or less memory, or ask the provider for room.',
    provider: 'Add nodes, or free CPUs or memory on those that may run it.',
  },
  UNSCHEDULABLE: {
    tenant: 'Ask the provider, who can see the nodes.',
    provider: 'Compare what it asks of a node with the labels and taints of the nodes.',
  },
  IMPORT_FAILED: {
    tenant: 'Check the address of the image, and create the VM again if it was wrong.',
    provider: 'Check the importer pod of the disk and the address of the image.',
  },
  SOURCE_MISSING: {
    tenant: 'Create the VM from a catalog item that is AVAILABLE.',
    provider: 'Restore the image, or remove the catalog item.',
  },
  SOURCE_FORBIDDEN: {
    tenant: 'Ask the provider for access to the image.',
    provider: 'Allow cloning from the namespace of the image.',
  },
  IMAGE_UNAVAILABLE: {
    tenant: 'Check the name of the image, and that its registry is reachable.',
    provider: 'Check the name of the image, its registry and the pull secrets.',
  },
  QUOTA_EXCEEDED: {
    tenant: 'Power off or delete other VMs, or ask the provider for a higher limit.',
    provider: 'Raise the limits of the virtual data center, or free some of it.',
  },
  SIZE_MISSING: {
    tenant: 'Choose another instance type.',
    provider: 'Restore the instance type or preference.',
  },
  CRASH_LOOP: {
    tenant: 'Open its console to see why the guest does not boot.',
    provider: 'Check the events of the VirtualMachineInstance and the log of its launcher.',
  },
  IO_ERROR: {
    tenant: 'Tell the provider.',
    provider: 'Check the storage of its disks; the VM continues when it answers again.',
  },
  NODE_LOST: {
    tenant: 'Tell the provider.',
    provider: 'Restore the node; only if it is surely off, remove it from the cluster.',
  },
};

/** Null if there is nothing to add to the sentence of the fault. */
export function remedyOf(reason: string, reader: keyof Remedy): string | null {
  return Object.hasOwn(remedies, reason) ? (remedies[reason as FaultReason]?.[reader] ?? null) : null;
}
