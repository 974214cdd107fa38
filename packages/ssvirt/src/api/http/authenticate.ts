/**
 * Maps the token of a request to its caller, by the matrix: 401 without a valid session, 403 if no role permits the
 * operation.
 */
import { hash } from 'node:crypto';
import type { Session } from '../../db/tenants/sessions.ts';
import type { OrganizationId } from '../../db/schema/schema.ts';
import { ruleOf, type Operation } from '../auth/access/matrix.ts';
import { roleNames, type Caller, type RoleName } from '../caller.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { Request } from './app-types.ts';
import { clientAddress } from './client-address.ts';

export interface SessionLookup {
  /** Looks up the live session of a token's hash, and records its use. */
  (tokenHash: Buffer): Promise<Session | undefined>;
}

/** Undefined for a public operation. */
export async function authenticate(
  request: Request,
  operation: Operation,
  lookup: SessionLookup,
): Promise<Caller | undefined> {
  const rule = ruleOf(operation);
  if (rule.access === 'public') return undefined;
  const token = tokenOf(request);
  const session = token === undefined ? undefined : await lookup(hashOfToken(token));
  if (session === undefined) throw unauthorized();
  const caller = callerOfSession(session, request);
  // Set before the role check, so that the log and the audit know who was refused.
  request.caller = caller;
  if (!rule.roles.some((role) => caller.roles.includes(role)))
    throw new ApiError(
      'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      `None of your roles (${caller.roles.join(', ') || 'none'}) permits this; it requires ${rule.roles.join(' or ')}.`,
    );
  return caller;
}

export function unauthorized(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'There is no valid session: log in at /cloudapi/1.0.0/sessions and send its token as "Authorization: Bearer …".',
  );
}

export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** `Authorization: Bearer T` in any case, or VCD's own header, which one client sends twice. */
export function tokenOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const bearer = /^bearer +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const own = headers['x-vmware-vcloud-access-token'];
  const text = Array.isArray(own) ? own[0] : own;
  return text?.split(',')[0]?.trim() || undefined;
}

function callerOfSession(session: Session, request: Request): Caller {
  const roles = session.roles.filter((role): role is RoleName => (roleNames as readonly string[]).includes(role));
  const isSystem = roles.includes('System Administrator');
  return {
    sessionId: session.id,
    userId: session.user_id,
    userName: session.username,
    organizationId: session.organization_id,
    organizationName: session.organization_name,
    roles,
    scope: isSystem ? (tenantContext(request) ?? 'all') : session.organization_id,
    ...(session.api_token_id === null ? {} : { apiTokenId: session.api_token_id }),
    requestId: request.id,
    clientAddress: clientAddress(request),
  };
}

/** A system administrator may select one tenant; the header has its uuid or URN. */
function tenantContext({ headers }: Request): OrganizationId | undefined {
  const named = headers['x-vmware-vcloud-tenant-context'];
  if (named === undefined || named === '') return undefined;
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(String(named))?.[0];
  if (id === undefined)
    throw badRequest('X-VMWARE-VCLOUD-TENANT-CONTEXT: must be the uuid or the URN of an organization');
  return id as OrganizationId;
}
