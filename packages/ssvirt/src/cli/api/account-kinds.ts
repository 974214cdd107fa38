/** The kinds of API objects that are about users: roles, API tokens, and what was done by whom. */
import type { Schemas } from '@ssvirt/api-client/client';
import { age } from './age.ts';
import { dataOf } from './data-of.ts';
import type { DeletableKind, Kind } from './kind.ts';

export const roles: Kind<Schemas['Role']> = {
  noun: 'role',
  singular: 'role',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/roles', { params: { query } })),
  get: (api, roleId) => dataOf(api.GET('/cloudapi/1.0.0/roles/{roleId}', { params: { path: { roleId } } })),
  urn: 'role',
  nameField: 'name',
  view: {
    plural: 'roles',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'DESCRIPTION', cell: ({ description }) => description },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};

export const tokens: DeletableKind<Schemas['Token']> = {
  noun: 'token',
  singular: 'API token',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/tokens', { params: { query } })),
  get: (api, tokenId) => dataOf(api.GET('/cloudapi/1.0.0/tokens/{tokenId}', { params: { path: { tokenId } } })),
  delete: (api, { id: tokenId }) =>
    dataOf(api.DELETE('/cloudapi/1.0.0/tokens/{tokenId}', { params: { path: { tokenId } } })),
  urn: 'token',
  nameField: 'name',
  whereabouts: ({ owner, org }) => `${owner.name}@${org.name}`,
  view: {
    plural: 'API tokens',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'OWNER', cell: ({ owner, org }) => `${owner.name}@${org.name}` },
      { header: 'EXPIRES', cell: ({ expirationDate }) => expirationDate ?? 'never' },
      { header: 'LAST USED', cell: ({ lastUsedAt }) => age(lastUsedAt) },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};

export const auditEvents: Kind<Schemas['AuditEvent']> = {
  noun: 'audit',
  singular: 'audit event',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/auditTrail', { params: { query } })),
  get: (api, eventId) => dataOf(api.GET('/cloudapi/1.0.0/auditTrail/{eventId}', { params: { path: { eventId } } })),
  urn: 'auditTrail',
  view: {
    plural: 'audit events',
    name: ({ id }) => id,
    columns: [
      { header: 'TIME', cell: ({ timestamp }) => timestamp },
      { header: 'ACTION', cell: ({ action }) => action },
      { header: 'OUTCOME', cell: ({ outcome }) => outcome },
      { header: 'USER', cell: ({ user }) => user?.name },
      { header: 'ORGANIZATION', cell: ({ org }) => org?.name },
      { header: 'OBJECT', cell: ({ entity }) => entity?.name },
      { header: 'ADDRESS', cell: ({ clientAddress }) => clientAddress, wide: true },
      { header: 'REQUEST', cell: ({ requestId }) => requestId, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};
