/** Who did what to what, and how it ended. Rows are appended, and only the retention removes them. */
import type { Insertable, Kysely, Selectable } from 'kysely';

import { newestFirst, readPage, type Page, type PageRequest } from './page.ts';
import type { AuditEventTable, Tables } from './schema.ts';
import { inScope, type Scope } from './scope.ts';

export type AuditEvent = Selectable<AuditEventTable>;
export type NewAuditEvent = Omit<Insertable<AuditEventTable>, 'id' | 'at'>;

export async function appendAuditEvent(db: Kysely<Tables>, event: NewAuditEvent): Promise<void> {
  await db.insertInto('audit_events').values(event).execute();
}

export function listAuditEvents(db: Kysely<Tables>, scope: Scope, page: PageRequest): Promise<Page<AuditEvent>> {
  const events = db.selectFrom('audit_events').selectAll().where(inScope(scope, 'audit_events.organization_id'));
  return readPage(events, newestFirst('audit_events', 'at'), page);
}
