/** Who did what: written in the transaction that does it, so that one is never there without the other. */
import type { Kysely } from 'kysely';
import { appendAuditEvent } from '../../db/audit.ts';
import type { AuditOutcome, JsonObject, OrganizationId, Tables } from '../../db/schema.ts';
import type { Operation } from '../access/matrix.ts';
import type { Caller } from '../caller.ts';
import type { UrnKind } from '../urn.ts';

export interface Deed {
  readonly action: Operation;
  readonly entity?: { readonly kind: UrnKind; readonly id: string; readonly name: string };
  /** Whose log it belongs to; that of the caller's organisation unless said. */
  readonly organizationId?: OrganizationId;
  readonly outcome?: AuditOutcome;
  /** Names of fields that were changed and the like; never a secret. */
  readonly details?: JsonObject;
}

/** Callers (of one request each) whose refusal or failure has been put down by who knew more of it. */
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
