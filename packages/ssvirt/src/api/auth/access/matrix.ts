/**
 * The authorization matrix: every operation of the API in one table. A route names its operation; the process does not
 * start with a route that names none or an unknown one. The table says which roles may call an operation. Which objects
 * they reach follows from the caller's scope in every read; what a role may do only with its own objects (a password, a
 * catalog, a task) is decided by the service.
 */
import type { RoleName } from '../../caller.ts';

/** `public`: needs no session. `session`: needs a session with one of the roles. */
export type Rule = { readonly access: 'public' } | { readonly access: 'session'; readonly roles: readonly RoleName[] };

const system = ['System Administrator'] as const satisfies readonly RoleName[];
const administrators = [...system, 'Organization Administrator'] as const satisfies readonly RoleName[];
const authors = [...administrators, 'vApp Author'] as const satisfies readonly RoleName[];
const users = [...authors, 'vApp User'] as const satisfies readonly RoleName[];
const everyone = [...users, 'Read-only'] as const satisfies readonly RoleName[];

const open: Rule = { access: 'public' };

function only(roles: readonly RoleName[]): Rule {
  return { access: 'session', roles };
}

export const matrix = {
  'health.live': open,
  'health.ready': open,
  'health.controller': open,
  'version.read': open,
  'docs.read': open,
  'versions.list': open,

  // The credentials are in the request itself.
  'sessions.create': open,
  'sessions.createProvider': open,
  'tokens.exchange': open,
  'tokens.exchangeProvider': open,

  'sessions.current': only(everyone),
  'sessions.get': only(everyone),
  'sessions.delete': only(everyone),
  'sessions.deleteCurrent': only(everyone),

  'tokens.register': only(everyone),
  'tokens.registerProvider': only(system),
  'tokens.list': only(everyone),
  'tokens.get': only(everyone),
  'tokens.revoke': only(everyone),

  'profile.get': only(everyone),
  'users.list': only(administrators),
  'users.create': only(administrators),
  // Every user reads and edits their own; administrators also edit others.
  'users.get': only(everyone),
  'users.update': only(everyone),
  'users.delete': only(administrators),

  'roles.list': only(everyone),
  'roles.get': only(everyone),

  'organizations.list': only(everyone),
  'organizations.get': only(everyone),
  'organizations.create': only(system),
  'organizations.update': only(system),
  'organizations.delete': only(system),

  'vdcs.list': only(everyone),
  'vdcs.get': only(everyone),
  'vdcs.usage': only(everyone),
  'vdcs.instanceTypes': only(everyone),
  'vdcs.preferences': only(everyone),
  'vdcs.adminList': only(system),
  'vdcs.adminGet': only(system),
  'vdcs.create': only(system),
  'vdcs.update': only(system),
  'vdcs.delete': only(system),

  'catalogs.list': only(everyone),
  'catalogs.get': only(everyone),
  // An author manages only their own.
  'catalogs.create': only(authors),
  'catalogs.update': only(authors),
  'catalogs.delete': only(authors),
  'catalogItems.list': only(everyone),
  'catalogItems.get': only(everyone),
  'catalogItems.create': only(authors),
  'catalogItems.update': only(authors),
  'catalogItems.delete': only(authors),

  'vapps.list': only(everyone),
  'vapps.listInVdc': only(everyone),
  'vapps.get': only(everyone),
  'vapps.create': only(authors),
  'vapps.instantiate': only(authors),
  'vapps.update': only(authors),
  'vapps.delete': only(authors),
  'vapps.powerOn': only(users),
  'vapps.powerOff': only(users),
  'vapps.shutdown': only(users),
  'vapps.reset': only(users),
  'vapps.reboot': only(users),
  'vapps.suspend': only(users),
  'vapps.resume': only(users),

  'vms.list': only(everyone),
  'vms.listInVdc': only(everyone),
  'vms.get': only(everyone),
  'vms.explain': only(everyone),
  'vms.create': only(authors),
  'vms.validate': only(authors),
  'vms.update': only(authors),
  'vms.delete': only(authors),
  'vms.powerOn': only(users),
  'vms.powerOff': only(users),
  'vms.shutdown': only(users),
  'vms.reset': only(users),
  'vms.reboot': only(users),
  'vms.suspend': only(users),
  'vms.resume': only(users),
  'vms.disks': only(everyone),
  'vms.addDisk': only(authors),
  'vms.removeDisk': only(authors),

  'summary.get': only(everyone),

  'tasks.list': only(everyone),
  'tasks.get': only(everyone),
  // Administrators cancel tasks that their organization requested, others their own.
  'tasks.cancel': only(users),

  // Nothing is read or stored: the answer depends only on the request.
  'orders.validate': only(everyone),

  // Each stream shows only what its caller may see.
  'events.listen': only(everyone),

  'console.ticket': only(users),
  // The ticket is the credential.
  'console.page': open,
  'console.stream': open,
  'console.assets': open,

  'audit.list': only(administrators),
  'audit.get': only(administrators),
  'syncFailures.list': only(system),
  'syncFailures.get': only(system),
  'syncFailures.retry': only(system),
  'clusters.list': only(system),
  'clusters.get': only(system),
  'machines.list': only(system),
  'orders.list': only(system),
} as const satisfies Readonly<Record<string, Rule>>;

export type Operation = keyof typeof matrix;

export function ruleOf(operation: Operation): Rule {
  return matrix[operation];
}
