/** Changes as they are sent: each is one server-sent event. */
import { defined } from '@ssvirt/base/values/defined';
import { formatPosition, type Change, type Position } from '../../db/change-log/changes.ts';
import type { UrnKind } from '../urn.ts';

/** `eventKinds` are the kinds of events, by their name in the change log. `cluster` is for the provider, `user` for administrators. */
export const eventKinds = [
  'vm',
  'vapp',
  'task',
  'vdc',
  'catalog',
  'catalogItem',
  'organization',
  'user',
  'cluster',
] as const;

export type EventKind = (typeof eventKinds)[number];

const urnKinds: Readonly<Record<Exclude<EventKind, 'cluster'>, UrnKind>> = {
  vm: 'vm',
  vapp: 'vapp',
  task: 'task',
  vdc: 'vdc',
  catalog: 'catalog',
  catalogItem: 'catalogitem',
  organization: 'org',
  user: 'user',
};

export function isEventKind(kind: string): kind is EventKind {
  return (eventKinds as readonly string[]).includes(kind);
}

/** `eventText` returns the lines of the event, with the final empty line. */
export function eventText(kind: EventKind, change: Change): string {
  return `id: ${formatPosition(change.position)}\nevent: ${kind}\ndata: ${JSON.stringify(eventBody(kind, change))}\n\n`;
}

/** `readyText` returns the position of the stream: a client that is disconnected before the first event resumes from here. */
export function readyText(position: Position): string {
  return `id: ${formatPosition(position)}\nevent: ready\ndata: {}\n\n`;
}

/** Changes were missed: the client has to reload its data. */
export function resetText(position: Position): string {
  return `id: ${formatPosition(position)}\nevent: reset\ndata: {"message":"Changes before this were missed: reload your data."}\n\n`;
}

function eventBody(kind: EventKind, change: Change): Readonly<Record<string, unknown>> {
  const { operation, entityId, organizationId, vdcId, vappId, at } = change;
  return {
    type: kind,
    operation,
    ...(kind === 'cluster' ? {} : { id: urn(kind, entityId) }),
    at: at.toISOString(),
    ...(organizationId === undefined ? {} : { org: { id: urn('organization', organizationId) } }),
    ...(vdcId === undefined ? {} : { vdc: { id: urn('vdc', vdcId) } }),
    ...(vappId === undefined ? {} : { vapp: { id: urn('vapp', vappId) } }),
    ...detailsOf(kind, change.data),
  };
}

/** Lists fields explicitly: a field that is added to the log for other readers is not sent to tenants. */
function detailsOf(kind: EventKind, data: Change['data']): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'vm': {
      const { status, previous, stale } = data;
      if (status === undefined) return {};
      return { status, previousStatus: previous ?? null, ...defined({ stale }) };
    }
    case 'vapp':
      return data['creation'] === undefined ? {} : { creation: data['creation'] };
    case 'task': {
      const { status, progress, operation, ownerKind, ownerId } = data;
      return { status, progress, operationName: operation, owner: { id: ownerUrn(ownerKind, ownerId) } };
    }
    case 'cluster':
      return {
        name: data['name'],
        state: data['state'],
        ...defined({ stale: data['stale'] }),
      };
    // The status of its VMs and vApps has become stale or current again.
    case 'vdc':
      return data['stale'] === undefined ? {} : { stale: data['stale'] };
    default:
      return {};
  }
}

function ownerUrn(kind: unknown, id: unknown): string {
  return typeof kind === 'string' && isEventKind(kind) && kind !== 'cluster' ? urn(kind, String(id)) : String(id);
}

function urn(kind: Exclude<EventKind, 'cluster'>, id: string): string {
  return `urn:vcloud:${urnKinds[kind]}:${id}`;
}
