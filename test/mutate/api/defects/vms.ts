/** Requests about machines: who may, how much, in which state, and what is written down. */
import { witnesses, type ApiDefect } from '../defect.ts';

const vms = witnesses('api/vms/vms.test.ts', 'a refused value of cloud-init is not repeated', { alone: true });
const authorization = witnesses(
  'test/api/authorization/authorization.test.ts',
  'every route of the server is in the table, and every row is a route',
);
const letIn = authorization(
  'who may is let in, and who may not is refused, with the same answer for foreign and missing',
);
const limits = vms('what the limits do not allow is refused, with what is used, and nothing is written');

export const vmDefects: readonly ApiDefect[] = [
  {
    name: 'machines of others are read',
    file: 'api/vms/service.ts',
    find: 'found(await vms.getVm(db, scope, id))',
    replace: "found(await vms.getVm(db, 'all', id))",
    noticedBy: letIn,
  },
  {
    name: 'machines of others are powered off',
    file: 'api/vms/power.ts',
    find: 'lockVm(tx, caller.scope, id)',
    replace: "lockVm(tx, 'all', id)",
    noticedBy: letIn,
  },
  {
    name: 'a machine grows beyond the limits',
    file: 'api/vms/service.ts',
    find: 'await requireAllocation(tx, before.vdc_id, growthOf(before, change));',
    replace: '',
    noticedBy: limits,
  },
  {
    name: 'disks are added beyond the limits',
    file: 'api/vms/disks.ts',
    find: 'await requireAllocation(tx, vm.vdc_id, { vms: 0, cpus: 0, memoryMb: 0, storageMb: disk.sizeMb });',
    replace: '',
    noticedBy: limits,
  },
  {
    name: 'machines start in a data center that is disabled',
    file: 'api/vms/power.ts',
    find: "if (operation === 'powerOn') requireEnabled(vdc);\n  else requireStaying(vdc);",
    replace: 'requireStaying(vdc);',
    noticedBy: vms('in a data center that is disabled nothing is created or powered on, and the rest goes on'),
  },
  {
    name: 'power is promised while the cluster is away',
    file: 'api/vms/power.ts',
    find: 'requireAvailable(caller, around.clusters, vm.cluster, what);',
    replace: '',
    noticedBy: vms('while the cluster is away creation and power are refused, edits and deletions are written down'),
  },
  {
    name: 'power goes by a state that is long gone',
    file: 'api/vms/power.ts',
    find: 'powerDecision(operation, vm.status, vm.stale)',
    replace: 'powerDecision(operation, vm.status)',
    noticedBy: vms('of one that is not followed just now nothing is concluded: each word for power is a task'),
  },
  {
    name: 'a machine that runs is deleted without force',
    file: 'api/vms/service.ts',
    find: '(before) && !force)',
    replace: "(before) && !force && before.status === 'SUSPENDED')",
    noticedBy: vms('one that runs is deleted by force only; asked twice it is the same task'),
  },
  {
    name: 'tenants are told where their machines are',
    file: 'api/vms/render.ts',
    find: 'isProvider ? { placement',
    replace: 'true ? { placement',
    noticedBy: vms('one is recorded with its task, and nothing secret of it is ever shown'),
  },
  {
    name: 'an older wish for power goes on beside the newer one',
    file: 'db/vm-requests.ts',
    find: 'if (superseded !== undefined) await supersede(tx, vm, superseded);',
    replace: '',
    noticedBy: vms('power: the table decides, what is so already needs no task, and the newest wish counts'),
  },
  {
    name: 'a change of the type loses what the guest is to be told',
    file: 'db/vm-requests.ts',
    find: 'SET spec = spec || ${JSON.stringify(part)}',
    replace: 'SET spec = ${JSON.stringify(part)}',
    noticedBy: vms('one with an instance type changes that, and its data for the guest stays'),
  },
  {
    name: 'a vApp goes with the first of its machines',
    file: 'db/vm-requests.ts',
    find: 'if (vm.vapp_hidden)\n    await sql`',
    replace: 'await sql`',
    noticedBy: vms('one that was discovered shows what the cluster has, is changed, and deleted; its vApp stays'),
  },
];
