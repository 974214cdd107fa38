/** A sync failure as it is shown: by itself, in lists, and with its VM. */
import { Type, type Static } from 'typebox';
import type { SyncFailureRow } from '../../../db/clusters/sync-failures.ts';
import { named, EntityRef, orNull, Timestamp } from '../../http/schemas.ts';
import { urnOf } from '../../urn.ts';

export const SyncFailureBody = named(
  'SyncFailure',
  Type.Object({
    id: Type.String(),
    cluster: Type.String(),
    namespace: Type.String(),
    vmName: Type.String({ description: 'Of the VirtualMachine in the cluster' }),
    vm: orNull(EntityRef),
    errorType: Type.String(),
    message: Type.String(),
    attempts: Type.Integer(),
    firstFailedAt: Timestamp,
    lastFailedAt: Timestamp,
    resolvedAt: orNull(Timestamp),
  }),
);

export function syncFailureBody(failure: SyncFailureRow): Static<typeof SyncFailureBody> {
  const { vm_id, vm_name, vm_display_name } = failure;
  return {
    id: urnOf('syncFailure', failure.id),
    cluster: failure.cluster,
    namespace: failure.namespace,
    vmName: vm_name,
    vm: vm_id === null ? null : { name: vm_display_name ?? vm_name, id: urnOf('vm', vm_id) },
    errorType: failure.error_type,
    message: failure.message,
    attempts: failure.attempts,
    firstFailedAt: failure.first_failed_at.toISOString(),
    lastFailedAt: failure.last_failed_at.toISOString(),
    resolvedAt: failure.resolved_at?.toISOString() ?? null,
  };
}
