/** Users: who makes whom what, passwords, the last administrator, and what the audit has of it. */
import { witnesses, type ApiDefect, type Witness } from '../defect.ts';

const users = witnesses('api/users/users.test.ts', 'the profile is the own user');
const audit = witnesses(
  'api/audit/audit.test.ts',
  'tells who did what to what, when, from where, and by which request',
);
const tenants = witnesses('db/tenants.test.ts', 'a role is held by live users only');
const stays = users('an organization’s administrator stays in the organization, and makes no system administrators');
const systemOnly = users('system administrators are users of System only, and only they can touch one');
const ownPassword = users('the own password takes the current one, ends the other sessions, and keeps this one');
const byAdministrator = users(
  'what an administrator does to a user ends the user’s sessions: a new password, disabling, locking, deleting',
);
const each = (what: string): Witness =>
  users(`the last system administrator stays, though two ${what} each other at the same moment`);

export const userDefects: readonly ApiDefect[] = [
  {
    name: 'anybody makes system administrators',
    file: 'api/users/changes.ts',
    find: "if (!isSystemAdministrator(caller))\n    throw forbidden('roleEntityRefs",
    replace: "if (caller.roles.length === 0)\n    throw forbidden('roleEntityRefs",
    noticedBy: stays,
  },
  {
    name: 'tenants have system administrators',
    file: 'api/users/changes.ts',
    find: 'if (organization !== systemOrganization)',
    replace: 'if (organization !== organization)',
    noticedBy: systemOnly,
  },
  {
    name: 'an administrator of System sets the password of a system administrator',
    file: 'api/users/changes.ts',
    find: 'if (isAdministrator(user) && !isSystemAdministrator(caller))',
    replace: 'if (isAdministrator(user) && caller.roles.length === 0)',
    noticedBy: systemOnly,
  },
  {
    name: 'people raise their own quota',
    file: 'api/users/changes.ts',
    find: "new Set(['full_name', 'description', 'email'])",
    replace: "new Set(['full_name', 'description', 'email', 'deployed_vm_quota'])",
    noticedBy: users(
      'any user cannot make administrators, nor users, nor change others or what is the administrators’',
    ),
  },
  {
    name: 'one disables oneself',
    file: 'api/users/changes.ts',
    find: "if (enabled === false) throw conflict('enabled",
    replace: "if (enabled === null) throw conflict('enabled",
    noticedBy: users('nobody deletes, disables, locks or demotes themselves'),
  },
  {
    name: 'the last administrators disable each other',
    file: 'db/administrators.ts',
    find: '${roleIds.systemAdministrator} FOR NO KEY UPDATE',
    replace: '${roleIds.systemAdministrator}',
    noticedBy: each('disable'),
  },
  {
    name: 'the last administrator is disabled or demoted',
    file: 'api/users/service.ts',
    find: 'if (losesAdministrator(user, changes) && !(await hasOtherAdministrator(tx, id))) throw lastAdministrator(user);',
    replace: '',
    noticedBy: each('demote'),
  },
  {
    name: 'the last administrator is deleted',
    file: 'api/users/service.ts',
    find: 'if (isAdministrator(user) && !(await hasOtherAdministrator(tx, id))) throw lastAdministrator(user);',
    replace: '',
    noticedBy: each('delete'),
  },
  {
    name: 'a session that was left open is enough for another password',
    file: 'api/users/service.ts',
    find: 'if (id === caller.userId) await requireOwnPassword(context, caller, currentPassword);',
    replace: '',
    noticedBy: ownPassword,
  },
  {
    name: 'in a stolen session guessing costs nothing',
    file: 'api/users/own-password.ts',
    find: '(isRight ? throttle.succeeded() : throttle.failed())',
    replace: 'throttle.succeeded()',
    noticedBy: users('guessing the current password in a stolen session makes wait like guessing at log-in'),
  },
  {
    name: 'a new password ends nothing',
    file: 'api/users/service.ts',
    find: 'else if (password_hash !== undefined)',
    replace: 'else if (password_hash === null)',
    noticedBy: byAdministrator,
  },
  {
    name: 'who changes the own password is logged out',
    file: 'api/users/service.ts',
    find: 'id === caller.userId ? caller.sessionId : undefined',
    replace: 'undefined',
    noticedBy: ownPassword,
  },
  {
    name: 'sessions of before live again when the user is enabled',
    file: 'api/users/service.ts',
    find: 'if (endsSessions(changes)) await endSessionsOf(tx, id);',
    replace: 'if (endsSessions(changes)) await Promise.resolve();',
    noticedBy: byAdministrator,
  },
  {
    name: 'the message of a bad request has the password',
    file: 'api/http/validation.ts',
    find: '/password|secret|token',
    replace: '/secret|token',
    noticedBy: users('bad input says which field and which rule, and never the password'),
  },
  {
    name: 'the hash of a password leaves the database by the way',
    file: 'db/users.ts',
    find: "'users.full_name',",
    replace: "'users.full_name',\n        'users.password_hash' as 'users.full_name',",
    noticedBy: tenants('a user is made with roles, changed and deleted, and its hash never leaves by the way'),
  },
  {
    name: 'a change is not in the audit',
    file: 'api/users/service.ts',
    find: "await recordAudit(tx, caller, { ...deedOn(now, 'users.update'), details: { changed } });",
    replace: '',
    noticedBy: users('changes are in the audit by the names of their fields'),
  },
  {
    name: 'a refusal is not in the audit',
    file: 'api/app.ts',
    find: 'recordRefusal(request, error);',
    replace: '',
    noticedBy: audit('has what was refused to somebody, once, and with who it was'),
  },
  {
    name: 'only what failed is in the audit, and not what was refused',
    file: 'api/audit/refusals.ts',
    find: 'if (status !== 403 && status < 500) return undefined;',
    replace: 'if (status < 500) return undefined;',
    noticedBy: audit('has what was refused to somebody, once, and with who it was'),
  },
  {
    name: 'the audit has what was undone',
    file: 'api/organizations/service.ts',
    find: "await recordAudit(tx, caller, {\n      action: 'organizations.create',",
    replace: "await recordAudit(db, caller, {\n      action: 'organizations.create',",
    noticedBy: audit('has what failed on our side, and not a word of what was undone'),
  },
];
