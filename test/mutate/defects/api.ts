/** Defects of the API server: who may do what, and what an answer or a log may hold. */
import { named, type Defect } from '../defect.ts';

const consoleTest = named(
  'packages/ssvirt/src/api/console/console.test.ts',
  'it is for the serial console by default, and for no other kind',
);
const eventsTest = named(
  'packages/ssvirt/src/api/events/events.test.ts',
  'refuses what it cannot follow, with the field and the rule',
);
const instantiationTest = named(
  'packages/ssvirt/src/api/vapps/instantiation/instantiation.test.ts',
  'keeps secrets out of the items of a catalog',
);
const vmsTest = named('packages/ssvirt/src/api/vms/vms.test.ts', 'a refused value of cloud-init is not repeated');

export const api: readonly Defect[] = [
  {
    file: 'packages/ssvirt/src/api/http/authenticate.ts',
    source: 'if (!rule.roles.some((role) => caller.roles.includes(role)))',
    replacement: 'if (rule.roles.length === 0)',
    why: 'roles are not checked',
    noticedBy: { file: 'packages/ssvirt/src/api/tenants/users/users.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/caller.ts',
    source: "if (scope !== 'all' && scope !== asked) throw noAccess();",
    replacement: '',
    why: 'a tenant names another organization in the request and gets it',
    noticedBy: { file: 'packages/ssvirt/src/api/vdcs/vdcs.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/errors.ts',
    source: 'if (row === undefined) throw noAccess();',
    replacement: "if (row === undefined) throw new ApiError('NOT_FOUND', 'There is none.');",
    why: 'an answer tells foreign objects from missing ones',
    noticedBy: { file: 'packages/ssvirt/src/api/app.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/catalogs/catalogs/access.ts',
    source: "if (scope !== 'all' && catalog.organization_id !== scope)",
    replacement: "if (scope === 'all' && catalog.organization_id === scope)",
    why: 'a catalog that another organization publishes can be changed',
    noticedBy: { file: 'packages/ssvirt/src/api/catalogs/catalogs/catalogs.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/catalog/parameters.ts',
    source: 'standing === undefined || isSecret(name, standing) ? undefined',
    replacement: 'standing === undefined ? undefined',
    why: 'secret parameters of templates are shown',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/catalog/catalog.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/tenants/console-tickets.ts',
    source: 't.used_at IS NULL AND t.expires_at > now()',
    replacement: 't.expires_at > now()',
    why: 'a console ticket can be used twice',
    noticedBy: consoleTest(
      'used, expired, foreign and unknown tickets get one answer, from the websocket and from the page',
    ),
  },
  {
    file: 'packages/ssvirt/src/db/tenants/console-tickets.ts',
    source: '(d.organization_id = s.organization_id OR',
    replacement: '(true OR',
    why: 'a console ticket opens the console of another organization',
    noticedBy: consoleTest(
      'used, expired, foreign and unknown tickets get one answer, from the websocket and from the page',
    ),
  },
  {
    file: 'packages/ssvirt/src/api/events/event-filter.ts',
    source: "if (scope !== 'all' && change.organizationId !== scope) return false;",
    replacement: '',
    why: 'the event stream reports changes of other organizations',
    noticedBy: eventsTest('says nothing of other organisations, nor of what only administrators see'),
  },
  {
    file: 'packages/ssvirt/src/api/http/error-answer.ts',
    source: 'return ofFastify(error, bodyLimit) ?? internal(error);',
    replacement: "return ofFastify(error, bodyLimit) ?? new ApiError('INTERNAL_SERVER_ERROR', String(error));",
    why: 'an error answer holds internal details',
    noticedBy: { file: 'packages/ssvirt/src/api/audit/audit.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/vapps/instantiation/service.ts',
    source: 'parameters: Object.keys(asked.parameters ?? {})',
    replacement: 'parameters: { ...asked.parameters }',
    why: 'the audit log holds passwords',
    noticedBy: instantiationTest(
      'shows the values of parameters nowhere, and those that it generates in its own answer only',
    ),
  },
  {
    file: 'packages/ssvirt/src/api/vapps/instantiation/template-plan.ts',
    source: '  checkTemplate(place, entry, given, values);\n  return { values, generated, machines };',
    replacement: '  return { values, generated, machines };',
    why: 'a template parameter clones a disk from any namespace',
    noticedBy: instantiationTest('refuses a disk of another tenant, by a parameter of common, and writes nothing'),
  },
  {
    file: 'packages/ssvirt/src/db/vdcs/vdcs.ts',
    source: "inScope(scope, 'vdcs.organization_id')",
    replacement: "inScope('all', 'vdcs.organization_id')",
    why: 'VDCs of other organizations are visible',
    noticedBy: { file: 'packages/ssvirt/src/api/vdcs/vdcs.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/tenants/api-tokens.ts',
    source: "inScope(scope, 'api_tokens.organization_id')",
    replacement: "inScope('all', 'api_tokens.organization_id')",
    why: 'API tokens of other organizations are visible',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/tokens/tokens.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/catalogs/catalogs.ts',
    source: '(catalogs.published OR ',
    replacement: '(true OR ',
    why: 'unpublished catalogs of other organizations are visible',
    noticedBy: { file: 'packages/ssvirt/src/api/catalogs/catalogs/catalogs.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/tenants/sessions.ts',
    source: 's.ended_at IS NULL AND s.expires_at > now()',
    replacement: 's.ended_at IS NULL',
    why: 'an expired session is valid',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/sessions/sessions.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/tenants/sessions.ts',
    source: 'AND u.enabled AND NOT u.locked',
    replacement: 'AND NOT u.locked',
    why: 'the session of a disabled user is valid',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/sessions/sessions.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/app.ts',
    source: "route: request.routeOptions.url ?? 'none',",
    replacement: "route: request.routeOptions.url ?? 'none',\n        seen: { ...request.headers },",
    why: 'the log holds the headers of requests',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/sessions/sessions.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/auth/sessions/throttle.ts',
    source: 'if (waitMs <= 0) return;',
    replacement: 'if (waitMs < Infinity) return;',
    why: 'failed logins cost nothing',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/sessions/sessions.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/auth/tokens/service.ts',
    source: 'await endSessionsOfToken(tx, id);',
    replacement: '',
    why: 'a session outlives the API token that it came from',
    noticedBy: { file: 'packages/ssvirt/src/api/auth/tokens/tokens.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/tenants/users/changes.ts',
    source: "if (!isSystemAdministrator(caller))\n    throw forbidden('roleEntityRefs",
    replacement: "if (caller.roles.length === 0)\n    throw forbidden('roleEntityRefs",
    why: 'anyone can create system administrators',
    noticedBy: { file: 'packages/ssvirt/src/api/tenants/users/users.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/tenants/administrators.ts',
    source: '${roleIds.systemAdministrator} FOR NO KEY UPDATE',
    replacement: '${roleIds.systemAdministrator}',
    why: 'the last system administrators disable each other',
    noticedBy: { file: 'packages/ssvirt/src/api/tenants/users/users.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/vdcs/vdcs.ts',
    source: ".forNoKeyUpdate('vdcs')",
    replacement: '',
    why: 'two requests share the last of a quota',
    noticedBy: { file: 'packages/ssvirt/src/api/vdcs/allocation.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/vms/vms-of-users.ts',
    source: 'ORDER BY id FOR NO KEY UPDATE',
    replacement: 'ORDER BY id',
    why: 'two requests share the last of the quota of a user',
    noticedBy: { file: 'packages/ssvirt/src/api/vms/user-quotas.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/vms/power.ts',
    source: 'lockVm(tx, caller.scope, id)',
    replacement: "lockVm(tx, 'all', id)",
    why: 'VMs of other organizations can be powered off',
    noticedBy: { file: 'test/api/authorization/authorization.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/api/vms/service.ts',
    source: 'await requireAllocation(tx, before.vdc_id, growthOf(before, change));',
    replacement: '',
    why: 'a VM grows beyond the limits of its VDC',
    noticedBy: vmsTest('what the limits do not allow is refused, with what is used, and nothing is written'),
  },
  {
    file: 'packages/ssvirt/src/api/vms/power.ts',
    source: 'powerDecision(operation, vm.status, vm.stale)',
    replacement: 'powerDecision(operation, vm.status)',
    why: 'a power request is decided by a stale status',
    noticedBy: vmsTest('of one that is not followed just now nothing is concluded: each word for power is a task'),
  },
  {
    file: 'packages/base/src/net/connection-limits.ts',
    source: '(_error: Error, socket: Duplex) => socket.destroy()',
    replacement: '() => undefined',
    why: 'a connection whose TLS handshake fails is never closed',
    noticedBy: { file: 'packages/base/src/net/connection-limits.test.ts' },
  },
];
