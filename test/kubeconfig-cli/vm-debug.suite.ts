/**
 * `ssvirt vm debug NAME` when the API, and a cluster with Machines and orders, have objects of that name, or cannot be
 * asked.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Schemas } from '@ssvirt/api-client/client';
import { orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { machines } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { urnOf } from '../../packages/ssvirt/src/api/urn.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { startApi, type ApiHarness, type Person } from '../api/harness.ts';
import { definitionOf as orderDefinition } from '../cloudkit/definitions.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster } from '../database/rows.ts';
import { install } from '../fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { definitionOf as machineDefinition } from '../machine-operator/definitions.ts';
import { CommandLine } from './command.ts';

describe('ssvirt vm debug', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let cluster: MemberCluster;
  let folder: ThrowAwayFolder;
  let kubeconfig: string;
  let tenant: Person;
  let vm: Vm;

  before(async () => {
    [api, cluster, folder] = await Promise.all([
      startApi(),
      startMemberCluster('supervisor'),
      throwAwayFolder('vm-debug-'),
    ]);
    kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    tenant = await api.person('vApp User');
    const vdc = await makeVdc(api.db, { organization_id: tenant.organizationId, name: 'demo-vdc' });
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id, name: 'shop' });
    vm = await makeVm(api.db, { vapp_id: vapp.id, name: 'web' });
    await setCluster(api.db, { name: vm.cluster, state: 'synced', unreadable_namespaces: [] });
    await observe(api.db, vm, 'FAILED', { fault: 'No node has room for it.', fault_reason: 'NO_ROOM' });
    await api.db
      .insertInto('tasks')
      .values({
        organization_id: tenant.organizationId,
        user_id: tenant.userId,
        owner_kind: 'vm',
        owner_id: vm.id,
        operation: 'vmPowerOn',
        status: 'error',
        step: 'start',
        error: { minorErrorCode: 'CLUSTER_REFUSED', message: 'The quota is used up' },
        ended_at: new Date(),
      })
      .execute();
  });
  after(async () => {
    await Promise.all([api?.stop(), cluster?.stop(), folder?.remove()]);
  });

  /** Runs with what this user has: a session of the API, a kubeconfig. */
  function as(person: Person | undefined, hasCluster = true): CommandLine {
    return new CommandLine({
      XDG_CONFIG_HOME: folder.path,
      ...(person === undefined ? {} : { SSVIRT_URL: api.url, SSVIRT_TOKEN: person.token }),
      ...(hasCluster ? { KUBECONFIG: kubeconfig } : { KUBECONFIG: join(folder.path, 'none') }),
    });
  }

  test('a virtual machine of a tenant is found over the API: its state, the failing step and what to do, and what was not asked', async () => {
    const { code, out, err } = await as(tenant, false).run('vm', 'debug', 'web');
    assert.equal(code, 1, err);
    assert.match(err, /^found the virtual machine of a tenant "web" in virtual data center "demo-vdc", vApp "shop"$/m);
    assert.match(err, /^ssvirt: could not look for a Machine \(the cluster of the kubeconfig\): .*there is none in /m);
    for (const line of [
      /^Virtual machine web$/m,
      /^ {2}status +FAILED$/m,
      /^ {2}vApp +shop/m,
      /^ {2}VDC +demo-vdc/m,
      /^ {2}\d+ s ago +error +Powering on virtual machine web +start +\S+ +The quota is used up$/m,
      /^ {2}NO_ROOM: No node has room for it\.\n {4}Give it fewer CPUs or less memory, or ask the provider for room\.$/m,
      /^ {2}TASK_FAILED: The last task, "Powering on virtual machine web", failed at the step "start": The quota is used up\.$/m,
      /^ {2}FAILED: it cannot start; /m,
      /^Next\n {2}ssvirt task get urn:vcloud:task:/m,
    ])
      assert.match(out, line);
    assert.doesNotMatch(out, /placed on|State that could not be written/, 'that is for the provider');
  });

  test('the provider also learns where it is, and what could not be recorded', async () => {
    await api.db
      .insertInto('sync_failures')
      .values({
        cluster: vm.cluster,
        namespace: vm.namespace,
        vm_name: vm.vm_name,
        vm_id: vm.id,
        error_type: 'Deadlock',
        message: 'two wrote at once',
        attempts: 7,
      })
      .execute();
    const provider = await api.person('System Administrator');
    const { code, out, err } = await as(provider, false).run('vm', 'debug', urnOf('vm', vm.id), '-o', 'json');
    assert.equal(code, 1, err);
    const seen = JSON.parse(out) as Schemas['VmExplanation'] & { readonly found: string };
    assert.deepEqual([seen.found, seen.verdict, seen.syncFailures?.[0]?.attempts], ['vm', 'wrong', 7]);
    assert.equal(seen.vm.placement?.namespace, vm.namespace);
    const failure = seen.findings.find(({ reason }) => reason === 'STATE_NOT_WRITTEN');
    assert.match(failure?.what ?? '', /after 7 attempts \(Deadlock\)\.$/);
    assert.equal(failure?.why, 'two wrote at once');
    assert.ok(seen.next.includes('ssvirt sync-failure list'), seen.next.join('\n'));
  });

  test('where nothing has the name, it says where it was looked and what could not be asked, and why', async () => {
    const { code, out, err } = await as(undefined).run('vm', 'debug', 'nothing');
    assert.deepEqual([code, out], [4, '']);
    assert.match(err, /^ssvirt: nothing is named "nothing":$/m);
    assert.match(
      err,
      /^ {2}virtual machine of a tenant +not searched +the API of ssvirt: you are not logged in: "ssvirt login/m,
    );
    assert.match(err, /^ {2}Machine +not searched +.* of context "test": the cluster does not serve Machines$/m);
    await install(cluster.client, machineDefinition('machines'), orderDefinition('virtualmachines'));
    const asked = await as(tenant).run('vm', 'debug', 'nothing', '-n', 'default');
    assert.match(asked.err, /^ {2}virtual machine of a tenant +none +searched http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(asked.err, /^ {2}order +none +searched namespace "default" of context "test"$/m);
  });

  test('a Machine, or an order, is found in whichever namespace it is; where several have the name, one has to be chosen', async () => {
    const metadata = { namespace: 'default', name: 'lone' };
    await cluster.client.create(machines, { metadata, spec: { template: 'small' } });
    const machine = await as(tenant).run('vm', 'debug', 'lone', '-o', 'json');
    assert.match(machine.err, /^found the Machine "lone" in namespace "default"$/m);
    assert.equal((JSON.parse(machine.out) as { found: string }).found, 'machine');
    await cluster.client.create(machines, { metadata: { ...metadata, name: 'web' }, spec: { template: 'small' } });
    await cluster.client.create(orders, {
      metadata: { ...metadata, name: 'web' },
      spec: { templateID: 'osac.templates.ocp_virt_vm' },
    });
    const several = await as(tenant).run('vm', 'debug', 'web');
    assert.deepEqual([several.code, several.out], [4, '']);
    assert.match(several.err, /several objects are named "web": give --kind vm\|machine\|order\./);
    assert.match(several.err, /^ {2}--kind machine +Machine +web +namespace "default" +-n default$/m);
    const order = await as(tenant).run('vm', 'debug', 'web', '--kind', 'order');
    assert.match(order.err, /^found the order "web" in namespace "default"$/m);
    assert.match(order.out, /^Order default\/web$/m, order.err);
    const named = await as(tenant).run('vm', 'debug', 'default/web', '--kind', 'machine');
    assert.match(named.out, /^Machine default\/web$/m);
  });

  test('who may not look into all namespaces looks into that of the context', async () => {
    const { id } = cluster.faults.add({ kind: '403', path: '/apis/vitistack.io/v1alpha1/machines', verbs: ['list'] });
    try {
      const { err } = await as(undefined).run('vm', 'debug', 'lone');
      assert.match(err, /^found the Machine "lone" in namespace "default"$/m);
    } finally {
      cluster.faults.remove(id);
    }
  });
});
