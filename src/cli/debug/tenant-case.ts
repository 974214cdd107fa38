/** All that the API tells of a virtual machine of a tenant to whoever asks. */
import type { SyncFailure, Task, Vapp, Vdc, Vm } from '../api/entities.ts';

export interface TenantCase {
  /** In milliseconds. */
  readonly now: number;
  readonly vm: Vm & { readonly busy?: boolean; readonly updatedAt?: string };
  /** Absent where it could not be read. */
  readonly vapp?: Vapp;
  readonly vdc?: Vdc;
  /** Of the machine and of its vApp, the newest first. */
  readonly tasks: readonly Task[];
  /** Those that are not over; absent for those who may not read them. */
  readonly syncFailures?: readonly SyncFailure[];
}
