/** Defects of what the API server does in the clusters: VDCs, VMs, vApps, power. */
import { named, type Defect } from '../defect.ts';

const machinesTest = named(
  'packages/ssvirt/src/controllers/tenancy/vms/vms.test.ts',
  'waits until the namespace of its virtual data center is there',
);
const vappsTest = named(
  'packages/ssvirt/src/controllers/tenancy/vapps/vapps.test.ts',
  'a virtual data center that is not there yet is waited for',
);

export const tenancy: readonly Defect[] = [
  {
    file: 'packages/ssvirt/src/db/work-queue/reconciliations.ts',
    source: ' AND attempt = ${attempt} AND owner IS NOT NULL',
    replacement: ' AND owner IS NOT NULL',
    why: 'an earlier attempt at a task still writes',
    noticedBy: { file: 'packages/ssvirt/src/db/work-queue/reconciliations.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/db/work-queue/reconciliations.ts',
    source: 'WHERE ${mine(claim)} FOR NO KEY UPDATE`',
    replacement: 'WHERE ${mine(claim)}`',
    why: 'a claim is taken over while its writer is at work',
    noticedBy: { file: 'packages/ssvirt/src/db/work-queue/reconciliations.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/attempt.ts',
    source:
      'return found[labels.vmId] === vm.id && found[labels.installationId] === installationId ? live : undefined;',
    replacement: 'return live;',
    why: 'a foreign VM of the same name becomes the VM of a tenant',
    noticedBy: machinesTest('is refused where its name belongs to a foreign VM in the cluster, which stays'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/create.ts',
    source: "if (own === undefined && work.observed?.status === 'DELETED') throw deletedMeanwhile();",
    replacement: '',
    why: 'a VM that was deleted in the cluster is created again, empty',
    noticedBy: machinesTest(
      'is not made again where it was seen and is gone before anybody has put down that it was made',
    ),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/vms-work.ts',
    source: "return uid === null && vm.desired_state === 'present' && vm.origin",
    replacement: "return vm.desired_state === 'present' && vm.origin",
    why: 'a VM that cannot be read counts as deleted',
    noticedBy: machinesTest('stays where its cluster does not even let it be read'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/disks.ts',
    source: 'if (found !== undefined && isOwned(found, live)) await client.delete',
    replacement: 'if (found !== undefined) await client.delete',
    why: 'a foreign disk is deleted',
    noticedBy: machinesTest('gets no foreign disk, and the row forgets it'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/attempt.ts',
    source: 'return live.metadata.uid === uid ? live : undefined;',
    replacement: 'return live;',
    why: 'a VM that replaced ours is deleted',
    noticedBy: machinesTest('leaves a machine that has come in its place'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/power.ts',
    source: 'await noteInTask(db, claim, task.id, { sent: true });',
    replacement: '',
    why: 'a reset is sent again although it may have been done',
    noticedBy: machinesTest('is not sent twice where it is not known whether the first has come'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vms/power.ts',
    source: '(task.seen || task.heard)',
    replacement: 'true',
    why: 'a power task ends by an observation from before the request',
    noticedBy: machinesTest(
      'has not ended while its cluster was not reached since it was asked for, though its status was shown before',
    ),
  },
  {
    file: 'packages/ssvirt/src/kubevirt/tenant-vm/guest-data.ts',
    source: 'secretRef: { name: names.cloudInit },',
    replacement: 'userData,',
    why: 'user data is written into the VirtualMachine',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/tenant-vm/build.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/tenant-vm/live.ts',
    source: 'defined({ uid, resourceVersion })',
    replacement: 'defined({ resourceVersion })',
    why: 'a power change hits a new VM of the same name',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/power/plan.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/power/plan.ts',
    source: 'instance?.vmUid === facts.uid ? instance : undefined',
    replacement: 'instance',
    why: 'the VMI of another VM decides about power',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/power/plan.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vdcs/absent.ts',
    source: 'if (found === undefined || !isOurs(attempt, found)) return remove(attempt);',
    replacement: 'if (found === undefined) return remove(attempt);',
    why: 'a foreign namespace is deleted',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/engine/tenancy.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vdcs/absent.ts',
    source: 'return removal.forced ||',
    replacement: 'return !removal.ended ||',
    why: 'a VDC is deleted with VMs that the database does not know',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/engine/tenancy.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/engine/leased-client.ts',
    source: 'keyOfObject(seen), { ...(await this.#writing()), uid }',
    replacement: 'keyOfObject(seen), await this.#writing()',
    why: 'an object is deleted although another one replaced it',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/engine/leased-client.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/engine/leased-client.ts',
    source: 'beforeSend: () => lease.assertRoom(requestMs)',
    replacement: 'beforeSend: () => undefined',
    why: 'a write is sent without a look at the lease',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/engine/replicas.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/engine/lease.ts',
    source: 'if (!(await renewClaim(db, this.claim, leaseMs))) throw new LostClaim(this.claim);',
    replacement: 'await renewClaim(db, this.claim, leaseMs);',
    why: 'a lost lease counts as renewed',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/engine/replicas.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/vapps/absent.ts',
    source: 'await releaseInstance(attempt, instance);',
    replacement: 'await client.delete(templateInstances, instance);',
    why: 'a VM that replaced one of a vApp is deleted with the vApp',
    noticedBy: vappsTest('a machine that replaced an old one of the same name outlives the vApp of that one'),
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/sweep/orphan-decision.ts',
    source: 'if (installation !== scope.installationId)',
    replacement: 'if (installation === undefined)',
    why: 'the sweep deletes VMs of other installations',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/sweep/orphan-decision.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/tenancy/sweep/orphan-decision.ts',
    source: "if (place === undefined) return orphan('no row of that id is known');",
    replacement: "if (place === undefined) return { verdict: 'unwanted' };",
    why: 'the sweep deletes a VM without a row',
    noticedBy: { file: 'packages/ssvirt/src/controllers/tenancy/sweep/orphan-decision.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/vdc/objects.ts',
    source: '{ from: [{ podSelector: {} }] }',
    replacement: '{ from: [{ podSelector: {}, namespaceSelector: {} }] }',
    why: 'the NetworkPolicy of a VDC lets other tenants in',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/vdc/objects.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/kubevirt/template/rules.ts',
    source: "if (isFromParameter(nameLeaf)) return [sourceFault(draft, [...path, 'name'], name, nameLeaf, rule)];",
    replacement: '',
    why: 'a parameter of a template names any claim in the namespace of the images',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/template/rules.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/custom/rule-faults.ts',
    source: "place.takes === 'reference' && names.includes(orderName)",
    replacement: 'names.length < 0',
    why: 'an order clones the claim among the images that has its own name',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/custom/render.test.ts' },
  },
];
