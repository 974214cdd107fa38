/** The change log, the retention, and the repositories. */
import { unit, type VmStatusDefect } from '../defect.ts';

const changes = unit('db/changes.test.ts');
const retention = unit('db/retention.test.ts');
const machines = unit('db/machines.test.ts');
const tenants = unit('db/tenants.test.ts');

export const databaseDefects: readonly VmStatusDefect[] = [
  {
    name: 'a commit that comes late is skipped',
    file: 'db/change-reader.ts',
    find: ' AND l.transaction < here.horizon',
    replace: '',
    noticedBy: unit('db/change-reader.test.ts'),
  },
  {
    name: 'a position of another life of the database is gone on from',
    file: 'db/change-reader.ts',
    find: ' OR $1::xid8 > here.ahead',
    replace: '',
    noticedBy: changes,
  },
  {
    name: 'a log that a dump has brought from another server is gone on with',
    file: 'db/up-to-date.ts',
    find: 'await beginNewLife(pool, log);',
    replace: '',
    noticedBy: unit('db/change-reader.test.ts'),
  },
  {
    name: 'what the clusters say is told to who asked for the rest only',
    file: 'db/change-reader.ts',
    find: "$5::boolean AND l.operation = 'observed'",
    replace: '$5::boolean AND false',
    noticedBy: changes,
  },
  {
    name: 'the retention waits for a row that somebody holds',
    file: 'db/retention.ts',
    find: 'FOR UPDATE OF t SKIP LOCKED',
    replace: 'FOR UPDATE OF t',
    noticedBy: retention,
  },
  {
    name: 'a machine that somebody still asks for is forgotten when it is gone',
    file: 'db/retention.ts',
    find: "CASE WHEN t.desired_state <> 'present' THEN",
    replace: 'CASE WHEN true THEN',
    noticedBy: retention,
  },
  {
    name: 'an organisation sees the rows of others',
    file: 'db/scope.ts',
    find: 'sql<SqlBool>`${sql.ref(column)} = ${scope}`',
    replace: 'sql<SqlBool>`true`',
    noticedBy: machines,
  },
  {
    name: 'a list begins with its second page',
    file: 'db/lists/read-list.ts',
    find: 'from: (page - 1) * pageSize,',
    replace: 'from: page * pageSize,',
    noticedBy: machines,
  },
  {
    name: 'the name of a machine that is gone from the cluster stays taken',
    file: 'db/vms.ts',
    find: '    await retireGone(tx, row);',
    replace: '',
    noticedBy: machines,
  },
  {
    name: 'a task that has ended goes on',
    file: 'db/tasks.ts',
    find: ".where('status', 'in', cameFrom[to.status])",
    replace: '',
    noticedBy: unit('db/operations.test.ts'),
  },
  {
    name: 'something comes to belong to an organisation that is being deleted',
    file: 'db/deletion.ts',
    find: "?? '')} FOR SHARE",
    replace: "?? '')}",
    noticedBy: tenants,
  },
];
