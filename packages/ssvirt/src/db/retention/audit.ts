/** Who did what to which object, and the result. Rows are only appended; only the retention removes them. */
import type { Insertable, Kysely, Selectable } from 'kysely';

import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { auditEventList } from '../lists/definitions.ts';
import { readList } from '../lists/read-list.ts';
import type { AuditEventId, AuditEventTable, Tables } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';

export interface AuditEvent extends Selectable<AuditEventTable> {
  /** The present name; null when the organization's row was removed. */
  readonly organization_name: string | null;
}

export type NewAuditEvent = Omit<Insertable<AuditEventTable>, 'id' | 'at'>;

export async function appendAuditEvent(db: Kysely<Tables>, event: NewAuditEvent): Promise<void> {
  await db.insertInto('audit_events').values(event).execute();
}

export function getAuditEvent(db: Kysely<Tables>, scope: Scope, id: AuditEventId): Promise<AuditEvent | undefined> {
  return auditEvents(db, scope).where('audit_events.id', '=', id).executeTakeFirst();
}

export function listAuditEvents(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<AuditEvent>> {
  return readList(auditEventList, auditEvents(db, scope), asked);
}

/** A left join, so that PostgreSQL can skip it when rows are counted. */
function auditEvents(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('audit_events')
    .leftJoin('organizations', 'organizations.id', 'audit_events.organization_id')
    .selectAll('audit_events')
    .select('organizations.name as organization_name')
    .where(inScope(scope, 'audit_events.organization_id'));
}
