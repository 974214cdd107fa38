/** Ids of entities in requests and responses: `urn:vcloud:vm:<uuid>`. The code inside uses bare uuids. */
import type {
  ApiTokenId,
  AuditEventId,
  CatalogId,
  CatalogItemId,
  OrganizationId,
  RoleId,
  SessionId,
  SyncFailureId,
  TaskId,
  UserId,
  VappId,
  VdcId,
  VmId,
} from '../db/schema/schema.ts';
import { badRequest } from './errors.ts';
import { urnPattern } from './http/texts.ts';

interface Ids {
  readonly org: OrganizationId;
  readonly role: RoleId;
  readonly user: UserId;
  readonly session: SessionId;
  readonly token: ApiTokenId;
  readonly vdc: VdcId;
  readonly catalog: CatalogId;
  readonly catalogitem: CatalogItemId;
  readonly vapp: VappId;
  readonly vm: VmId;
  readonly task: TaskId;
  readonly auditTrail: AuditEventId;
  readonly syncFailure: SyncFailureId;
}

export type UrnKind = keyof Ids;

export function urnOf<K extends UrnKind>(kind: K, id: Ids[K]): string {
  return `urn:vcloud:${kind}:${id}`;
}

const patterns = new Map<UrnKind, RegExp>();

function patternOf(kind: UrnKind): RegExp {
  const known = patterns.get(kind) ?? new RegExp(urnPattern(kind));
  patterns.set(kind, known);
  return known;
}

/** `idOf` returns the uuid in a URN of that kind; `field` is where it was found. */
export function idOf<K extends UrnKind>(kind: K, text: string, field: string): Ids[K] {
  if (!patternOf(kind).test(text))
    throw badRequest(
      `${field}: "${text.slice(0, 100)}" is not urn:vcloud:${kind}:UUID with a UUID in lower case; check the id`,
    );
  return text.slice(-36) as Ids[K];
}
