/** Audit records: written in the transaction of the change, so that neither exists without the other. */
import type { Kysely } from 'kysely';
import { appendAuditEvent } from '../../db/retention/audit.ts';
import type { AuditOutcome, JsonObject, OrganizationId, Tables } from '../../db/schema/schema.ts';
import type { Operation } from '../auth/access/matrix.ts';
import type { Caller } from '../caller.ts';
import type { UrnKind } from '../urn.ts';

export interface Deed {
  readonly action: Operation;
  readonly entity?: { readonly kind: UrnKind; readonly id: string; readonly name: string };
  /** The organization whose audit log gets the record. Default: the caller's. */
  readonly organizationId?: OrganizationId;
  readonly outcome?: AuditOutcome;
  /** Names of changed fields and the like; never a secret. */
  readonly details?: JsonObject;
}

/** Callers (of one request each) whose refusal or failure has already been recorded in more detail. */
const recorded = new WeakSet<Caller>();

export function isRecorded(caller: Caller): boolean {
  return recorded.has(caller);
}

export async function recordAudit(db: Kysely<Tables>, caller: Caller, deed: Deed): Promise<void> {
  const { action, entity, organizationId = caller.organizationId, outcome = 'success', details = {} } = deed;
  await appendAuditEvent(db, {
    organization_id: organizationId,
    user_id: caller.userId,
    user_name: caller.userName,
    action,
    entity_kind: entity?.kind ?? '',
    entity_id: entity?.id ?? null,
    entity_name: entity?.name ?? '',
    outcome,
    request_id: caller.requestId,
    client_address: caller.clientAddress,
    details,
  });
  if (outcome !== 'success') recorded.add(caller);
}
