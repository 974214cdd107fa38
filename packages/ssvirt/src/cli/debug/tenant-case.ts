/** Everything that the API reports about a tenant's VM to this user. */
import type { Schemas } from '@ssvirt/api-client/client';

type CaseVm = Pick<
  Schemas['Vm'],
  | 'id'
  | 'name'
  | 'status'
  | 'stale'
  | 'staleReason'
  | 'vapp'
  | 'vdc'
  | 'cpus'
  | 'memoryMb'
  | 'instancetype'
  | 'observed'
  | 'restartRequired'
  | 'guestOs'
  | 'ipAddresses'
  | 'fault'
  | 'busy'
  | 'disks'
  | 'placement'
  | 'createdAt'
  | 'updatedAt'
>;

export interface TenantCase {
  /** In milliseconds. */
  readonly now: number;
  readonly vm: CaseVm;
  /** Absent if it could not be read. */
  readonly vapp?: Pick<Schemas['Vapp'], 'name' | 'status' | 'stale' | 'fault'>;
  readonly vdc?: Pick<Schemas['Vdc'], 'name' | 'statusText' | 'stale' | 'message' | 'isEnabled'>;
  /** Tasks of the VM and of its vApp, newest first. */
  readonly tasks: readonly Schemas['Task'][];
  /** Unresolved ones; absent if the user may not read them. */
  readonly syncFailures?: readonly Schemas['SyncFailure'][];
}
