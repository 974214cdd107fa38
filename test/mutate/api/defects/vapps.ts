/** Requests about vApps. */
import { witnesses, type ApiDefect } from '../defect.ts';

const vapps = witnesses('api/vapps/vapps.test.ts', 'give up their names when they are gone', { alone: true });
const authorization = witnesses(
  'test/api/authorization/authorization.test.ts',
  'every route of the server is in the table, and every row is a route',
);
const disabled = vapps('in a disabled data center are stopped and deleted, not made or started');
const away = vapps('wait for a cluster that is away with what can wait, and say so of the rest');
const taken = vapps('take machines, within the limits, but not where they were made for one alone');
const deleted = vapps('are deleted with their machines, and only when none runs or it is forced');

export const vappDefects: readonly ApiDefect[] = [
  {
    name: 'vApps of others are deleted',
    file: 'api/vapps/service.ts',
    find: 'lockVapp(tx, caller.scope, id));\n    const machines = await lockMachines',
    replace: "lockVapp(tx, 'all', id));\n    const machines = await lockMachines",
    noticedBy: authorization(
      'who may is let in, and who may not is refused, with the same answer for foreign and missing',
    ),
  },
  {
    name: 'vApps start in a data center that is disabled',
    file: 'api/vapps/power.ts',
    find: "{ enabled: operation === 'powerOn' }",
    replace: '{}',
    noticedBy: disabled,
  },
  {
    name: 'a disabled data center takes machines into its vApps',
    file: 'api/vapps/service.ts',
    find: 'requireLiving(place, vdc, { enabled: true });',
    replace: 'requireLiving(place, vdc);',
    noticedBy: disabled,
  },
  {
    name: 'the power of vApps is promised while the cluster is away',
    file: 'api/vapps/power.ts',
    find: 'requireAvailable(caller, clusters, vapp.cluster, what);',
    replace: '',
    noticedBy: away,
  },
  {
    name: 'machines are promised while the cluster is away',
    file: 'api/vapps/service.ts',
    find: 'requireAvailable(caller, clusters, cluster, `the machine "${asked.name}" cannot be created`);',
    replace: '',
    noticedBy: away,
  },
  {
    name: 'machines that run are deleted with their vApp',
    file: 'api/vapps/service.ts',
    find: 'if (!force) requireStopped(before, machines);',
    replace: '',
    noticedBy: deleted,
  },
  {
    name: 'nobody takes the machines of a deleted vApp away',
    file: 'db/vapp-requests.ts',
    find: "AND desired_state <> 'absent'\n  `.execute(tx);\n  await wishForMachines(tx, cluster, machines);",
    replace: "AND desired_state <> 'absent'\n  `.execute(tx);",
    noticedBy: deleted,
  },
  {
    name: 'the vApp of one machine takes others',
    file: 'api/vapps/service.ts',
    find: 'requireOwnLife(place);',
    replace: '',
    noticedBy: taken,
  },
  {
    name: 'older wishes for the power of a vApp go on',
    file: 'db/vapp-requests.ts',
    find: 'await supersede(tx, [vapp.id, ...ids], supersedes, onVapp.operation);',
    replace: '',
    noticedBy: vapps(
      'follow the newest wish: what is under way ends as aborted, and the same wish again is the same task',
    ),
  },
  {
    name: 'nobody knows which tasks a vApp waits for',
    file: 'db/vapp-requests.ts',
    find: '${JSON.stringify({ parent: task.id })}::jsonb',
    replace: "'{}'::jsonb",
    noticedBy: vapps('can powerOff: each machine that can gets a task, and the vApp one that waits for these'),
  },
];
