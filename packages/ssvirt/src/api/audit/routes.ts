/** The audit log: the provider reads all of it, administrators of an organization only their own. */
import { Type, type Static } from 'typebox';
import { getAuditEvent, listAuditEvents, type AuditEvent } from '../../db/retention/audit.ts';
import type { ApiContext } from '../deps.ts';
import { found } from '../errors.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { named, EntityRef, ListQuery, orNull, PageOf, Timestamp, UrnSchema } from '../http/schemas.ts';
import { idOf, urnOf, type UrnKind } from '../urn.ts';

const AuditEventBody = named(
  'AuditEvent',
  Type.Object({
    id: Type.String(),
    eventId: Type.String({ description: 'The URN without its prefix' }),
    timestamp: Timestamp,
    action: Type.String({ description: 'The operation, as in the access matrix' }),
    outcome: Type.String({ description: 'success, refused or failed' }),
    user: orNull(EntityRef),
    org: orNull(EntityRef),
    entity: orNull(EntityRef),
    requestId: Type.String(),
    clientAddress: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
);

export function auditRoutes(app: ApiApp, { database: { db } }: ApiContext): void {
  const tags = ['audit'];

  app.get(
    '/cloudapi/1.0.0/auditTrail',
    {
      config: operation('audit.list'),
      schema: {
        operationId: 'listAuditEvents',
        tags,
        summary: 'List audit events, newest first',
        querystring: ListQuery,
        response: { 200: PageOf(AuditEventBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await listAuditEvents(db, callerOf(request).scope, asked);
      return sendPage({ request, reply, model: 'AuditTrailEvents' }, asked, page, render);
    },
  );

  app.get(
    '/cloudapi/1.0.0/auditTrail/:eventId',
    {
      config: operation('audit.get'),
      schema: {
        operationId: 'getAuditEvent',
        tags,
        summary: 'Get an audit event',
        params: Type.Object({ eventId: UrnSchema('auditTrail', 'The audit event') }),
        response: { 200: AuditEventBody },
      },
    },
    async (request) => {
      const id = idOf('auditTrail', request.params.eventId, 'eventId');
      return render(found(await getAuditEvent(db, callerOf(request).scope, id)));
    },
  );
}

function render(event: AuditEvent): Static<typeof AuditEventBody> {
  const { entity_id, entity_kind, entity_name, user_id, organization_id } = event;
  return {
    id: urnOf('auditTrail', event.id),
    eventId: event.id,
    timestamp: event.at.toISOString(),
    action: event.action,
    outcome: event.outcome,
    user: user_id === null ? null : { name: event.user_name, id: urnOf('user', user_id) },
    org: organization_id === null ? null : { name: event.organization_name ?? '', id: urnOf('org', organization_id) },
    entity: entity_id === null ? null : { name: entity_name, id: urnOf(entity_kind as UrnKind, entity_id as never) },
    requestId: event.request_id,
    clientAddress: event.client_address,
    details: { ...event.details },
  };
}
