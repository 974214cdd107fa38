/**
 * The first API: a provider creates an organization for a tenant, who orders a VM over the REST API, uses it, and
 * deletes it.
 */
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import type { ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { managedSelector, labels } from '../../packages/ssvirt/src/kubevirt/vdc/labels.ts';
import type { Told } from '../processes/api-server.ts';
import { instances, namespaces, part, text, virtualMachines } from './kinds.ts';
import { stopPastSsvirt } from './kubevirt-stop.ts';
import type { Api } from './processes.ts';
import type { Stage } from './stage.ts';
import { TenantApi } from './tenant-api.ts';
import { StoryError } from './wait.ts';

const machine = 'tenant-vm';

export async function tenantStory(stage: Stage, api: Api): Promise<void> {
  const { journal } = stage;
  const { run } = stage.names;
  const provider = await TenantApi.logIn(api.caller, 'administrator@System', api.password);
  const { tenant, org, vdc, namespace } = await makeRoom(stage, api, provider);
  const vm = String((await tenant.ask('POST', `/cloudapi/1.0.0/vdcs/${vdc}/vms`, wanted(stage)))['id']);
  journal.say(`the tenant has ordered ${machine} (${vm})`);
  await untilStatus(stage, tenant, vm, 'POWERED_ON');
  const name = (await inCluster(stage, namespace)).metadata.name ?? '';
  journal.say(`it runs: ${await stage.untilRuns({ namespace, name })}`);
  if (stage.options.console) await untilPrompt(stage, api, tenant, vm);
  await operate(stage, { tenant, vm, key: { namespace, name } });
  await tenant.ask('DELETE', `/cloudapi/1.0.0/vms/${vm}?force=true`);
  await stage.untilGone('the machine', [virtualMachines, { namespace, name }], [instances, { namespace, name }]);
  await provider.ask('DELETE', `/api/admin/org/${org}/vdcs/${vdc}?force=true`);
  await stage.untilGone('the virtual data center', [namespaces, { name: namespace }]);
  journal.say(`nothing of ${run} is left in the cluster`);
}

interface Ordered {
  readonly tenant: TenantApi;
  readonly vm: string;
  /** The name in the cluster. */
  readonly key: ObjectKey;
}

/** Everything that a tenant can do with an existing VM. */
async function operate(stage: Stage, ordered: Ordered): Promise<void> {
  const { journal, client } = stage;
  const { tenant, vm, key } = ordered;
  const path = `/cloudapi/1.0.0/vms/${vm}`;
  const act = (word: string): Promise<void> => done(stage, tenant, word, 'POST', `${path}/actions/${word}`);
  const status = (wanted: string): Promise<void> => untilStatus(stage, tenant, vm, wanted);
  await act('suspend');
  await status('SUSPENDED');
  await act('resume');
  await status('POWERED_ON');
  journal.say('it was suspended and resumed');
  await act('reset');
  await act('reboot');
  await status('POWERED_ON');
  journal.say('it was reset, and its guest was rebooted');
  await done(stage, tenant, 'disk add', 'POST', `${path}/disks`, { name: 'data', sizeGb: 1, ...diskClass(stage) });
  await done(stage, tenant, 'disk remove', 'DELETE', `${path}/disks/data`);
  journal.say('a disk was added and removed while it ran');
  await done(stage, tenant, 'resize', 'PUT', path, { cpus: 2 });
  await act('shutdown');
  await status('POWERED_OFF');
  await act('powerOn');
  await status('POWERED_ON');
  await stage.wait(`${machine} has 2 CPUs`, async () => {
    const { cpu } = part(await stage.find(instances, key), 'spec', 'domain') as { readonly cpu?: Topology };
    const { sockets = 1, cores = 1, threads = 1 } = cpu ?? {};
    const cpus = sockets * cores * threads;
    return { seen: `${machine} has ${cpus} CPUs`, ...(cpus === 2 ? { found: true } : {}) };
  });
  journal.say('it was resized, and its guest was shut down');
  await act('powerOff');
  await status('POWERED_OFF');
  await stage.untilGone('the instance', [instances, key]);
  await act('powerOn');
  await status('POWERED_ON');
  journal.say('it was switched off and on again');
  await stopPastSsvirt(client, key);
  await status('POWERED_OFF');
  await act('powerOn');
  await status('POWERED_ON');
  journal.say('it was powered on after KubeVirt had stopped it past ssvirt');
}

interface Topology {
  readonly sockets?: number;
  readonly cores?: number;
  readonly threads?: number;
}

function diskClass({ options: { storageClass } }: Stage): object {
  return storageClass === undefined ? {} : { storageClass };
}

/** Sends the request, and waits until its task has succeeded. */
async function done(
  stage: Stage,
  tenant: TenantApi,
  what: string,
  ...asked: Parameters<TenantApi['start']>
): Promise<void> {
  const task = await tenant.start(...asked);
  if (task === undefined) return;
  await stage.wait(`the task "${what}" has ended`, async () => {
    const { status, step, message, error } = await tenant.ask('GET', task);
    const why = text(part(error)['message']) || text(message);
    const seen = `${what}: ${text(status)}${text(step) && `, ${text(step)}`}${why && `, ${why}`}`;
    if (status === 'success') return { seen, found: true };
    return { seen, hopeless: ['error', 'canceled', 'aborted'].includes(text(status)) };
  });
}

interface Room {
  readonly tenant: TenantApi;
  readonly org: string;
  readonly vdc: string;
  readonly namespace: string;
}

async function makeRoom(stage: Stage, api: Api, provider: TenantApi): Promise<Room> {
  const { run } = stage.names;
  const org = String((await provider.ask('POST', '/cloudapi/1.0.0/orgs', { name: run, displayName: run }))['id']);
  const role = await provider.first('/cloudapi/1.0.0/roles', 'name==vApp Author');
  const password = randomBytes(15).toString('base64url');
  await provider.ask('POST', '/cloudapi/1.0.0/users', {
    username: 'tenant',
    fullName: 'A tenant',
    password,
    organizationId: org,
    roleEntityRefs: [{ id: role?.['id'] }],
  });
  const made = await provider.ask('POST', `/api/admin/org/${org}/vdcs`, {
    name: 'vdc',
    computeCapacity: { cpu: { limit: 4000 }, memory: { limit: 8192 } },
    storageLimitMb: 20_480,
    vmQuota: 2,
  });
  const labelSelector = `${managedSelector},${labels.organization}=${run}`;
  const namespace = await stage.wait('the virtual data center is a namespace', async () => {
    const [one] = (await stage.client.list(namespaces, { labelSelector })).items;
    const name = one?.metadata.name;
    return name === undefined ? { seen: 'no namespace yet' } : { seen: `namespace ${name}`, found: name };
  });
  stage.journal.say(`organization ${run} has a virtual data center, the namespace ${namespace}`);
  const tenant = await TenantApi.logIn(api.caller, `tenant@${run}`, password);
  return { tenant, org, vdc: String(made['id']), namespace };
}

function wanted({ options }: Stage): object {
  return { name: machine, image: options.image, cpus: 1, memoryMb: options.memoryMb };
}

async function untilStatus(stage: Stage, tenant: TenantApi, vm: string, status: string): Promise<void> {
  await stage.wait(`${machine} is ${status}`, async () => {
    const body = await tenant.ask('GET', `/cloudapi/1.0.0/vms/${vm}`);
    const fault = faultOf(body);
    const seen = `${machine}: ${text(body['status'])}${fault && `, ${fault}`}`;
    return body['status'] === status ? { seen, found: true } : { seen };
  });
}

function faultOf({ fault }: Told['body']): string {
  return fault === undefined || fault === null ? '' : JSON.stringify(fault);
}

async function inCluster(stage: Stage, namespace: string): Promise<Unstructured> {
  return stage.wait('the machine is in the cluster', async () => {
    const [one] = (await stage.client.list(virtualMachines, { namespace })).items;
    return one === undefined
      ? { seen: `no virtual machine in ${namespace} yet` }
      : { seen: `virtualmachine ${one.metadata.name}`, found: one };
  });
}

/** A booted guest prints on its serial console. */
async function untilPrompt(stage: Stage, api: Api, tenant: TenantApi, vm: string): Promise<void> {
  const { streamUrl } = await tenant.ask('POST', `/cloudapi/1.0.0/vms/${vm}/consoleTicket`, { kind: 'serial' });
  const socket = new WebSocket(String(streamUrl), { ca: api.ca });
  let heard = '';
  let end: string | undefined;
  socket.on('message', (data: Buffer) => (heard = (heard + data.toString('utf8')).slice(-4000)));
  socket.on('error', (error) => (end = error.message));
  socket.on('close', (_code, why) => (end ??= why.toString() || 'it was closed'));
  try {
    await stage.wait('the guest shows a prompt', () => {
      // A key press shows the prompt again.
      if (socket.readyState === WebSocket.OPEN) socket.send('\r');
      const isThere = /login:|[$#] *$/.test(heard);
      const last = heard.trim().split('\n').at(-1)?.trim().slice(0, 100) ?? '';
      if (!isThere && end !== undefined) throw new StoryError(`the console of ${machine} has ended: ${end}`);
      return Promise.resolve({ seen: `console: ${last}`, ...(isThere ? { found: true } : {}) });
    });
  } finally {
    socket.close();
  }
  stage.journal.say('the guest answers on its serial console');
}
