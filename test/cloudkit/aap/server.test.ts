/** Checks that the AAP of the tests behaves like the real one; no operator runs here. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { type Order } from '../../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { annotations } from '../../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { until } from '../../runtime/until.ts';
import { patient } from '../harness.ts';
import { DualHarness, token } from './harness.ts';
import type { AapAction, Job } from '../../../packages/sandbox/src/simulators/aap/server.ts';

let harness: DualHarness;

before(async () => {
  harness = await DualHarness.start();
});
after(() => harness.stop());

/** Calls as an operator does. */
async function ask(action: AapAction, order: Order, version: string, bearer = token): Promise<number | 'cut'> {
  const { createUrl, deleteUrl } = harness.aap;
  try {
    const answer = await fetch(action === 'create' ? createUrl : deleteUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': `${order.metadata.uid}-${action}-${version}` },
      body: JSON.stringify({ ...order, status: { desiredConfigVersion: version } }),
    });
    return answer.status;
  } catch {
    return 'cut';
  }
}

async function ended(name: string, jobs: number): Promise<readonly Job[]> {
  await until(
    `${jobs} jobs for ${name} have ended`,
    () => {
      const all = harness.aap.jobsFor(name);
      if (all.length === jobs && all.every(({ state }) => state !== 'running')) return true;
      throw new Error(JSON.stringify(all));
    },
    patient,
  );
  return harness.aap.jobsFor(name);
}

test("AAP's job makes the role's objects, waits for the machine, and gives the version back; another one changes no uid", async () => {
  const parameters = { cpu_cores: '2', ssh_public_key: 'ssh-ed25519 AAAA me' };
  const order = await harness.order('web', undefined, parameters);
  assert.equal(await ask('create', order, 'v1'), 200);
  assert.deepEqual(
    (await ended('web', 1)).map(({ state, error }) => error ?? state),
    ['done'],
  );
  const made = await harness.cloudkit.read('web');
  assert.equal(made.metadata.annotations?.[annotations.reconciledConfigVersion], 'v1');
  assert.deepEqual(made.metadata.finalizers, ['cloudkit.openshift.io/computeinstance-aap']);
  const uids = await harness.uids('web');
  assert.deepEqual(Object.keys(uids).toSorted(), ['claim', 'cloud-init', 'disk', 'machine', 'ssh-key']);
  const vm = await harness.cloudkit.child(virtualMachines, 'web');
  assert.deepEqual(vm.metadata.labels, { 'cloudkit.openshift.io/computeinstance': 'web' });
  assert.ok(vm.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] !== undefined);

  const more = await harness.cloudkit.ask('web', { ...parameters, cpu_cores: '4' });
  await ask('create', more, 'v2');
  assert.deepEqual(
    (await ended('web', 2)).map(({ state, error }) => error ?? state),
    ['done', 'done'],
  );
  assert.deepEqual(await harness.uids('web'), uids);
  const changed = await harness.cloudkit.child(virtualMachines, 'web');
  assert.match(JSON.stringify(changed['spec']), /"cores":4/);
  assert.equal((await harness.cloudkit.read('web')).metadata.annotations?.[annotations.reconciledConfigVersion], 'v2');

  await harness.cloudkit.delete('web');
  assert.equal(await ask('delete', more, 'v2'), 200);
  assert.equal((await ended('web', 3)).at(-1)?.state, 'done');
  await harness.cloudkit.gone('web');
  assert.deepEqual(await harness.uids('web'), {});
});

test('AAP can refuse, lose its answer, fail in the middle, be asked for a token, and be away', async () => {
  const order = await harness.order('bad', undefined);
  assert.equal(await ask('create', order, 'v1', 'wrong'), 401);
  harness.aap.dials.refuse = 1;
  assert.equal(await ask('create', order, 'v1'), 503);
  assert.equal(harness.aap.jobsFor('bad').length, 0);
  harness.aap.dials.loseAnswers = 1;
  harness.aap.dials.failJobs = 1;
  assert.equal(await ask('create', order, 'v1'), 'cut');
  assert.deepEqual(
    (await ended('bad', 1)).map(({ state }) => state),
    ['failed'],
  );
  assert.ok(!('machine' in (await harness.uids('bad'))));
  await harness.aap.down();
  assert.equal(await ask('create', order, 'v1'), 'cut');
  await harness.aap.up();
  harness.aap.dials.jobsForCall = 2;
  assert.equal(await ask('create', order, 'v1'), 200);
  harness.aap.dials.jobsForCall = 1;
  await ended('bad', 3);
  assert.ok('machine' in (await harness.uids('bad')));
  assert.deepEqual(
    harness.aap.callsFor('bad').map(({ answer }) => answer),
    [503, 0, 200],
  );
});

test('what is no order is refused, and nothing is begun', async () => {
  const before = harness.aap.jobs.length;
  const send = async (path: string, body: string): Promise<number> => {
    const { origin } = new URL(harness.aap.createUrl);
    const answer = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    return answer.status;
  };
  assert.equal(await send('/create-vm', '{'), 400);
  assert.equal(await send('/create-vm', 'null'), 400);
  assert.equal(await send('/delete-vm', '{"metadata": {"name": "x"}, "spec": {}}'), 400);
  assert.equal(await send('/elsewhere', '{}'), 404);
  assert.equal(harness.aap.jobs.length, before);
});

test('the variant makes a Service that selects by the label, and gives an address', async () => {
  harness.aap.dials.generation = 'virtualmachine';
  const order = await harness.cloudkit.order('float', { templateID: 'osac.massopencloud.ocp_virt_vm' });
  await ask('create', order, 'v1');
  assert.deepEqual(
    (await ended('float', 1)).map(({ state, error }) => error ?? state),
    ['done'],
  );
  const made = await harness.cloudkit.read('float');
  assert.equal(made.metadata.annotations?.[annotations.floatingIp], '192.0.2.77');
  assert.deepEqual(made.metadata.finalizers, ['cloudkit.openshift.io/virtualmachine-aap']);
  assert.ok('service' in (await harness.uids('float')));
});
