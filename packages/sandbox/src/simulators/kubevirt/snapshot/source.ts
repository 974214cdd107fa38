/**
 * The VM of a snapshot: locked while the snapshot is taken, so that its disks and its run strategy cannot be changed.
 */
import type { ObjectMeta } from '@ssvirt/kube/object';
import type { PersistentVolumeClaim, VirtualMachine, VirtualMachineInstance, Volume } from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { claimOf } from '../vmi/domain.ts';
import { finalizers, type VirtualMachineSnapshot, type VirtualMachineSnapshotContent } from './kinds.ts';

export const inProgress = ({ status }: VirtualMachine): string | undefined =>
  status?.['snapshotInProgress'] as string | undefined;

export function isLocked(vm: VirtualMachine, { metadata }: VirtualMachineSnapshot): boolean {
  return inProgress(vm) === metadata.name && vm.metadata.finalizers?.includes(finalizers.source) === true;
}

const volumesOf = ({ spec }: Pick<VirtualMachine, 'spec'>): readonly Volume[] => spec.template.spec.volumes ?? [];

/** `obstacleTo` returns why the VM cannot be locked now, as text for the condition. */
export function obstacleTo(
  vm: VirtualMachine,
  { metadata }: VirtualMachineSnapshot,
  claim: (name: string) => PersistentVolumeClaim | undefined,
): string | undefined {
  const busy = inProgress(vm);
  if (busy !== undefined && busy !== metadata.name) return ` snapshot "${busy}" in progress`;
  for (const volume of volumesOf(vm)) {
    const name = claimOf(volume);
    const trouble = name === undefined ? undefined : troubleWith(claim(name));
    if (trouble !== undefined)
      return ` source ${vm.metadata.namespace ?? ''}/${vm.metadata.name ?? ''} ${trouble}: ${name}`;
  }
  return undefined;
}

function troubleWith(claim: PersistentVolumeClaim | undefined): string | undefined {
  if (claim === undefined) return 'volume doesnt exist';
  if (claim.metadata.deletionTimestamp !== undefined) return 'volume is being deleted';
  return claim.status?.phase === 'Bound' ? undefined : 'volume not bound';
}

const messages: Readonly<Record<string, string>> = {
  Online: 'Snapshot taken while the VM was running. Consistency depends on guest-agent quiescing.',
  GuestAgent: 'Guest agent was active and attempted to quiesce the filesystem for application consistency.',
  NoGuestAgent: 'Guest agent was not available. Snapshot is crash-consistent and may not be application-consistent.',
  Paused: 'Snapshot taken while the VM was paused. Snapshot is crash-consistent and may not be application-consistent.',
};

export interface Indications {
  readonly indications: readonly string[];
  readonly sourceIndications: readonly { readonly indication: string; readonly message: string }[];
}

/** How consistent the disks of a running VM are in the snapshot. */
export function indicationsOf(vmi: VirtualMachineInstance | undefined): Indications | undefined {
  if (vmi === undefined) return undefined;
  const { conditions } = vmi.status ?? {};
  const agent = has(conditions, 'AgentConnected') ? 'GuestAgent' : 'NoGuestAgent';
  const indications = ['Online', has(conditions, 'Paused', 'True') ? 'Paused' : agent].toSorted();
  return {
    indications,
    sourceIndications: indications.map((indication) => ({ indication, message: messages[indication] ?? '' })),
  };
}

export const contentName = ({ status, metadata }: VirtualMachineSnapshot): string =>
  status?.virtualMachineSnapshotContentName ?? `vmsnapshot-content-${metadata.uid ?? ''}`;

/** `contentOf` returns the VM as it is. No storage here can snapshot volumes: all of them are excluded. */
export function contentOf(snapshot: VirtualMachineSnapshot, vm: VirtualMachine): VirtualMachineSnapshotContent {
  const { namespace = '', name = '' } = snapshot.metadata;
  return {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: { name: contentName(snapshot), namespace, finalizers: [finalizers.content] },
    spec: {
      virtualMachineSnapshotName: name,
      source: { virtualMachine: { metadata: simplified(vm.metadata), spec: vm.spec } },
    },
  };
}

function simplified({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

export function volumesTaken({ spec }: VirtualMachineSnapshotContent): object | undefined {
  const vm = spec.source.virtualMachine;
  if (vm === undefined) return undefined;
  return { excludedVolumes: volumesOf(vm).map(({ name }) => name) };
}
