/** Reads that forget whose rows may be seen. */
import { witnesses, type ApiDefect } from '../defect.ts';

const organizations = witnesses(
  'api/organizations/organizations.test.ts',
  'keep false and empty texts, when they are made and when they are changed',
);
const users = witnesses('api/users/users.test.ts', 'the profile is the own user');
const vdcs = witnesses('api/vdcs/vdcs.test.ts', 'takes a name in any script');
const tasks = witnesses('api/tasks/tasks.test.ts', 'are shown with who asked, for what, and what they wait for');
const audit = witnesses(
  'api/audit/audit.test.ts',
  'tells who did what to what, when, from where, and by which request',
);
const tokens = witnesses('api/tokens/tokens.test.ts', 'the session of a token lasts as long as was told, used or not');
const catalogs = witnesses('api/catalogs/catalogs.test.ts', 'have names of their own in the organisation, by a rule');
const items = witnesses('db/catalogs.test.ts', 'one with a vApp is not deleted');

export const scopeDefects: readonly ApiDefect[] = [
  {
    name: 'organisations of others are seen',
    file: 'db/organizations.ts',
    find: "inScope(scope, 'organizations.id')",
    replace: "inScope('all', 'organizations.id')",
    noticedBy: organizations('are seen by their own people only'),
  },
  {
    name: 'users of others are seen',
    file: 'db/users.ts',
    find: "inScope(scope, 'users.organization_id')",
    replace: "inScope('all', 'users.organization_id')",
    noticedBy: users('an organization’s administrator stays in the organization, and makes no system administrators'),
  },
  {
    name: 'virtual data centers of others are seen',
    file: 'db/vdcs.ts',
    find: "inScope(scope, 'vdcs.organization_id')",
    replace: "inScope('all', 'vdcs.organization_id')",
    noticedBy: vdcs('foreign, missing and deleted ones answer alike, to all who ask'),
  },
  {
    name: 'tasks of others are listed',
    file: 'db/tasks.ts',
    find: "db.selectFrom('tasks').where(inScope(scope, 'tasks.organization_id')),",
    replace: "db.selectFrom('tasks').where(inScope('all', 'tasks.organization_id')),",
    noticedBy: tasks('are listed, filtered and named for everybody of their organization, and nobody else'),
  },
  {
    name: 'tasks of others are read',
    file: 'db/tasks.ts',
    find: "])\n    .where(inScope(scope, 'tasks.organization_id'));",
    replace: "])\n    .where(inScope('all', 'tasks.organization_id'));",
    noticedBy: tasks('are listed, filtered and named for everybody of their organization, and nobody else'),
  },
  {
    name: 'the audit of others is read',
    file: 'db/audit.ts',
    find: "inScope(scope, 'audit_events.organization_id')",
    replace: "inScope('all', 'audit_events.organization_id')",
    noticedBy: audit('is read by administrators, of their own organization only'),
  },
  {
    name: 'tokens of other organisations are seen',
    file: 'db/api-tokens.ts',
    find: "inScope(scope, 'api_tokens.organization_id')",
    replace: "inScope('all', 'api_tokens.organization_id')",
    noticedBy: tokens('people see and revoke their own tokens, administrators those of their organization'),
  },
  {
    name: 'tokens of colleagues are seen',
    file: 'api/tokens/service.ts',
    find: '{ scope: caller.organizationId, owner: caller.userId }',
    replace: '{ scope: caller.organizationId }',
    noticedBy: tokens('people see and revoke their own tokens, administrators those of their organization'),
  },
  {
    name: 'catalogs of others are seen though they are not published',
    file: 'db/catalogs.ts',
    find: '(catalogs.published OR ',
    replace: '(true OR ',
    noticedBy: catalogs(
      'of one organisation are not there for another, until they are published; then they are read-only',
    ),
  },
  {
    name: 'items are read whosesoever their catalog is',
    file: 'db/catalog-items.ts',
    find: ".where('catalog_items.deleted_at', 'is', null)\n    .where(catalogVisible(scope));",
    replace: ".where('catalog_items.deleted_at', 'is', null)\n    .where(catalogVisible('all'));",
    noticedBy: items('items are seen by whom their catalog is'),
  },
  {
    name: 'items are listed whosesoever their catalog is',
    file: 'db/catalog-items.ts',
    find: '${catalog} AND ${catalogVisible(scope)}',
    replace: "${catalog} AND ${catalogVisible('all')}",
    noticedBy: items('items are seen by whom their catalog is'),
  },
  {
    name: 'items are listed beside offers whosesoever their catalog is',
    file: 'db/listed-items.ts',
    find: 'catalog_items.deleted_at IS NULL AND ${catalogVisible(scope)}',
    replace: "catalog_items.deleted_at IS NULL AND ${catalogVisible('all')}",
    noticedBy: items('items are seen by whom their catalog is'),
  },
  {
    name: 'offers are listed whosesoever the catalog is',
    file: 'db/listed-items.ts',
    find: 'WHERE catalogs.id = ${catalog} AND ${catalogVisible(scope)}',
    replace: "WHERE catalogs.id = ${catalog} AND ${catalogVisible('all')}",
    noticedBy: items('items are seen by whom their catalog is'),
  },
  {
    name: 'people read other people',
    file: 'api/users/service.ts',
    find: "if (!hasRole(caller, 'System Administrator', 'Organization Administrator')) throw noAccess();",
    replace: '',
    noticedBy: users(
      'any user cannot make administrators, nor users, nor change others or what is the administrators’',
    ),
  },
  {
    name: 'colleagues cancel each other’s tasks',
    file: 'api/tasks/cancel.ts',
    find: "if (!hasRole(caller, 'Organization Administrator')) throw noAccess();",
    replace: '',
    noticedBy: tasks('are canceled by who asked for them, and by administrators; others see nothing of it'),
  },
];
