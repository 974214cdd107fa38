/** The third API: a service orders a VM for its customer, changes the order, and cancels it. */
import type { ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { dataVolumes, instances, orders, part, services, text, virtualMachines, type Condition } from './kinds.ts';
import type { Stage } from './stage.ts';

const name = 'ordered-vm';

export async function orderStory(stage: Stage): Promise<void> {
  const { client, journal } = stage;
  const key = { namespace: stage.names.orders, name };
  const namespace = stage.names.tenant;
  const spec = { templateID: 'osac.templates.ocp_virt_vm', tenantNamespace: namespace };
  await client.create(orders, { metadata: key, spec: { ...spec, templateParameters: parameters(stage, '22/tcp') } });
  journal.say(`the service has ordered ${name} for the namespace ${namespace}`);
  const order = await untilReady(stage, key);
  const machine = {
    namespace,
    name: text(part(order, 'status', 'virtualMachineReference')['kubeVirtVirtualMachineName']),
  };
  journal.say(`it runs: ${await stage.untilRuns(machine)}`);
  const address = text(part(await stage.client.get(orders, key), 'status')['loadBalancerAddress']);
  journal.say(address === '' ? 'this cluster gives load balancers no address (yet)' : `it is reached at ${address}`);
  await client.patch(orders, key, {
    type: 'merge',
    body: { spec: { templateParameters: parameters(stage, '22/tcp,80/tcp') } },
  });
  await untilReady(stage, key, version(order));
  journal.say('the order was changed: a second port is open');
  const made = (await client.list(services, { namespace })).items.map(({ metadata }) => metadata.name ?? '');
  const disks = (await client.list(dataVolumes, { namespace })).items.map(({ metadata }) => metadata.name ?? '');
  await client.delete(orders, key);
  await stage.untilGone(
    name,
    [orders, key],
    [virtualMachines, machine],
    [instances, machine],
    ...made.map((one) => [services, { namespace, name: one }] as const),
    ...disks.map((one) => [dataVolumes, { namespace, name: one }] as const),
  );
  journal.say('nothing of it is left in the cluster');
}

function parameters({ options }: Stage, ports: string): string {
  const { image, memoryMb, diskSize } = options;
  return JSON.stringify({
    cpu_cores: 1,
    memory: `${memoryMb}Mi`,
    disk_size: diskSize,
    image_source: image,
    exposed_ports: ports,
  });
}

function version(order: Unstructured): string {
  return text(part(order, 'status')['reconciledConfigVersion']);
}

/** A version other than `before`, if there was one. */
async function untilReady(stage: Stage, key: ObjectKey, before = ''): Promise<Unstructured> {
  return stage.wait(`${name} is Ready`, async () => {
    const order = await stage.client.get(orders, key);
    const { phase, conditions } = part(order, 'status');
    const isDone = phase === 'Ready' && version(order) !== before;
    const seen = `${name}: ${text(phase) || 'no phase yet'}${isDone ? '' : waitsFor(conditions)}`;
    return isDone ? { seen, found: order } : { seen };
  });
}

function waitsFor(conditions: unknown): string {
  const open = ((conditions ?? []) as readonly Condition[]).find(
    ({ type = '', status }) => status !== 'True' && type.endsWith('Ready'),
  );
  return open === undefined ? '' : `, ${open.type} is ${open.reason}: ${open.message}`;
}
