/** Virtual data centers: what is recorded, allocated and removed, and what is made of it for the cluster. */
import { witnesses, type ApiDefect } from '../defect.ts';

const vdcs = witnesses('api/vdcs/vdcs.test.ts', 'takes a name in any script');
const removal = witnesses('api/vdcs/removal.test.ts', 'anything but true and false for force is refused');
const allocation = witnesses('api/vdcs/allocation.test.ts', 'by nothing at first');
const objects = witnesses('virt/vdc/objects.test.ts', 'admits the launchers of KubeVirt');
const names = witnesses('virt/vdc/names.test.ts', 'differs for another id, with the same names');

const requests: readonly ApiDefect[] = [
  {
    name: 'nobody is asked to make it',
    file: 'api/vdcs/service.ts',
    find: "await requestReconciliation(tx, 'vdc', id, cluster);",
    replace: '',
    noticedBy: vdcs('records it, its task, the wish and the audit, and answers 202 with where the task is'),
  },
  {
    name: 'a limit cannot be taken away',
    file: 'api/vdcs/settings.ts',
    find: 'memory?.limit ?? now.memory_limit_mb',
    replace: 'memory?.limit || now.memory_limit_mb',
    noticedBy: vdcs('sets what is there, leaves what is not, and says in the audit what has changed'),
  },
  {
    name: 'a limit falls below what is used',
    file: 'api/vdcs/service.ts',
    find: 'requireAboveUse(before, after, await vdcUsage(tx, before.id));',
    replace: '',
    noticedBy: vdcs(
      'a limit below what is used is refused with the numbers; another change beside a limit that is too low is not',
    ),
  },
  {
    name: 'a change comes to what is being deleted',
    file: 'api/vdcs/service.ts',
    find: 'requireStaying(before);',
    replace: '',
    noticedBy: vdcs('one that is being deleted is refused'),
  },
  {
    name: 'tenants read what their cluster says',
    file: 'api/vdcs/render.ts',
    find: 'message: tenantMessages[statusText],',
    replace: 'message: vdc.waits_for || tenantMessages[statusText],',
    noticedBy: vdcs('shows the provider its state and what it waits for, the tenant the state'),
  },
  {
    name: 'a refusal of the cluster is an error of the server',
    file: 'api/tasks/answer.ts',
    find: "errorCodes[code].status < 500 ? code : 'CONFLICT'",
    replace: 'code',
    noticedBy: vdcs(
      'answers 409 when the cluster refuses it with INTERNAL_SERVER_ERROR, and never with an error of the server',
    ),
  },
  {
    name: 'one with machines is deleted',
    file: 'api/vdcs/service.ts',
    find: "else if (before.desired_state === 'present') await requireEmpty(tx, before);",
    replace: '',
    noticedBy: removal('is refused with the numbers while it has machines, and changes nothing'),
  },
  {
    name: 'force leaves the machines',
    file: 'api/vdcs/service.ts',
    find: 'if (force) await askForVmRemovals(tx, before.id);',
    replace: 'if (force) await Promise.resolve();',
    noticedBy: removal('with force asks for the removal of all that is in it, also of what was only discovered'),
  },
  {
    name: 'each deletion is a task of its own',
    file: 'api/vdcs/service.ts',
    find: 'if (open !== undefined) {',
    replace: 'if (open === null) {',
    noticedBy: removal('again while it goes on answers with the same task; after that has failed, with another'),
  },
  {
    name: 'machines that are gone are in the way',
    file: 'db/vdc-removal-request.ts',
    find: ' AND o.gone IS NOT TRUE',
    replace: '',
    noticedBy: removal('does not count machines that the cluster says are gone'),
  },
];

const allocations: readonly ApiDefect[] = [
  {
    name: 'the last of it is given twice',
    file: 'db/vdcs.ts',
    find: ".forNoKeyUpdate('vdcs')",
    replace: '',
    noticedBy: allocation('gives the last of it to one of many who ask at once'),
  },
  {
    name: 'deleted machines count',
    file: 'db/vdc-usage.ts',
    find: ' AND v.deleted_at IS NULL',
    replace: '',
    noticedBy: allocation(
      'by every machine that is not deleted: what was asked for, or what the cluster has where that is more CPUs or memory',
    ),
  },
  {
    name: 'the limit itself cannot be reached',
    file: 'api/vdcs/limits.ts',
    find: 'used[resource] + asked[resource] <= limit)',
    replace: 'used[resource] + asked[resource] < limit)',
    noticedBy: allocation('gives the last of it to one of many who ask at once'),
  },
];

const made: readonly ApiDefect[] = [
  {
    name: 'the quota counts what is not limited',
    file: 'virt/vdc/quota.ts',
    find: "'count/virtualmachines.kubevirt.io'",
    replace: "'count/virtualmachineinstances.kubevirt.io'",
    noticedBy: objects('machines alone are counted'),
  },
  {
    name: 'the quota has no room for the launchers',
    file: 'virt/vdc/quota.ts',
    find: 'machines * overheadMb',
    replace: 'machines',
    noticedBy: objects('is enough for one guest as recorded, migrating: 557 MiB for 256'),
  },
  {
    name: 'other tenants are let in',
    file: 'virt/vdc/objects.ts',
    find: '{ from: [{ podSelector: {} }] }',
    replace: '{ from: [{ podSelector: {}, namespaceSelector: {} }] }',
    noticedBy: objects('lets in its own pods, CDI and the images, and says nothing of what goes out'),
  },
  {
    name: 'everybody is let in where nobody is named',
    file: 'virt/vdc/objects.ts',
    find: '...(letIn.length === 0 ? [] : [',
    replace: '...(letIn.length < 0 ? [] : [',
    noticedBy: objects('lets in nobody else where no namespace is named: an empty list would select all'),
  },
  {
    name: 'a namespace does not say whose installation made it',
    file: 'virt/vdc/labels.ts',
    find: '[labels.installationId]: installationId,',
    replace: '',
    noticedBy: objects('bears bare uuids as labels, URNs and names as annotations'),
  },
  {
    name: 'an organisation gets a name that the platform keeps for itself',
    file: 'virt/vdc/names.ts',
    find: 'reserved.test(organization) ?',
    replace: "organization === '' ?",
    noticedBy: names('is a DNS label that nobody reserves, whatever the names are'),
  },
];

export const vdcDefects: readonly ApiDefect[] = [...requests, ...allocations, ...made];
