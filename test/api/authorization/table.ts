/**
 * Who may do what, written independently of the product's own matrix: every route, with what each role gets for an
 * object of its own organization and for one of a foreign organization. `y` is allowed, `-` is refused with 403. The
 * letters are, in this order: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
 */
import { unique } from '../../database/rows.ts';
import type { Person } from '../harness.ts';
import type { Scene } from './scene.ts';

export interface Row {
  /** The route as the server registers it. */
  readonly route: string;
  /** What is special about this row, if a route has several. */
  readonly of?: string;
  readonly own: string;
  /** Absent if the route names no object of an organization. */
  readonly foreign?: string;
  readonly path: (scene: Scene, me: Person) => string;
  readonly body?: (scene: Scene, me: Person) => unknown;
}

const cloudapi = '/cloudapi/1.0.0';

export const publicRoutes: readonly string[] = [
  'GET /',
  'GET /healthz',
  'GET /readyz',
  'GET /health/controller',
  'GET /api/v1/health',
  'GET /api/v1/version',
  'GET /api/versions',
  'GET /openapi.json',
  `POST ${cloudapi}/sessions`,
  `POST ${cloudapi}/sessions/provider`,
  'POST /oauth/tenant/:org/token',
  'POST /oauth/provider/token',
  // The ticket is the credential: packages/ssvirt/src/api/console/console.test.ts tries invalid ones.
  'GET /console/:ticket',
  'GET /console/:ticket/stream',
  'GET /console/assets/*',
];

/** Everything under the API explorer page. */
export const publicPrefix = 'GET /docs';

const everybody = 'yyyyy';
const nobody = '-----';
const system = 'y----';
const administrators = 'yy---';
const authors = 'yyy--';
const foreign = system;

const user = (): unknown => ({
  username: unique('user'),
  fullName: 'Some Body',
  email: 'some@example.com',
  password: 'correct horse battery',
});
const definition = { image: 'registry.example/fedora:42', cpus: 1, memoryMb: 1024 };

export const table: readonly Row[] = [
  { route: `GET ${cloudapi}/sessions/current`, own: everybody, path: () => `${cloudapi}/sessions/current` },
  {
    route: `GET ${cloudapi}/sessions/:sessionId`,
    of: 'of another user',
    own: nobody,
    foreign: nobody,
    path: ({ session }) => `${cloudapi}/sessions/urn:vcloud:session:${session}`,
  },
  {
    route: `DELETE ${cloudapi}/sessions/:sessionId`,
    of: 'of another user',
    own: nobody,
    foreign: nobody,
    path: ({ session }) => `${cloudapi}/sessions/urn:vcloud:session:${session}`,
  },
  { route: `DELETE ${cloudapi}/sessions/current`, own: everybody, path: () => `${cloudapi}/sessions/current` },
  { route: `DELETE ${cloudapi}/sessions`, own: everybody, path: () => `${cloudapi}/sessions` },

  {
    route: 'POST /oauth/tenant/:org/register',
    // A system administrator may not use a tenant's tokens.
    own: '-yyyy',
    foreign: nobody,
    path: ({ organization }) => `/oauth/tenant/${organization.name}/register`,
    body: () => ({ client_name: unique('client') }),
  },
  {
    route: 'POST /oauth/provider/register',
    own: system,
    path: () => '/oauth/provider/register',
    body: () => ({ client_name: unique('client') }),
  },
  { route: `GET ${cloudapi}/tokens`, own: everybody, path: () => `${cloudapi}/tokens` },
  {
    route: `GET ${cloudapi}/tokens/:tokenId`,
    of: 'of another user',
    own: administrators,
    foreign,
    path: ({ token }) => `${cloudapi}/tokens/urn:vcloud:token:${token}`,
  },
  {
    route: `DELETE ${cloudapi}/tokens/:tokenId`,
    of: 'of another user',
    own: administrators,
    foreign,
    path: ({ token }) => `${cloudapi}/tokens/urn:vcloud:token:${token}`,
  },

  // The task would not end otherwise.
  { route: `GET ${cloudapi}/events`, own: everybody, path: () => `${cloudapi}/events?follow=false` },

  { route: 'GET /api/v1/user/profile', own: everybody, path: () => '/api/v1/user/profile' },
  { route: `GET ${cloudapi}/users`, own: administrators, path: () => `${cloudapi}/users` },
  {
    route: `POST ${cloudapi}/users`,
    own: administrators,
    foreign,
    path: () => `${cloudapi}/users`,
    body: ({ organization }) => ({ ...(user() as object), organizationId: `urn:vcloud:org:${organization.id}` }),
  },
  {
    route: `GET ${cloudapi}/users/:userId`,
    of: 'another',
    own: administrators,
    foreign,
    path: (scene) => `${cloudapi}/users/urn:vcloud:user:${scene.user.id}`,
  },
  {
    route: `GET ${cloudapi}/users/:userId`,
    of: 'oneself',
    own: everybody,
    path: (_, me) => `${cloudapi}/users/urn:vcloud:user:${me.userId}`,
  },
  {
    route: `PUT ${cloudapi}/users/:userId`,
    of: 'another',
    own: administrators,
    foreign,
    path: (scene) => `${cloudapi}/users/urn:vcloud:user:${scene.user.id}`,
    body: () => ({ fullName: 'Other Name' }),
  },
  {
    route: `PUT ${cloudapi}/users/:userId`,
    of: 'oneself',
    own: everybody,
    path: (_, me) => `${cloudapi}/users/urn:vcloud:user:${me.userId}`,
    body: () => ({ fullName: 'My Name' }),
  },
  {
    route: `PUT ${cloudapi}/users/:userId`,
    of: 'oneself, to become an administrator',
    // Administrators may not change their own roles either; this one already has the role, so the request changes
    // nothing.
    own: 'y----',
    path: (_, me) => `${cloudapi}/users/urn:vcloud:user:${me.userId}`,
    body: () => ({ roleEntityRefs: [{ id: 'urn:vcloud:role:00000000-0000-4000-8000-000000000001' }] }),
  },
  {
    route: `DELETE ${cloudapi}/users/:userId`,
    own: administrators,
    foreign,
    path: (scene) => `${cloudapi}/users/urn:vcloud:user:${scene.user.id}`,
  },

  { route: `GET ${cloudapi}/roles`, own: everybody, path: () => `${cloudapi}/roles` },
  {
    route: `GET ${cloudapi}/roles/:roleId`,
    own: everybody,
    path: () => `${cloudapi}/roles/urn:vcloud:role:00000000-0000-4000-8000-000000000004`,
  },

  { route: `GET ${cloudapi}/orgs`, own: everybody, path: () => `${cloudapi}/orgs` },
  {
    route: `POST ${cloudapi}/orgs`,
    own: system,
    path: () => `${cloudapi}/orgs`,
    body: () => ({ name: unique('org') }),
  },
  {
    route: `GET ${cloudapi}/orgs/:orgId`,
    own: everybody,
    foreign,
    path: ({ organization }) => `${cloudapi}/orgs/urn:vcloud:org:${organization.id}`,
  },
  {
    route: `PUT ${cloudapi}/orgs/:orgId`,
    own: system,
    foreign,
    path: ({ organization }) => `${cloudapi}/orgs/urn:vcloud:org:${organization.id}`,
    body: () => ({ description: 'changed' }),
  },
  {
    route: `DELETE ${cloudapi}/orgs/:orgId`,
    // The organization has users and more; a caller who may delete it gets that as the reason.
    own: 'c----',
    foreign: 'c----',
    path: ({ organization }) => `${cloudapi}/orgs/urn:vcloud:org:${organization.id}`,
  },

  { route: `GET ${cloudapi}/vdcs`, own: everybody, path: () => `${cloudapi}/vdcs` },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}`,
  },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId/usage`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/usage`,
  },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId/instanceTypes`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/instanceTypes`,
  },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId/preferences`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/preferences`,
  },
  {
    route: 'GET /api/admin/org/:orgId/vdcs',
    own: system,
    foreign,
    path: ({ organization }) => `/api/admin/org/urn:vcloud:org:${organization.id}/vdcs`,
  },
  {
    route: 'POST /api/admin/org/:orgId/vdcs',
    own: system,
    foreign,
    path: ({ organization }) => `/api/admin/org/urn:vcloud:org:${organization.id}/vdcs`,
    body: () => ({ name: unique('vdc'), allocationModel: 'PayAsYouGo' }),
  },
  {
    route: 'GET /api/admin/org/:orgId/vdcs/:vdcId',
    own: system,
    foreign,
    path: ({ organization, vdc }) => `/api/admin/org/urn:vcloud:org:${organization.id}/vdcs/urn:vcloud:vdc:${vdc.id}`,
  },
  {
    route: 'PUT /api/admin/org/:orgId/vdcs/:vdcId',
    own: system,
    foreign,
    path: ({ organization, vdc }) => `/api/admin/org/urn:vcloud:org:${organization.id}/vdcs/urn:vcloud:vdc:${vdc.id}`,
    body: () => ({ description: 'changed' }),
  },
  {
    route: 'DELETE /api/admin/org/:orgId/vdcs/:vdcId',
    own: system,
    foreign,
    path: ({ organization, vdc }) => `/api/admin/org/urn:vcloud:org:${organization.id}/vdcs/urn:vcloud:vdc:${vdc.id}`,
  },

  { route: `GET ${cloudapi}/vapps`, own: everybody, path: () => `${cloudapi}/vapps` },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId/vapps`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/vapps`,
  },
  {
    route: `POST ${cloudapi}/vdcs/:vdcId/vapps`,
    own: authors,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/vapps`,
    body: () => ({ name: unique('vapp') }),
  },
  {
    route: `POST ${cloudapi}/vdcs/:vdcId/actions/instantiateTemplate`,
    own: authors,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/actions/instantiateTemplate`,
    body: ({ item }) => ({ name: unique('vapp'), catalogItem: { id: `urn:vcloud:catalogitem:${item.id}` } }),
  },
  {
    route: `GET ${cloudapi}/vapps/:vappId`,
    own: everybody,
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}`,
  },
  {
    route: `PUT ${cloudapi}/vapps/:vappId`,
    own: authors,
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}`,
    body: () => ({ name: unique('vapp') }),
  },
  {
    route: `DELETE ${cloudapi}/vapps/:vappId`,
    own: authors,
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}?force=true`,
  },
  {
    route: `GET ${cloudapi}/vapps/:vappId/vms`,
    own: everybody,
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}/vms`,
  },
  {
    route: `POST ${cloudapi}/vapps/:vappId/vms`,
    own: authors,
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}/vms`,
    body: () => ({ name: unique('vm'), ...definition }),
  },
  ...['powerOn', 'powerOff', 'shutdown', 'reset', 'reboot', 'suspend', 'resume'].map((word): Row => ({
    route: `POST ${cloudapi}/vapps/:vappId/actions/${word}`,
    own: 'yyyy-',
    foreign,
    path: ({ vapp }) => `${cloudapi}/vapps/urn:vcloud:vapp:${vapp.id}/actions/${word}`,
  })),

  { route: `GET ${cloudapi}/catalogs`, own: everybody, path: () => `${cloudapi}/catalogs` },
  {
    route: `POST ${cloudapi}/catalogs`,
    own: 'yyy--',
    foreign,
    path: () => `${cloudapi}/catalogs`,
    body: ({ organization }) => ({ name: unique('catalog'), orgId: `urn:vcloud:org:${organization.id}` }),
  },
  {
    route: `GET ${cloudapi}/catalogs/:catalogId`,
    own: everybody,
    foreign,
    path: ({ catalog }) => `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}`,
  },
  {
    route: `PUT ${cloudapi}/catalogs/:catalogId`,
    of: 'of another user',
    own: administrators,
    foreign,
    path: ({ catalog }) => `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}`,
    body: () => ({ description: 'changed' }),
  },
  {
    route: `DELETE ${cloudapi}/catalogs/:catalogId`,
    of: 'of another user',
    own: administrators,
    foreign,
    path: ({ emptyCatalog }) => `${cloudapi}/catalogs/urn:vcloud:catalog:${emptyCatalog.id}`,
  },
  {
    route: `GET ${cloudapi}/catalogs/:catalogId/catalogItems`,
    own: everybody,
    foreign,
    path: ({ catalog }) => `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}/catalogItems`,
  },
  {
    route: `POST ${cloudapi}/catalogs/:catalogId/catalogItems`,
    of: 'in the catalog of another user',
    own: administrators,
    foreign,
    path: ({ catalog }) => `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}/catalogItems`,
    body: () => ({ name: unique('item'), definition }),
  },
  {
    route: `GET ${cloudapi}/catalogs/:catalogId/catalogItems/:itemId`,
    own: everybody,
    foreign,
    path: ({ catalog, item }) =>
      `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}/catalogItems/urn:vcloud:catalogitem:${item.id}`,
  },
  {
    route: `PUT ${cloudapi}/catalogs/:catalogId/catalogItems/:itemId`,
    of: 'in the catalog of another user',
    own: administrators,
    foreign,
    path: ({ catalog, item }) =>
      `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}/catalogItems/urn:vcloud:catalogitem:${item.id}`,
    body: () => ({ description: 'changed' }),
  },
  {
    route: `DELETE ${cloudapi}/catalogs/:catalogId/catalogItems/:itemId`,
    of: 'in the catalog of another user',
    own: administrators,
    foreign,
    path: ({ catalog, item }) =>
      `${cloudapi}/catalogs/urn:vcloud:catalog:${catalog.id}/catalogItems/urn:vcloud:catalogitem:${item.id}`,
  },

  { route: `GET ${cloudapi}/tasks`, own: everybody, path: () => `${cloudapi}/tasks` },
  {
    route: `GET ${cloudapi}/tasks/:taskId`,
    own: everybody,
    foreign,
    path: ({ task }) => `${cloudapi}/tasks/urn:vcloud:task:${task.id}`,
  },
  {
    route: `POST ${cloudapi}/tasks/:taskId/cancel`,
    of: 'of another user',
    own: administrators,
    foreign,
    path: ({ task }) => `${cloudapi}/tasks/urn:vcloud:task:${task.id}/cancel`,
  },

  { route: `GET ${cloudapi}/vms`, own: everybody, path: () => `${cloudapi}/vms` },
  {
    route: `GET ${cloudapi}/vdcs/:vdcId/vms`,
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/vms`,
  },
  {
    route: `POST ${cloudapi}/vdcs/:vdcId/vms`,
    own: 'yyy--',
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/vms`,
    body: () => ({ name: unique('vm'), ...definition }),
  },
  {
    route: `POST ${cloudapi}/vdcs/:vdcId/actions/validateVm`,
    own: authors,
    foreign,
    path: ({ vdc }) => `${cloudapi}/vdcs/urn:vcloud:vdc:${vdc.id}/actions/validateVm`,
    body: () => ({ name: unique('vm'), ...definition }),
  },
  {
    route: `GET ${cloudapi}/vms/:vmId`,
    own: everybody,
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}`,
  },
  {
    route: `GET ${cloudapi}/vms/:vmId/explanation`,
    own: everybody,
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/explanation`,
  },
  {
    route: `PUT ${cloudapi}/vms/:vmId`,
    own: 'yyy--',
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}`,
    body: () => ({ description: 'changed' }),
  },
  {
    route: `DELETE ${cloudapi}/vms/:vmId`,
    own: 'yyy--',
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}?force=true`,
  },
  ...['powerOn', 'powerOff', 'shutdown', 'reset', 'reboot', 'suspend', 'resume'].map((word) => ({
    route: `POST ${cloudapi}/vms/:vmId/actions/${word}`,
    own: 'yyyy-',
    foreign,
    path: ({ vm }: Scene) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/actions/${word}`,
  })),
  {
    route: `GET ${cloudapi}/vms/:vmId/disks`,
    own: everybody,
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/disks`,
  },
  {
    route: `POST ${cloudapi}/vms/:vmId/disks`,
    own: 'yyy--',
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/disks`,
    body: () => ({ name: 'more', sizeGb: 1 }),
  },
  {
    route: `DELETE ${cloudapi}/vms/:vmId/disks/:disk`,
    own: 'yyy--',
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/disks/data`,
  },
  {
    route: `POST ${cloudapi}/vms/:vmId/consoleTicket`,
    own: 'yyyy-',
    foreign,
    path: ({ vm }) => `${cloudapi}/vms/urn:vcloud:vm:${vm.id}/consoleTicket`,
    body: () => ({ kind: 'vnc' }),
  },

  { route: `GET ${cloudapi}/auditTrail`, own: administrators, path: () => `${cloudapi}/auditTrail` },
  {
    route: `GET ${cloudapi}/auditTrail/:eventId`,
    own: administrators,
    foreign,
    path: ({ auditEvent }) => `${cloudapi}/auditTrail/urn:vcloud:auditTrail:${auditEvent}`,
  },
  { route: `GET ${cloudapi}/syncFailures`, own: system, path: () => `${cloudapi}/syncFailures` },
  {
    route: `GET ${cloudapi}/syncFailures/:failureId`,
    own: system,
    path: ({ syncFailure }) => `${cloudapi}/syncFailures/urn:vcloud:syncFailure:${syncFailure}`,
  },
  {
    route: `POST ${cloudapi}/syncFailures/:failureId/actions/retry`,
    own: system,
    path: ({ syncFailure }) => `${cloudapi}/syncFailures/urn:vcloud:syncFailure:${syncFailure}/actions/retry`,
  },
  { route: `GET ${cloudapi}/summary`, own: everybody, path: () => `${cloudapi}/summary` },
  {
    route: `GET ${cloudapi}/summary`,
    of: 'of a virtual data center',
    own: everybody,
    foreign,
    path: ({ vdc }) => `${cloudapi}/summary?vdc=urn:vcloud:vdc:${vdc.id}`,
  },
  {
    route: `POST ${cloudapi}/orders/validate`,
    own: everybody,
    path: () => `${cloudapi}/orders/validate`,
    body: () => ({ templateID: 'osac.templates.ocp_virt_vm' }),
  },
  { route: `GET ${cloudapi}/clusters`, own: system, path: () => `${cloudapi}/clusters` },
  { route: `GET ${cloudapi}/machines`, own: system, path: () => `${cloudapi}/machines` },
  { route: `GET ${cloudapi}/orders`, own: system, path: () => `${cloudapi}/orders` },
  { route: `GET ${cloudapi}/clusters/:clusterName`, own: system, path: () => `${cloudapi}/clusters/local` },
];
