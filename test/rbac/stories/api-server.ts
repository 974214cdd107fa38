/**
 * The life of an api-server: VDCs, VMs and vApps in another cluster, their power, disks and consoles, a cluster that
 * loses its history, and the deletion of all.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import { orders } from '../../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { vdcTypes } from '../../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import { templates } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import type { Vdc } from '../../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { Vm } from '../../../packages/ssvirt/src/db/vms/vms.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import { runApiServer } from '../../../packages/ssvirt/src/processes/api-server/process.ts';
import { virtualMachines } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { machineTemplates } from '../../../packages/sandbox/src/simulators/templates/machine-templates/kinds.ts';
import { childKinds, childNames, templatesKind } from '../../../packages/ssvirt/src/kubevirt/vdc/objects.ts';
import { definitionOf as orderDefinition } from '../../cloudkit/definitions.ts';
import { startTestDatabase } from '../../database/harness.ts';
import { install, kubevirtConfigDefinition } from '../../fleet/definition.ts';
import { putConfig } from '../../fleet/harness.ts';
import { definitionOf as machineDefinition, machines } from '../../machine-operator/definitions.ts';
import { Caller, makeCertificates } from '../../processes/api-server.ts';
import { countsMachines } from '../../tenancy/counts-vms.ts';
import { testSettings } from '../../tenancy/harness.ts';
import { MachineHarness, machineSettings } from '../../tenancy/vm-harness.ts';
import { pair, VappHarness } from '../../tenancy/vapp-harness.ts';
import { manifests } from '../../vm-status/manifests.ts';
import { vanish } from '../decoys.ts';
import type { WitnessedCluster } from '../witnessed-cluster.ts';
import { withoutRoles } from '../right.ts';
import { storyTimes, type Stage } from '../stage.ts';
import type { Story } from '../story.ts';

const name = 'elsewhere';
const password = 'a password for stories only';
type Harness = MachineHarness<WitnessedCluster>;

async function tell(stage: Stage): Promise<void> {
  const { elsewhere } = stage;
  await install(
    stage.own.client,
    kubevirtConfigDefinition(),
    machineDefinition('machines'),
    orderDefinition('virtualmachines'),
  );
  const database = await startTestDatabase();
  stage.onClear(database.stop);
  const certificates = await makeCertificates(stage.folder);
  writeFileSync(stage.file('password'), password);
  let url = '';
  await stage.run(({ kubeconfig, metricsAddr, healthAddr }, signal) => {
    url = `https://${healthAddr}`;
    const { certFile, keyFile } = certificates;
    const initialAdmin = { passwordFile: stage.file('password') };
    const offers = { templateNamespaces: ['default'], imageNamespaces: ['default'] };
    const api = { kubeconfig, metricsAddr, listen: healthAddr, tls: { certFile, keyFile }, initialAdmin, ...offers };
    const told = { api, images: { allowedHosts: ['*'] }, database: { url: database.url } };
    writeFileSync(stage.file('config.yaml'), JSON.stringify(told), { mode: 0o600 });
    const { config } = loadConfig(schema, { process: 'api-server', file: stage.file('config.yaml') });
    const tenancy = { ...testSettings, ...machineSettings, sweepMs: 500 };
    return runApiServer(config, pino({ level: 'silent' }), signal, { ...storyTimes, tenancy });
  });
  const metadata = { namespace: 'default', name: 'seen' };
  await stage.own.client.create(machines, { metadata, spec: { template: 'small' } });
  await stage.own.client.create(orders, { metadata, spec: { templateID: 'osac.templates.ocp_virt_vm' } });
  for (const kind of ['machines.vitistack.io', 'virtualmachines.cloudkit.openshift.io'])
    await stage.until(`it knows ${kind}`, async () => (await stage.knows(kind)) > 0);
  await putConfig(stage.own, name, elsewhere.credentials);
  const fleets = {
    supervisor: elsewhere,
    fleet: (): never => {
      throw new Error('the process has its own');
    },
    stop: () => Promise.resolve(),
  };
  const harness: Harness = new MachineHarness(fleets, database);
  await stage.until('the cluster counts machines', () => countsMachines(elsewhere.client));
  const vdc = await dataCenter(stage, harness);
  const vm = await machine(harness, vdc);
  const caller = new Caller(url, certificates.authority.certificate);
  stage.onClear(() => caller.close());
  for (const kind of ['serial', 'vnc'] as const)
    await console(stage, caller, vm, kind, certificates.authority.certificate);
  await power(harness, vm, 'vmPowerOff', 'Stopped', 'POWERED_OFF');
  await harness.ended(await harness.delete(vm), 'success');
  await fromTemplates(stage, harness, new VappHarness(fleets, database), vdc);
  await templatesBoundAgain(stage, harness, vdc);
  await forgetting(stage);
  await harness.ended((await harness.remove(vdc, true)).task, 'success');
  assert.equal(await stage.scraped(), 200);
}

/** A foreign addition to its quota is removed, and a deleted object next to it is created again. */
async function dataCenter(stage: Stage, harness: Harness): Promise<Vdc> {
  const vdc = await harness.made({ cluster: name, vm_quota: 30, memory_limit_mb: 1024 * 1024, storage_limit_mb: 1000 });
  const key = { namespace: vdc.namespace, name: 'vdc-quota' };
  const body = { spec: { hard: { 'count/virtualmachines.kubevirt.io': '99', pods: '1' } } };
  await harness.cluster.client.patch(vdcTypes.ResourceQuota, key, { type: 'merge', body });
  await harness.ended((await harness.update(vdc, { memory_limit_mb: 0 })).task, 'success');
  for (const kind of childKinds) {
    const found = await harness.find(vdc, kind);
    assert.ok(found !== undefined, kind);
    const { name: called = '', uid: gone } = found.metadata;
    await harness.cluster.client.delete(vdcTypes[kind], { namespace: vdc.namespace, name: called });
    await stage.until(`there is a ${kind} again`, async () => {
      const { uid } = (await harness.find(vdc, kind))?.metadata ?? {};
      return uid !== undefined && uid !== gone;
    });
  }
  await replaced(stage, harness, vdc);
  return vdc;
}

/** Another RoleBinding with the same name grants something else: a RoleBinding's role cannot be changed. */
async function replaced(stage: Stage, harness: Harness, vdc: Vdc): Promise<void> {
  const { client } = harness.cluster;
  const key = { namespace: vdc.namespace, name: childNames.RoleBinding };
  const live = await harness.find(vdc, 'RoleBinding');
  const { roleRef, ...rest } = live ?? { metadata: {} };
  const metadata = { ...key, labels: live?.metadata.labels ?? {} };
  await stage.until('another RoleBinding has its name', async () => {
    await client.delete(vdcTypes.RoleBinding, key).catch(() => undefined);
    return client
      .create(vdcTypes.RoleBinding, {
        ...rest,
        metadata,
        roleRef: { ...(roleRef as object), name: 'view' },
      } as KubeObject)
      .then(
        () => true,
        () => false,
      );
  });
  await stage.until('ours is back', async () => {
    const found = (await harness.find(vdc, 'RoleBinding'))?.['roleRef'] as { readonly name?: string } | undefined;
    return found?.name === 'ssvirt-api-server-vdc';
  });
}

/** The rights for templates, which are bound in addition to the others. */
async function templatesBoundAgain(stage: Stage, harness: Harness, vdc: Vdc): Promise<void> {
  const found = await harness.find(vdc, templatesKind);
  assert.ok(found !== undefined);
  await harness.cluster.client.delete(vdcTypes[templatesKind], {
    namespace: vdc.namespace,
    name: childNames[templatesKind],
  });
  await stage.until('templates are bound again', async () => (await harness.find(vdc, templatesKind)) !== undefined);
}

/** A VM that gets user data for its first start, is changed, powered, and gets a disk while it runs. */
async function machine(harness: Harness, vdc: Vdc): Promise<Vm> {
  const spec = { cloudInit: { userData: '#cloud-config' }, sshKeys: ['ssh-ed25519 AAAA'] };
  const { vm } = await harness.orderMade(vdc, { spec });
  await harness.did(vm, 'vmUpdate', { changed: ['cpus'] }, { cpu_count: 2 });
  await power(harness, vm, 'vmPowerOn', 'Running', 'POWERED_ON');
  // It stops by itself, and is started again.
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}/stop`;
  await harness.cluster.client.request({ method: 'PUT', path, body: {} });
  await harness.reaches(vm, 'Stopped');
  await harness.observe(vm, { status: 'POWERED_OFF' });
  await power(harness, vm, 'vmPowerOn', 'Running', 'POWERED_ON');
  await power(harness, vm, 'vmSuspend', 'Paused', 'SUSPENDED');
  await power(harness, vm, 'vmResume', 'Running', 'POWERED_ON');
  for (const operation of ['vmReset', 'vmReboot']) await harness.did(vm, operation);

  const more = {
    ...(await harness.vmRow(vm.id)).spec,
    disks: [{ name: 'more', sizeMb: 8, added: true }],
    storageMb: 8,
  };
  await harness.did(vm, 'vmDiskAdd', { disk: 'more', sizeMb: 8 }, { spec: more });
  await harness.did(vm, 'vmDiskRemove', { disk: 'more' });
  return vm;
}

/** Writes the status as the vm-controller would. */
async function power(harness: Harness, vm: Vm, operation: string, status: string, shown: string): Promise<void> {
  const task = await harness.ask(vm, operation);
  await harness.reaches(vm, status);
  await harness.observe(vm, { status: shown });
  await harness.ended(task, 'success');
}

async function console(stage: Stage, caller: Caller, vm: Vm, kind: 'serial' | 'vnc', ca: string): Promise<void> {
  const headers = await caller.logIn('administrator@System', password);
  const path = `/cloudapi/1.0.0/vms/urn:vcloud:vm:${vm.id}/consoleTicket`;
  const { status, body } = await caller.ask('POST', path, { headers, body: { kind } });
  assert.equal(status, 201, JSON.stringify(body));
  const socket = new WebSocket(String(body['streamUrl']), ['plain.kubevirt.io'], { ca });
  stage.onClear(() => Promise.resolve(socket.terminate()));
  await once(socket, 'message');
  socket.close();
}

/** One template of KubeVirt's, and one of OpenShift's that creates two VMs, one of which is then deleted. */
async function fromTemplates(
  stage: Stage,
  harness: Harness,
  vapps: VappHarness<WitnessedCluster>,
  vdc: Vdc,
): Promise<void> {
  await harness.offerTemplate('small');
  const source = { kind: 'machineTemplate', namespace: 'default', name: 'small', parameters: { NAME: 'any' } } as const;
  const { vm } = await harness.orderMade(vdc, { spec: { source } });
  await harness.ended(await harness.delete(vm), 'success');
  const { client } = stage.elsewhere;
  const [web, , db] = pair.objects;
  await client.create(templates, { ...pair, objects: [web, db] });
  const { vapp, task, vms } = await vapps.instantiate(vdc, { parameters: { CORES: '2' } });
  await vapps.ended(task, 'success');
  await client.delete(virtualMachines, { namespace: vdc.namespace, name: vms[0]?.vm_name ?? '' });
  await vapps.ended(await vapps.delete(vapp, vdc), 'success');
}

async function forgetting(stage: Stage): Promise<void> {
  const { client } = stage.elsewhere;
  const typeOf = (apiVersion: string, kind: string): Promise<ResourceType> => client.typeOf(apiVersion, kind);
  const domain = { devices: {}, memory: { guest: '1Gi' } };
  const machine = { metadata: { name: '${NAME}' }, spec: { runStrategy: 'Always', template: { spec: { domain } } } };
  const namespace = 'default';
  await vanish(stage, stage.elsewhere, [
    {
      type: machineTemplates,
      namespace,
      rest: { spec: { virtualMachine: machine, parameters: [{ name: 'NAME', required: true }] } },
    },
    {
      type: await typeOf('cdi.kubevirt.io/v1beta1', 'DataSource'),
      namespace,
      rest: { spec: { source: { pvc: { namespace, name: 'none' } } } },
    },
    {
      type: await typeOf('instancetype.kubevirt.io/v1beta1', 'VirtualMachineClusterInstancetype'),
      rest: { spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } } },
    },
    { type: await typeOf('instancetype.kubevirt.io/v1beta1', 'VirtualMachineClusterPreference'), rest: { spec: {} } },
  ]);
  await vanish(stage, stage.own);
}

export const apiServer: Story = {
  process: 'api-server',
  // No VM runs here, so there is no catalog; the identity of the cluster is in a namespace.
  own: withoutRoles(manifests('api-server.yaml'), 'ssvirt-api-server-catalog'),
  elsewhere: manifests('api-server-member.yaml'),
  parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'templates'],
  tell,
};
