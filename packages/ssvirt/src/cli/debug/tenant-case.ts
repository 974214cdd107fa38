/** Everything that the API reports about a tenant's VM to this user. */
import type { ListedSyncFailure, ListedTask, ListedVapp, ListedVdc, ListedVm } from '../api/entities.ts';

export interface TenantCase {
  /** In milliseconds. */
  readonly now: number;
  readonly vm: ListedVm & { readonly busy?: boolean; readonly updatedAt?: string };
  /** Absent if it could not be read. */
  readonly vapp?: ListedVapp;
  readonly vdc?: ListedVdc;
  /** Tasks of the VM and of its vApp, newest first. */
  readonly tasks: readonly ListedTask[];
  /** Unresolved ones; absent if the user may not read them. */
  readonly syncFailures?: readonly ListedSyncFailure[];
}
