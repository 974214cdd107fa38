/** Which part of a Machine a problem concerns, and the phase of a Machine that has a problem and no VM yet. */
import type { MachinePhase, MachineProblem, MachineProblemReason } from './resource.ts';

export type Part = 'machine' | 'storage' | 'network';

const parts: Readonly<Partial<Record<MachineProblemReason, Part>>> = {
  StorageClassNotFound: 'storage',
  ClaimNotFound: 'storage',
  ClaimDeleted: 'storage',
  DataImporterMissing: 'storage',
  DiskChangeRefused: 'storage',
  ExpansionUnsupported: 'storage',
  PVCPending: 'storage',
  NetworkConfigurationNotFound: 'network',
  MacAddressConflict: 'network',
  NetworkAttachmentsMissing: 'network',
  NetworkFailed: 'network',
};

/** Some reasons can concern any part; the code that found the problem may name the part. */
export interface PlacedProblem extends MachineProblem {
  /** `network`, `storage`; any other value means the VM and everything else. */
  readonly part?: string;
}

export function partOf({ reason, part }: PlacedProblem): Part {
  if (part === 'network' || part === 'storage') return part;
  return parts[reason] ?? 'machine';
}

/** The VM exists, but the cluster refused to change it as declared. */
export function isRefusal({ reason, part }: PlacedProblem): boolean {
  // Other problems are found by our own checks before the cluster is asked: they do not affect the running VM.
  if (reason === 'InvalidSpec') return part === 'virtual machine';
  return reason === 'KubeVirtApiError' || reason === 'VMFailed';
}

/**
 * Only a change of the Machine itself mends these. Others go away when something changes elsewhere: the Machine waits
 * for that.
 */
const ownFault: ReadonlySet<MachineProblemReason> = new Set<MachineProblemReason>([
  'TemplateNotFound',
  'InvalidSpec',
  'PlacementConflict',
  'KubevirtConfigNotFound',
  'AdoptionRefused',
  'NameConflict',
  'MacAddressConflict',
  'DiskChangeRefused',
]);

export function phaseOfProblem({ reason }: MachineProblem): Extract<MachinePhase, 'Failed' | 'Pending'> {
  return ownFault.has(reason) ? 'Failed' : 'Pending';
}
