/**
 * Disks that cannot be created: the task names the disk, the reason and the remedy, and the VM runs again without them.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { claims, dataVolumes, storageClasses, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { instanceSpecOf } from '../../packages/ssvirt/src/kubevirt/tenant-vm/live.ts';
import type { Answer, Person } from '../api/harness.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { Installation } from './harness.ts';

const base = '/cloudapi/1.0.0';
const patient = { deadlineMs: 120_000, everyMs: 100 };
/** A refused class is refused for good here; no wait outlasts the test. */
const settings = { failureMs: 2000, waitMs: 100, maxWaitMs: 300 };

interface TaskShape {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly error: { readonly message: string } | null;
}

interface VmShape {
  readonly id: string;
  readonly status: string;
  readonly fault: { readonly reason: string; readonly message: string } | null;
  readonly disks: readonly { readonly name: string }[];
  readonly task?: TaskShape;
}

suite('a disk that cannot be made', { timeout: 240_000 }, () => {
  let harness: Installation;
  let simulators: Simulators;
  let person: Person;
  let vdc: Vdc;
  let endWatch: () => Promise<void>;

  before(async () => {
    // It has no catalog, so its storage classes are unknown to requests: every name is accepted.
    harness = await Installation.start({ settings });
    simulators = await startSimulators({
      source: fixedSource(harness.fleets.supervisor),
      name: 'own',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 50 },
      log: pino({ level: 'error' }),
    });
    await harness.reached('local');
    person = await harness.api.person('vApp Author');
    vdc = await harness.tenancy.made({ organization_id: person.organizationId });
    endWatch = await harness.watch('local');
  });
  after(async () => {
    await endWatch?.();
    await harness?.stop();
    await simulators?.stop({ leaveRegistered: true });
  });

  const ask = <T = VmShape>(method: string, path: string, body?: object): Promise<Answer<T>> =>
    harness.api.ask<T>(method, `${base}/${path}`, { token: person.token, ...defined({ body }) });

  async function accepted(
    method: string,
    path: string,
    body?: object,
  ): Promise<VmShape & { readonly task: TaskShape }> {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, 202, answer.text);
    const { task } = answer.body;
    assert.ok(task !== undefined);
    return { ...answer.body, task };
  }

  const create = (name: string, more: object = {}): Promise<VmShape> =>
    accepted('POST', `vdcs/urn:vcloud:vdc:${vdc.id}/vms`, {
      name,
      image: 'containerdisks/fedora:42',
      cpus: 1,
      memoryMb: 512,
      ...more,
    });

  async function reaches<T>(path: string, isThere: (now: T) => boolean): Promise<T> {
    let now: T | undefined;
    await until(
      `${path} is so`,
      async () => {
        now = (await ask<T>('GET', path)).body;
        if (isThere(now)) return true;
        throw new Error(JSON.stringify(now));
      },
      patient,
    );
    return now as T;
  }

  const shows = ({ id }: VmShape, isThere: (vm: VmShape) => boolean): Promise<VmShape> => reaches(`vms/${id}`, isThere);
  const does = ({ id }: TaskShape, isThere: (task: TaskShape) => boolean): Promise<TaskShape> =>
    reaches(`tasks/${id}`, isThere);

  async function inCluster({ id }: VmShape): Promise<Unstructured> {
    const { vm_name: name } = await harness.api.db
      .selectFrom('vms')
      .select('vm_name')
      .where('id', '=', id.slice(-36) as never)
      .executeTakeFirstOrThrow();
    return harness.fleets.supervisor.client.get(virtualMachines, { namespace: vdc.namespace, name });
  }

  const volumesOf = async (vm: VmShape): Promise<readonly unknown[]> =>
    (instanceSpecOf(await inCluster(vm))['volumes'] as { readonly name: string }[]).map(({ name }) => name);

  test('is not added: the task names the disk and the class, and leaves nothing behind', async () => {
    const vm = await create('one');
    await shows(vm, ({ status }) => status === 'POWERED_ON');
    const { task } = await accepted('POST', `vms/${vm.id}/disks`, { name: 'data', sizeGb: 1, storageClass: 'gold' });
    const waiting = await does(task, ({ message, status }) => message.includes('gold') || status === 'error');
    const cause = 'its disk "data" cannot be made: the storage class "gold" does not exist';
    if (waiting.status !== 'error') assert.equal(waiting.message, `waits: ${cause}`);
    assert.deepEqual(await volumesOf(vm), ['rootdisk'], 'a disk that cannot be made never joins the machine');
    const { error } = await does(task, ({ status }) => status === 'error' || status === 'success');
    assert.match(String(error?.message), /^Its disk "data" cannot be made: the storage class "gold" does not exist\. /);
    const { disks, status } = await shows(vm, (now) => now.disks.length === 1);
    assert.deepEqual([disks[0]?.name, status], ['rootdisk', 'POWERED_ON']);
    const { items } = await harness.fleets.supervisor.client.list(dataVolumes, { namespace: vdc.namespace });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      [],
    );
  });

  test('of a new machine is reported by its name, and the machine starts when it is removed', async () => {
    const vm = await create('two', { disks: [{ name: 'logs', sizeGb: 1, storageClass: 'gold' }] });
    const { fault } = await shows(vm, (now) => now.fault !== null);
    assert.equal(
      fault?.message,
      'Its disk "logs" cannot be made: the storage class "gold" does not exist. Remove the disk and add it with another class, or ask an administrator to create that class.',
    );
    const { task } = await accepted('DELETE', `vms/${vm.id}/disks/logs`);
    await does(task, ({ status }) => status === 'success');
    const now = await shows(vm, ({ status }) => status === 'POWERED_ON');
    assert.equal(now.fault, null);
  });

  test('since its class has gone is reported when the machine starts; without it the machine runs', async () => {
    const { client } = harness.fleets.supervisor;
    const vm = await create('three', { powerOn: false });
    await shows(vm, ({ status }) => status === 'POWERED_OFF');
    const { metadata: _, ...local } = await client.get(storageClasses, { name: 'local' });
    await client.create(storageClasses, { ...local, metadata: { name: 'slow' } });
    const added = await accepted('POST', `vms/${vm.id}/disks`, { name: 'late', sizeGb: 1, storageClass: 'slow' });
    await does(added.task, ({ status }) => status === 'success');
    assert.deepEqual(await volumesOf(vm), ['rootdisk', 'late'], 'it waits for its first consumer, which is well');
    await client.delete(storageClasses, { name: 'slow' });
    await accepted('POST', `vms/${vm.id}/actions/powerOn`);
    const { fault } = await shows(vm, (now) => now.fault !== null);
    assert.match(String(fault?.message), /^Its disk "late" cannot be made: the storage class "slow" does not exist\./);
    const { task } = await accepted('DELETE', `vms/${vm.id}/disks/late`);
    await does(task, ({ status }) => status === 'success');
    const now = await shows(vm, ({ status }) => status === 'POWERED_ON');
    assert.equal(now.fault, null);
  });

  test('since it was deleted keeps an instance waiting, which is started again without it', async () => {
    const { client } = harness.fleets.supervisor;
    const vm = await create('four', { powerOn: false });
    await shows(vm, ({ status }) => status === 'POWERED_OFF');
    const added = await accepted('POST', `vms/${vm.id}/disks`, { name: 'lost', sizeGb: 1 });
    await does(added.task, ({ status }) => status === 'success');
    const { name = '' } = (await inCluster(vm)).metadata;
    await client.delete(dataVolumes, { namespace: vdc.namespace, name: `${name}-lost` });
    await until(
      'its claim is gone',
      async () => (await client.list(claims, { namespace: vdc.namespace })).items.length === 0,
    );
    await accepted('POST', `vms/${vm.id}/actions/powerOn`);
    const { fault } = await shows(vm, (now) => now.fault !== null);
    assert.match(String(fault?.message), /^Its disk "lost" does not exist/);
    const { task } = await accepted('DELETE', `vms/${vm.id}/disks/lost`);
    await does(task, ({ status }) => status === 'success');
    await shows(vm, ({ status }) => status === 'POWERED_ON');
  });
});
