import { Type, type Static } from 'typebox';
import type { Session } from '../../../db/tenants/sessions.ts';
import { isRoleName, roleIdOf } from '../../tenants/users/role-ids.ts';
import { named, EntityRef } from '../../http/schemas.ts';
import { urnOf } from '../../urn.ts';

export const SessionBody = named(
  'Session',
  Type.Object(
    {
      id: Type.String(),
      site: EntityRef,
      user: EntityRef,
      org: EntityRef,
      operatingOrg: EntityRef,
      location: Type.String({ description: 'The organization and the site, as <uuid>@<uuid>' }),
      roles: Type.Array(Type.String()),
      roleRefs: Type.Array(EntityRef),
      sessionIdleTimeoutMinutes: Type.Integer(),
    },
    { description: 'A session' },
  ),
);

export const CurrentSessionBody = named(
  'CurrentSession',
  Type.Object({
    ...SessionBody.properties,
    operations: Type.Array(Type.String(), {
      description: 'The ids of the operations of this document that your roles permit, sorted',
    }),
  }),
);

/** `Site` is the site of the session: this installation. */
export interface Site {
  readonly id: string;
  readonly name: string;
  readonly sessionIdleMs: number;
}

export function renderSession(session: Session, site: Site): Static<typeof SessionBody> {
  const org = { name: session.organization_name, id: urnOf('org', session.organization_id) };
  return {
    id: urnOf('session', session.id),
    site: { name: site.name, id: `urn:vcloud:site:${site.id}` },
    user: { name: session.username, id: urnOf('user', session.user_id) },
    org,
    operatingOrg: org,
    location: `${session.organization_id}@${site.id}`,
    roles: [...session.roles],
    roleRefs: session.roles.filter(isRoleName).map((name) => ({ name, id: urnOf('role', roleIdOf[name]) })),
    sessionIdleTimeoutMinutes: Math.max(1, Math.round(site.sessionIdleMs / 60_000)),
  };
}
