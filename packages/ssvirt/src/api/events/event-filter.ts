/** Which changes an event stream sends. */
import { defined } from '@ssvirt/base/values/defined';
import type { Change } from '../../db/change-log/changes.ts';
import type { VappId, VdcId } from '../../db/schema/schema.ts';
import type { Scope } from '../../db/schema/scope.ts';
import { hasRole, isSystemAdministrator, type Caller } from '../caller.ts';
import { badRequest } from '../errors.ts';
import { eventKinds, isEventKind, type EventKind } from './event.ts';

export interface EventFilter {
  readonly scope: Scope;
  readonly kinds: ReadonlySet<EventKind>;
  readonly vdc?: VdcId;
  readonly vapp?: VappId;
  /** Only changes of this object and of its tasks; a bare uuid. */
  readonly entity?: string;
}

export interface EventFilterRequest {
  /** Names, separated by commas; default: all that the caller may see. */
  readonly kinds?: string | undefined;
  readonly vdc?: VdcId | undefined;
  readonly vapp?: VappId | undefined;
  readonly entity?: string | undefined;
}

export function eventFilterOf(caller: Caller, { kinds, vdc, vapp, entity }: EventFilterRequest): EventFilter {
  const visible = new Set(eventKinds.filter((kind) => mayHearOf(caller, kind)));
  const asked =
    kinds === undefined ? visible : new Set(kinds.split(',').map((name) => kindNamed(name.trim(), visible)));
  return {
    scope: caller.scope,
    kinds: asked,
    ...defined({ vdc, vapp, entity }),
  };
}

/**
 * The same rules as for the lists of these kinds. Clusters belong to no organization, so an administrator who has
 * selected a tenant sees none.
 */
function mayHearOf(caller: Caller, kind: EventKind): boolean {
  if (kind === 'cluster') return isSystemAdministrator(caller) && caller.scope === 'all';
  if (kind === 'user') return hasRole(caller, 'System Administrator', 'Organization Administrator');
  return true;
}

function kindNamed(name: string, visible: ReadonlySet<EventKind>): EventKind {
  if (isEventKind(name) && visible.has(name)) return name;
  throw badRequest(
    `kinds: "${name.slice(0, 50)}" is not a kind of event that you can receive; use ${[...visible].join(', ')}.`,
  );
}

export function sees(filter: EventFilter, change: Change): boolean {
  const { scope, kinds, vdc, vapp, entity } = filter;
  if (!isEventKind(change.kind) || !kinds.has(change.kind)) return false;
  if (scope !== 'all' && change.organizationId !== scope) return false;
  if (vdc !== undefined && change.vdcId !== vdc) return false;
  // Staleness concerns everything in the virtual data center, so also streams of a single object or vApp in it.
  if (change.kind === 'vdc' && change.data['stale'] !== undefined) return true;
  if (vapp !== undefined && change.vappId !== vapp) return false;
  return entity === undefined || change.entityId === entity || change.data['ownerId'] === entity;
}
