/** Everything that the API reports about a tenant's VM to this user. */
import type { SyncFailure, Task, Vapp, Vdc, Vm } from '../api/entities.ts';

export interface TenantCase {
  /** In milliseconds. */
  readonly now: number;
  readonly vm: Vm & { readonly busy?: boolean; readonly updatedAt?: string };
  /** Absent if it could not be read. */
  readonly vapp?: Vapp;
  readonly vdc?: Vdc;
  /** Tasks of the VM and of its vApp, newest first. */
  readonly tasks: readonly Task[];
  /** Unresolved ones; absent if the user may not read them. */
  readonly syncFailures?: readonly SyncFailure[];
}
