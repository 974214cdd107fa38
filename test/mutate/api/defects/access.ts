/** Who may: roles in the matrix, the tenant that a caller looks at, organisations that a request names. */
import { witnesses, type ApiDefect } from '../defect.ts';

const authorization = witnesses(
  'test/api/authorization/authorization.test.ts',
  'every route of the server is in the table, and every row is a route',
);
const letIn = authorization(
  'who may is let in, and who may not is refused, with the same answer for foreign and missing',
);
const app = witnesses('api/app.test.ts', 'with a session is answered, in an envelope');
const users = witnesses('api/users/users.test.ts', 'the profile is the own user');
const tasks = witnesses('api/tasks/tasks.test.ts', 'are shown with who asked, for what, and what they wait for');
const vdcs = witnesses('api/vdcs/vdcs.test.ts', 'takes a name in any script');
const organizations = witnesses(
  'api/organizations/organizations.test.ts',
  'keep false and empty texts, when they are made and when they are changed',
);

export const accessDefects: readonly ApiDefect[] = [
  {
    name: 'authors list the users',
    file: 'api/access/matrix.ts',
    find: "'users.list': only(administrators)",
    replace: "'users.list': only(authors)",
    noticedBy: letIn,
  },
  {
    name: 'organisations are made by the administrators of others',
    file: 'api/access/matrix.ts',
    find: "'organizations.create': only(system)",
    replace: "'organizations.create': only(administrators)",
    noticedBy: letIn,
  },
  {
    name: 'a vApp User cannot cancel',
    file: 'api/access/matrix.ts',
    find: "'tasks.cancel': only(users)",
    replace: "'tasks.cancel': only(authors)",
    noticedBy: tasks('are canceled by who asked for them, and by administrators; others see nothing of it'),
  },
  {
    name: 'who only reads sees no tasks',
    file: 'api/access/matrix.ts',
    find: "'tasks.list': only(everyone)",
    replace: "'tasks.list': only(users)",
    noticedBy: letIn,
  },
  {
    name: 'the audit needs no session',
    file: 'api/access/matrix.ts',
    find: "'audit.list': only(administrators)",
    replace: "'audit.list': open",
    noticedBy: authorization('every operation of the matrix is of a route, and public ones are those of the table'),
  },
  {
    name: 'roles are not asked for',
    file: 'api/http/authenticate.ts',
    find: 'if (!rule.roles.some((role) => caller.roles.includes(role)))',
    replace: 'if (rule.roles.length === 0)',
    noticedBy: users(
      'any user cannot make administrators, nor users, nor change others or what is the administrators’',
    ),
  },
  {
    name: 'an administrator sees all tenants though one was chosen',
    file: 'api/http/authenticate.ts',
    find: "isSystem ? (tenantContext(request) ?? 'all') : session.organization_id",
    replace: "isSystem ? 'all' : session.organization_id",
    noticedBy: vdcs('a system administrator who looks through the eyes of one tenant reaches only that one'),
  },
  {
    name: 'tenants choose whose eyes they look through',
    file: 'api/http/authenticate.ts',
    find: "isSystem ? (tenantContext(request) ?? 'all') : session.organization_id",
    replace: "tenantContext(request) ?? (isSystem ? 'all' : session.organization_id)",
    noticedBy: organizations('are seen by their own people only'),
  },
  {
    name: 'a request may name any organisation',
    file: 'api/caller.ts',
    find: "if (scope !== 'all' && scope !== asked) throw noAccess();",
    replace: '',
    noticedBy: vdcs('a system administrator who looks through the eyes of one tenant reaches only that one'),
  },
  {
    name: 'missing is told from foreign',
    file: 'api/errors.ts',
    find: 'if (row === undefined) throw noAccess();',
    replace: "if (row === undefined) throw new ApiError('NOT_FOUND', 'There is none.');",
    noticedBy: app('for what is not there at all gets 404, for a missing object 403'),
  },
  {
    name: 'the provider can be deleted',
    file: 'api/organizations/service.ts',
    find: 'if (id === systemOrganization) throw conflict(',
    replace: 'if (id !== id) throw conflict(',
    noticedBy: organizations('are not touched where they are the provider'),
  },
  {
    name: 'the provider can be disabled',
    file: 'api/organizations/service.ts',
    find: 'if ((fields.enabled ?? enabled) !== enabled)',
    replace: 'if (enabled !== enabled)',
    noticedBy: organizations('are not touched where they are the provider'),
  },
  {
    name: 'a new name stays in the database',
    file: 'api/organizations/service.ts',
    find: 'if (row.name !== before.name || row.display_name !== before.display_name)',
    replace: 'if (row.id !== before.id)',
    noticedBy: organizations('that are renamed have the name put into the clusters'),
  },
];
