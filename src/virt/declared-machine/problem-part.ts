/** What a problem is about, and what it makes of a Machine that has no virtual machine yet. */
import type { MachinePhase, Problem, ProblemReason } from './resource.ts';

export type Part = 'machine' | 'storage' | 'network';

const parts: Readonly<Partial<Record<ProblemReason, Part>>> = {
  StorageClassNotFound: 'storage',
  ClaimNotFound: 'storage',
  DataImporterMissing: 'storage',
  DiskChangeRefused: 'storage',
  ExpansionUnsupported: 'storage',
  PVCPending: 'storage',
  NetworkConfigurationNotFound: 'network',
  MacAddressConflict: 'network',
  NetworkAttachmentsMissing: 'network',
  NetworkFailed: 'network',
};

/** Some can befall any part; who came upon it may say which. */
export interface PlacedProblem extends Problem {
  /** `network`, `storage`, or anything else for the virtual machine and what is left. */
  readonly part?: string;
}

export function partOf({ reason, part }: PlacedProblem): Part {
  if (part === 'network' || part === 'storage') return part;
  return parts[reason] ?? 'machine';
}

/** The virtual machine is there, but the cluster has refused to make it what it should be. */
export function isRefusal({ reason, part }: PlacedProblem): boolean {
  // Our own checks find others before the cluster is asked: what runs is not touched by them.
  if (reason === 'InvalidSpec') return part === 'virtual machine';
  return reason === 'KubeVirtApiError' || reason === 'VMFailed';
}

/** Only a change of the Machine itself mends these. Others go away when somebody does something elsewhere: the Machine waits for that. */
const ownFault: ReadonlySet<ProblemReason> = new Set<ProblemReason>([
  'TemplateNotFound',
  'InvalidSpec',
  'PlacementConflict',
  'KubevirtConfigNotFound',
  'AdoptionRefused',
  'NameConflict',
  'MacAddressConflict',
  'DiskChangeRefused',
]);

export function phaseOfProblem({ reason }: Problem): Extract<MachinePhase, 'Failed' | 'Pending'> {
  return ownFault.has(reason) ? 'Failed' : 'Pending';
}
