/** The phases of a migration, and the migration state of the VMI. */
import type { JsonObject } from '../../../values/json.ts';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';

export type Phase =
  | ''
  | 'Pending'
  | 'Scheduling'
  | 'Scheduled'
  | 'PreparingTarget'
  | 'TargetReady'
  | 'Running'
  | 'Succeeded'
  | 'Failed';

/** `status.migrationState` of a VMI, written by virt-controller and both virt-handlers. */
export interface MigrationState {
  readonly migrationUid?: string;
  readonly sourceNode?: string;
  readonly sourcePod?: string;
  readonly targetNode?: string;
  readonly targetPod?: string;
  readonly targetNodeAddress?: string;
  readonly targetDirectMigrationNodePorts?: JsonObject;
  readonly targetNodeDomainReadyTimestamp?: string | null;
  readonly startTimestamp?: string | null;
  readonly endTimestamp?: string | null;
  readonly completed?: boolean;
  readonly failed?: boolean;
  readonly abortRequested?: boolean;
  readonly [field: string]: unknown;
}

export const phaseOf = ({ status }: VirtualMachineInstanceMigration): Phase => (status?.phase ?? '') as Phase;

export const isFinal = (migration: VirtualMachineInstanceMigration): boolean =>
  phaseOf(migration) === 'Succeeded' || phaseOf(migration) === 'Failed';

const hasNoTarget: readonly Phase[] = ['', 'Pending'];
const isNotHandedOff: readonly Phase[] = [...hasNoTarget, 'Scheduling', 'Scheduled'];

export const hasTarget = (migration: VirtualMachineInstanceMigration): boolean =>
  !isFinal(migration) && !hasNoTarget.includes(phaseOf(migration));

/** True if virt-handler acts next. */
export const isTargetHandedOff = (migration: VirtualMachineInstanceMigration): boolean =>
  !isFinal(migration) && !isNotHandedOff.includes(phaseOf(migration));

export const stateOf = ({ status }: VirtualMachineInstance): MigrationState | undefined => status?.migrationState;

/** `ownState` returns the migration state of the VMI, if it belongs to this migration. */
export function ownState(
  vmi: VirtualMachineInstance,
  { metadata }: VirtualMachineInstanceMigration,
): MigrationState | undefined {
  const state = stateOf(vmi);
  return state?.migrationUid !== undefined && state.migrationUid === metadata.uid ? state : undefined;
}

export const isSet = (time: string | null | undefined): boolean => time !== undefined && time !== null;

/** True while the guest is being moved. */
export function isMigrating(vmi: VirtualMachineInstance): boolean {
  const state = stateOf(vmi);
  return isSet(state?.startTimestamp) && !isSet(state?.endTimestamp);
}

export const isVmiFinal = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const isDeleting = ({ metadata }: VirtualMachineInstanceMigration | VirtualMachineInstance): boolean =>
  metadata.deletionTimestamp !== undefined;
