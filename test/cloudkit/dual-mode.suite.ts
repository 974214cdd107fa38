/**
 * Both modes under failures: an AAP that is slow, fails, answers twice or not at all, switches back and forth,
 * rollouts, and operators that restart in the middle.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { instances, secrets, services, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { fields, list } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { annotations, type Mode } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { isInRollout } from '../../packages/ssvirt/src/kubevirt/order/rollout.ts';
import { idempotencyKey } from '../../packages/ssvirt/src/kubevirt/order/aap/webhook.ts';
import { until } from '../runtime/until.ts';
import { DualHarness, token } from './aap/harness.ts';
import {
  askedFor,
  assertDiscreet,
  assertReached,
  cloudInit,
  eventsOf,
  instanceUid,
  jobsEnded,
  keyOf,
  sshKey,
  writtenAhead,
} from './aap/observed.ts';
import type { Generation } from '../../packages/sandbox/src/simulators/aap/role.ts';
import { nativeTemplate, patient, tenant, type RunningOperator, type Told } from './harness.ts';

let harness: DualHarness;
const running: RunningOperator[] = [];

before(async () => {
  harness = await DualHarness.start();
});
after(() => harness.stop());
afterEach(async () => {
  await stopAll();
  harness.aap.release();
  const calm = { stepMs: 0, answerMs: 0, failJobs: 0, failReports: 0, refuse: 0, loseAnswers: 0, jobsForCall: 1 };
  Object.assign(harness.aap.dials, calm, { generation: 'computeinstance', simultaneous: true });
  harness.cloudkit.sandbox.faults.clear();
  await assertDiscreet(harness);
});

async function operate(told: Told = {}): Promise<RunningOperator> {
  await stopAll();
  const operator = harness.operate(told);
  running.push(operator);
  return operator;
}

async function stopAll(): Promise<void> {
  for (const operator of running.splice(0)) await operator.stop();
}

const secret = { cloud_init_config: cloudInit, ssh_public_key: sshKey };

function floating({ annotations: all }: Order['metadata']): string | undefined {
  return all?.[annotations.floatingIp];
}

function cores(order: { readonly spec?: unknown }): number {
  return Number(/"cores":(\d+)/.exec(JSON.stringify(order.spec))?.[1]);
}

async function coresOf(name: string): Promise<number> {
  return cores({ spec: (await harness.cloudkit.child(virtualMachines, name))['spec'] });
}

function reasonOf({ status }: Order, type = 'Progressing'): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}

suite('a switch of modes', () => {
  for (const generation of ['computeinstance', 'virtualmachine'] as const satisfies readonly Generation[])
    test(`keeps disk, machine and all else, to and fro, with the labels of role ${generation}`, async () => {
      harness.aap.dials.generation = generation;
      await operate();
      const cases = (['aap', 'controller'] as const).flatMap((first) =>
        [true, false].map((withKey) => ({ first, withKey })),
      );
      await Promise.all(cases.map((one) => goToAndFro(`${generation.slice(0, 4)}-${one.first}-${one.withKey}`, one)));
    });

  async function goToAndFro(
    name: string,
    { first, withKey }: { readonly first: Mode; readonly withKey: boolean },
  ): Promise<void> {
    const more = withKey ? secret : {};
    await harness.order(name, first, { cpu_cores: '1', ...more });
    await harness.ready(name);
    const uids: Record<string, string> = { ...(await harness.uids(name)) };
    assert.equal('ssh-key' in uids, withKey);
    const instance = await instanceUid(harness, name);
    const keys: string[] = first === 'aap' ? [keyOf(await harness.cloudkit.read(name))] : [];
    for (const [at, mode] of [other(first), first, other(first)].entries()) {
      const before = harness.aap.callsFor(name).length;
      await harness.manage(name, mode);
      const said = await harness.cloudkit.reaches(name, `goes to ${mode} later`, ({ status }) =>
        /takes over at the next change/.test(findCondition(status?.conditions, 'Progressing')?.message ?? ''),
      );
      assert.equal(said.status?.provisionedBy, other(mode));
      assert.equal(harness.aap.callsFor(name).length, before);
      await harness.cloudkit.ask(name, { cpu_cores: String(at + 2), ...more });
      const order = await harness.ready(name);
      assert.equal(order.status?.provisionedBy, mode);
      assert.equal(await coresOf(name), at + 2);
      if (mode === 'aap') keys.push(keyOf(order));
      const now = await harness.uids(name);
      // The base role creates no Service: it comes with the controller, and stays.
      uids['service'] ??= now['service'] ?? '';
      if (uids['service'] === '') delete uids['service'];
      assert.deepEqual(now, uids);
      assert.equal(await instanceUid(harness, name), instance);
      if ('service' in now) await assertReached(harness, name);
    }
    assert.deepEqual(askedFor(harness, name), keys);
    // After the restart the VM has the labels of both.
    await harness.cloudkit.client.delete(instances, { namespace: tenant, name });
    await until(
      `${name} runs again`,
      async () => {
        const vmi = await harness.cloudkit.look(instances, name);
        return vmi !== undefined && vmi.metadata.uid !== instance && (await isServing(name));
      },
      patient,
    );
    await until(
      `${name} is reached`,
      async () => {
        await assertReached(harness, name);
        return true;
      },
      patient,
    );
    assert.deepEqual(await harness.uids(name), uids);
  }

  async function isServing(name: string): Promise<boolean> {
    return reasonOf(await harness.cloudkit.read(name), 'Available') === 'AsExpected';
  }

  function other(mode: Mode): Mode {
    return mode === 'aap' ? 'controller' : 'aap';
  }

  test('that takes the ssh key out leaves its Secret to the instance that was made with it, and then takes it away', async () => {
    await operate();
    await harness.order('keyless', 'aap', secret);
    await harness.ready('keyless');
    await harness.manage('keyless', 'controller');
    await harness.cloudkit.ask('keyless', { cpu_cores: '1' });
    await harness.ready('keyless');
    const vm = JSON.stringify((await harness.cloudkit.child(virtualMachines, 'keyless'))['spec']);
    assert.ok(!vm.includes('keyless-ssh-public-key'));
    assert.ok('ssh-key' in (await harness.uids('keyless')));
    await harness.cloudkit.client.delete(instances, { namespace: tenant, name: 'keyless' });
    await until(
      'the Secret is gone',
      async () => (await harness.cloudkit.look(secrets, 'keyless-ssh-public-key')) === undefined,
      patient,
    );
  });

  test('brings back what AAP has changed since, in Secrets too, when the order goes back to what it was', async () => {
    await operate();
    const first = { cpu_cores: '1', cloud_init_config: cloudInit, ssh_public_key: sshKey };
    const second = { cpu_cores: '2', cloud_init_config: Buffer.from('#cloud-config\n').toString('base64') };
    await harness.order('there', 'controller', first);
    await harness.ready('there');
    const content = async (): Promise<unknown> => (await harness.cloudkit.child(secrets, 'there-cloud-init'))['data'];
    await harness.manage('there', 'aap');
    await harness.cloudkit.ask('there', second);
    await harness.ready('there');
    assert.deepEqual([await coresOf('there'), await content()], [2, { userData: second.cloud_init_config }]);
    await harness.manage('there', 'controller');
    await harness.cloudkit.ask('there', first);
    await harness.ready('there');
    assert.deepEqual([await coresOf('there'), await content()], [1, { userData: cloudInit }]);
  });

  test('takes the Service over that AAP has made for a floating IP, and traffic goes on reaching the machine', async () => {
    for (const generation of ['computeinstance', 'virtualmachine'] as const satisfies readonly Generation[]) {
      harness.aap.dials.generation = generation;
      await operate();
      const name = `floats-${generation.slice(0, 4)}`;
      const templateID = 'osac.massopencloud.ocp_virt_vm';
      await harness.cloudkit.order(name, { templateID }, { annotations: {} });
      await harness.cloudkit.reaches(name, 'has its address', ({ metadata }) => floating(metadata) === '192.0.2.77');
      await harness.ready(name);
      const uids = await harness.uids(name);
      await assertReached(harness, name);
      await harness.manage(name, 'controller');
      await harness.cloudkit.change(name, { spec: { templateID: nativeTemplate } });
      const order = await harness.ready(name);
      assert.equal(order.status?.provisionedBy, 'controller');
      assert.deepEqual(await harness.uids(name), uids);
      await assertReached(harness, name);
      // What AAP has written there is AAP's, and stays.
      assert.equal(floating(order.metadata), '192.0.2.77');
    }
  });

  test('closes ports that AAP has opened when the order does without them, and those of anybody', async () => {
    await operate();
    const key = { namespace: tenant, name: 'shut-load-balancer' };
    const ports = async (): Promise<readonly unknown[]> =>
      list(fields((await harness.cloudkit.child(services, key.name))['spec'])['ports']);
    const open = async (): Promise<readonly unknown[]> => (await ports()).map((one) => fields(one)['port']);
    const exposing = (exposed: string): object => ({
      spec: { templateID: nativeTemplate, templateParameters: JSON.stringify({ exposed_ports: exposed }) },
    });
    const parameters = { exposed_ports: '22/tcp,80/tcp' };
    const templateID = 'osac.massopencloud.ocp_virt_vm';
    await harness.cloudkit.order('shut', { templateID, parameters }, { annotations: {} });
    await harness.ready('shut');
    assert.deepEqual(await open(), [22, 80]);
    await harness.manage('shut', 'controller');
    for (const port of [22, 443]) {
      await harness.cloudkit.change('shut', exposing(`${port}/tcp`));
      await harness.ready('shut');
      assert.deepEqual(await open(), [port]);
    }
    const body = { spec: { ports: [...(await ports()), { name: 'by-hand', port: 8080 }] } };
    await harness.cloudkit.client.patch(services, key, { type: 'merge', body });
    await until('it is closed again', async () => (await open()).length === 1, patient);
  });

  test('to the controller waits for a job whose call was never answered, and for one that never reports', async () => {
    const never: Told = { 'aap.retryInitial': '10m', 'aap.retryLongest': '10m' };
    await operate({ ...never, 'aap.quietPeriod': '1h' });
    Object.assign(harness.aap.dials, { loseAnswers: 1, failJobs: 2 });
    const names = ['lost', 'mute'];
    const disks = await Promise.all(
      // The first request gets no answer.
      names.map(async (name) => {
        await harness.order(name, 'aap');
        await jobsEnded(harness, name, 1);
        await harness.manage(name, 'controller');
        await harness.cloudkit.ask(name, { cpu_cores: '3' });
        await harness.cloudkit.condition(name, 'Progressing', 'True', 'WaitingForAAP');
        const disk = (await harness.uids(name))['disk'];
        assert.notEqual(disk, undefined);
        return disk;
      }),
    );
    // Counted from the call: the default quiet period would be over by now.
    await operate({ ...never, 'aap.quietPeriod': '1ms' });
    for (const [at, name] of names.entries()) {
      const order = await harness.ready(name);
      assert.equal(order.status?.provisionedBy, 'controller');
      assert.equal((await harness.uids(name))['disk'], disks[at]);
      assert.equal(harness.aap.callsFor(name).length, 1);
    }
  });
});

suite('an AAP on a bad day', () => {
  test('every order ends provisioned, with one key for each version, while AAP fails in all ways and operators come and go', async () => {
    const interval = 200;
    const told: Told = {
      'aap.minimumInterval': `${interval}ms`,
      'aap.timeout': '300ms',
      'aap.repeatAfter': '1s',
      'aap.retryLongest': '300ms',
    };
    const names = Array.from({ length: 8 }, (_, at) => `chaos-${at}`);
    const versions = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
    const note = ({ metadata, status }: Order): void => {
      if (status?.desiredConfigVersion !== undefined)
        versions
          .get(metadata.name ?? '')
          ?.add(idempotencyKey(metadata.uid ?? '', 'create', status.desiredConfigVersion));
    };
    const over = new AbortController();
    const restarts = (async (): Promise<number> => {
      let count = 0;
      for (; !over.signal.aborted; count++) {
        await operate(told);
        const calls = harness.aap.calls.length;
        // As soon as a call was made, in the middle of it; or when all is done.
        await until('something is asked', () => over.signal.aborted || harness.aap.calls.length > calls + 3, patient);
      }
      return count;
    })();
    const dials = harness.aap.dials;
    Object.assign(dials, { stepMs: 30, refuse: 6, loseAnswers: 4, failJobs: 4, failReports: 2, jobsForCall: 2 });
    await Promise.all(names.map((name) => harness.order(name, 'aap', { cpu_cores: '1', ...secret })));
    await until('AAP has been asked', () => dials.refuse === 0 && dials.loseAnswers === 0, patient);
    await harness.aap.down();
    await Promise.all(names.map(async (name) => note(await harness.cloudkit.read(name))));
    await Promise.all(names.map((name) => harness.cloudkit.ask(name, { cpu_cores: '2', ...secret })));
    await until(
      'AAP cannot be reached',
      async () => /cannot be reached/.test((await harness.cloudkit.read('chaos-0')).status?.webhook?.lastError ?? ''),
      patient,
    );
    await harness.aap.up();
    dials.answerMs = 500;
    const disks = new Map<string, string | undefined>();
    await Promise.all(
      names.map(async (name) => {
        await harness.ready(name);
        disks.set(name, (await harness.uids(name))['disk']);
      }),
    );
    dials.answerMs = 0;
    await Promise.all(names.map((name) => harness.cloudkit.ask(name, { cpu_cores: '3', ...secret })));
    const last = await Promise.all(names.map((name) => harness.ready(name)));
    over.abort();
    assert.ok((await restarts) > 3);
    await stopAll();
    for (const order of last) {
      const { name = '' } = order.metadata;
      note(order);
      assert.equal((await harness.uids(name))['disk'], disks.get(name));
      const calls = harness.aap.callsFor(name);
      const last = new Map<string, Set<string | undefined>>();
      for (const { key, order: sent } of calls)
        last.set(key, (last.get(key) ?? new Set()).add(sent.status?.desiredConfigVersion));
      // One key per version, and never more versions than the spec had.
      for (const [key, sent] of last) {
        assert.equal(sent.size, 1);
        assert.ok(key.endsWith(`-create-${[...sent][0]}`));
      }
      assert.ok(last.size <= 3);
      assert.ok(last.has(keyOf(order)));
      for (const [at, call] of calls.entries()) {
        const before = calls[at - 1];
        if (before === undefined) continue;
        const between = writtenAhead(call) - writtenAhead(before);
        assert.ok(between >= interval, `${name}: ${between} ms`);
      }
    }
  });

  test('an AAP that refuses the token makes the order say so, and is called again when the file has another token', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'token-'));
    const file = join(folder, 'token');
    writeFileSync(file, 'wrong-token');
    await operate({ 'aap.tokenFile': file });
    const { metadata } = await harness.order('unheard', 'aap', secret);
    const failed = await harness.cloudkit.condition('unheard', 'Progressing', 'True', 'WebhookFailed');
    assert.match(failed.message, /answers 401: check the file that cloudkit\.aap\.tokenFile names/);
    writeFileSync(file, `${token}\n`);
    const order = await harness.ready('unheard');
    assert.equal(order.metadata.uid, metadata.uid);
    assert.ok(!JSON.stringify([order.status, harness.cloudkit.lines]).includes('wrong-token'));
    rmSync(folder, { recursive: true });
  });

  test('one that takes every call and answers none in time provisions all the same, and is left in peace then', async () => {
    await operate({ 'aap.timeout': '100ms', 'aap.repeatAfter': '50ms', resyncInterval: '50ms' });
    harness.aap.dials.answerMs = 400;
    harness.aap.hold();
    await harness.order('late', 'aap');
    await harness.cloudkit.condition('late', 'Progressing', 'True', 'WebhookFailed');
    harness.aap.release();
    const order = await harness.ready('late');
    assert.match(order.status?.webhook?.lastError ?? '', /has not answered (?:within 100 ms|yet)/);
    assert.deepEqual(askedFor(harness, 'late'), [keyOf(order)]);
    const calls = harness.aap.callsFor('late').length;
    await harness.order('after', 'controller');
    await harness.ready('after');
    assert.equal(harness.aap.callsFor('late').length, calls);
  });

  test('one whose order cannot be written to for a while is no failure of the controller, and does not make the order its own', async () => {
    await operate({ fallbackToAap: 'true', 'retries.max': '2', 'retries.slow': '200ms' });
    const path = '/apis/cloudkit.openshift.io/v1alpha1/namespaces/vm-orders/virtualmachines/unwritten/status';
    harness.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['patch'], times: 3 });
    await harness.order('unwritten', 'aap');
    const order = await harness.ready('unwritten');
    assert.equal(order.status?.fallbackConfigVersion, undefined);
    await harness.cloudkit.annotate('unwritten', { [annotations.managedBy]: null });
    await harness.cloudkit.ask('unwritten', { cpu_cores: '3' });
    assert.equal((await harness.ready('unwritten')).status?.provisionedBy, 'aap');
  });

  test('one is asked on though writes to the order have failed now and then: only failures in a row are counted', async () => {
    await operate({ 'retries.max': '2', 'retries.slow': '10m', 'aap.repeatAfter': '300ms' });
    const path = '/apis/cloudkit.openshift.io/v1alpha1/namespaces/vm-orders/virtualmachines/now-and-then/status';
    const { faults } = harness.cloudkit.sandbox;
    harness.aap.dials.failJobs = 2;
    faults.add({ kind: '500', path, verbs: ['patch'], times: 2 });
    await harness.order('now-and-then', 'aap');
    await jobsEnded(harness, 'now-and-then', 1);
    faults.add({ kind: '500', path, verbs: ['patch'], times: 1 });
    await harness.ready('now-and-then');
    const given = harness.cloudkit.lines.filter(
      ({ order, msg }) => order === 'now-and-then' && /slowly/.test(String(msg)),
    );
    assert.deepEqual(given, []);
  });

  test('one that takes calls and does not answer holds up no order that the controller makes', async () => {
    await operate({ 'aap.timeout': '10m' });
    Object.assign(harness.aap.dials, { answerMs: 600_000, refuse: Number.POSITIVE_INFINITY });
    const names = Array.from({ length: 12 }, (_, at) => `unanswered-${at}`);
    const asked = (): number => names.filter((name) => harness.aap.callsFor(name).length > 0).length;
    for (const name of names) await harness.order(name, 'aap');
    await until('calls wait for their answers', () => asked() >= 5, patient);
    await harness.order('quick', 'controller');
    await harness.ready('quick');
    assert.equal(asked(), 5);
    // When those calls end, the others proceed.
    harness.aap.dials.answerMs = 0;
    await harness.aap.down();
    await harness.aap.up();
    await until('all have been asked for', () => asked() === names.length, patient);
    for (const name of names) await harness.cloudkit.delete(name);
    for (const name of names) await harness.cloudkit.gone(name);
  });

  test('one that may not be asked yet is not said to be at work on it', async () => {
    await operate({ 'aap.minimumInterval': '1h' });
    await harness.order('soon', 'aap');
    await harness.ready('soon');
    await harness.cloudkit.ask('soon', { cpu_cores: '3' });
    const said = await harness.cloudkit.condition('soon', 'Progressing', 'True');
    assert.deepEqual([said.reason, said.message], ['Progressing', 'AAP is about to be called.']);
    assert.equal(harness.aap.callsFor('soon').length, 1);
    await operate({ 'aap.minimumInterval': '1ms' });
    const order = await harness.ready('soon');
    assert.equal(harness.aap.callsFor('soon')[1]?.key, keyOf(order));
  });

  test('an AAP that is down for long makes the order Failed, and it ends provisioned when AAP is back', async () => {
    await operate({ 'aap.retryLongest': '60ms' });
    await harness.aap.down();
    await harness.order('away', 'aap', secret);
    const failed = await harness.cloudkit.phase('away', 'Failed');
    const said = findCondition(failed.status?.conditions, 'Progressing');
    assert.deepEqual([said?.status, said?.reason], ['False', 'WebhookFailed']);
    assert.match(said?.message ?? '', /cannot be reached \(ECONNREFUSED\). The call is retried/);
    await harness.aap.up();
    const order = await harness.ready('away');
    assert.deepEqual(askedFor(harness, 'away'), [keyOf(order)]);
    assert.equal(order.status?.webhook?.lastError, undefined);
  });
});

suite('an operator that restarts', () => {
  const retryMs = 600;
  const patientTimes: Told = {
    'aap.retryInitial': `${retryMs}ms`,
    'aap.retryLongest': '10m',
    'aap.quietPeriod': '10m',
  };

  test('in the middle of a call knows of it, waits as long as one that failed, and asks by the same key', async () => {
    harness.aap.dials.answerMs = 600_000;
    harness.aap.dials.failJobs = 1;
    await operate({ ...patientTimes, 'aap.timeout': '10m' });
    await harness.order('cut', 'aap');
    await until('AAP is asked', () => harness.aap.callsFor('cut').length === 1, patient);
    await stopAll();
    const left = await harness.cloudkit.read('cut');
    assert.match(left.status?.webhook?.lastError ?? '', /has not answered yet/);
    assert.equal(left.status?.provisionedBy, 'aap');
    harness.aap.dials.answerMs = 0;
    await operate(patientTimes);
    const order = await harness.ready('cut');
    const calls = harness.aap.callsFor('cut');
    assert.deepEqual(
      calls.map(({ key }) => key),
      [keyOf(order), keyOf(order)],
    );
    // A quarter less, since the resyncs of orders are spread by uid.
    const [first = Number.NaN, second = Number.NaN] = calls.map(writtenAhead);
    assert.ok(second - first >= retryMs * 0.75);
  });

  test('while AAP works asks nothing again, and while the controller waits for AAP waits on', async () => {
    harness.aap.hold();
    await operate(patientTimes);
    await harness.order('works', 'aap');
    await harness.order('waits', 'aap');
    await harness.cloudkit.condition('works', 'Progressing', 'True', 'WebhookTriggered');
    await harness.cloudkit.condition('waits', 'Progressing', 'True', 'WebhookTriggered');
    await harness.manage('waits', 'controller');
    await harness.cloudkit.ask('waits', { cpu_cores: '4' });
    await harness.cloudkit.condition('waits', 'Progressing', 'True', 'WaitingForAAP');
    await operate(patientTimes);
    await harness.cloudkit.condition('waits', 'Progressing', 'True', 'WaitingForAAP');
    assert.equal((await harness.cloudkit.read('waits')).status?.provisionedBy, 'aap');
    harness.aap.release();
    const [works, waits] = await Promise.all([harness.ready('works'), harness.ready('waits')]);
    assert.deepEqual([works.status?.provisionedBy, waits.status?.provisionedBy], ['aap', 'controller']);
    assert.equal(harness.aap.callsFor('works').length, 1);
    assert.equal(harness.aap.callsFor('waits').length, 1);
    assert.equal(await coresOf('waits'), 4);
  });

  test('in the middle of a takeover goes on with it: nothing is made twice', async () => {
    await operate();
    await harness.order('halfway', 'aap', secret);
    await harness.ready('halfway');
    const uids = await harness.uids('halfway');
    await harness.manage('halfway', 'controller');
    const path = `/api/v1/namespaces/${tenant}/services`;
    harness.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await harness.cloudkit.ask('halfway', { cpu_cores: '3' });
    await until('the machine is taken', async () => (await coresOf('halfway')) === 3, patient);
    await stopAll();
    assert.equal((await harness.cloudkit.read('halfway')).status?.provisionedBy, 'controller');
    harness.cloudkit.sandbox.faults.clear();
    await operate();
    const order = await harness.ready('halfway');
    assert.equal(order.status?.provisionedBy, 'controller');
    const { service, ...kept } = await harness.uids('halfway');
    assert.notEqual(service, undefined);
    assert.deepEqual(kept, uids);
    assert.equal(harness.aap.callsFor('halfway').length, 1);
    // The key was removed with the takeover; its Secret is not forgotten either.
    await harness.cloudkit.client.delete(instances, { namespace: tenant, name: 'halfway' });
    await until('the Secret is gone', async () => !('ssh-key' in (await harness.uids('halfway'))), patient);
  });
});

suite('a rollout', () => {
  test('decides once for each order: a later percentage changes none', async () => {
    await operate({ rolloutPercentage: '50' });
    const names = Array.from({ length: 8 }, (_, at) => `roll-${at}`);
    const made = await Promise.all(names.map((name) => harness.order(name, undefined)));
    const expected = made.map(({ metadata }) => (isInRollout(metadata.uid ?? '', 50) ? 'controller' : 'aap'));
    const modes = async (): Promise<readonly (Mode | undefined)[]> =>
      (await Promise.all(names.map((name) => harness.ready(name)))).map(({ status }) => status?.provisionedBy);
    assert.deepEqual(await modes(), expected);
    for (const [at, percentage] of ['100', '0'].entries()) {
      await operate({ rolloutPercentage: percentage });
      const fresh = `fresh-${percentage}`;
      await harness.order(fresh, undefined);
      await Promise.all(names.map((name) => harness.cloudkit.ask(name, { cpu_cores: String(at + 3) })));
      assert.deepEqual(await modes(), expected);
      assert.equal((await harness.ready(fresh)).status?.provisionedBy, percentage === '100' ? 'controller' : 'aap');
    }
    for (const [at, name] of names.entries())
      assert.equal(askedFor(harness, name).length, expected[at] === 'aap' ? 3 : 0);
  });

  test('that is switched off for all leaves what is as ordered alone, gives every change to AAP, and comes back with the annotation', async () => {
    await operate();
    await harness.order('off', 'controller');
    await harness.ready('off');
    const { service: _, ...uids } = await harness.uids('off');
    await operate({ controllerMode: 'false' });
    // Not even drift is corrected.
    await harness.cloudkit.client.delete(services, { namespace: tenant, name: 'off-load-balancer' });
    await harness.order('new', 'controller');
    assert.equal((await harness.ready('new')).status?.provisionedBy, 'aap');
    const left = await harness.cloudkit.read('off');
    assert.deepEqual([left.status?.phase, left.status?.provisionedBy], ['Ready', 'controller']);
    assert.deepEqual(await harness.uids('off'), uids);
    assert.deepEqual(harness.aap.callsFor('off'), []);
    await harness.cloudkit.ask('off', { cpu_cores: '3' });
    assert.equal((await harness.ready('off')).status?.provisionedBy, 'aap');
    assert.deepEqual(await harness.uids('off'), uids);
    await operate();
    await harness.ready('off');
    await harness.cloudkit.ask('off', { cpu_cores: '4' });
    const on = await harness.ready('off');
    assert.equal(on.status?.provisionedBy, 'controller');
    const { service, ...now } = await harness.uids('off');
    assert.notEqual(service, undefined);
    assert.deepEqual(now, uids);
    assert.equal(harness.aap.callsFor('off').length, 1);
  });
});

suite('an order that the controller cannot make', () => {
  const path = `/api/v1/namespaces/${tenant}/services`;

  test('falls back to AAP after the last retry where that is wanted, and its next version is the controller’s again', async () => {
    const told: Told = { fallbackToAap: 'true', 'retries.max': '2' };
    await operate(told);
    const { id } = harness.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await harness.order('fall', 'controller');
    const fallen = await harness.ready('fall');
    assert.equal(fallen.status?.provisionedBy, 'aap');
    assert.equal(fallen.status.fallbackConfigVersion, fallen.status.desiredConfigVersion);
    assert.deepEqual(askedFor(harness, 'fall'), [keyOf(fallen)]);
    await until(
      'it is reported',
      async () => (await eventsOf(harness)).some((event) => event['reason'] === 'FellBackToAAP'),
      patient,
    );
    const uids = await harness.uids('fall');
    harness.cloudkit.sandbox.faults.remove(id);
    await operate(told);
    await harness.cloudkit.ask('fall', { cpu_cores: '3' });
    const order = await harness.ready('fall');
    assert.equal(order.status?.provisionedBy, 'controller');
    const { service, ...kept } = await harness.uids('fall');
    assert.notEqual(service, undefined);
    assert.deepEqual(kept, uids);
    assert.equal(harness.aap.callsFor('fall').length, 1);
  });

  test('and that was made before is mended on slowly, and not given to AAP, which was never asked for it', async () => {
    await operate({ fallbackToAap: 'true', 'retries.max': '2', 'retries.slow': '300ms' });
    await harness.order('drift', 'controller');
    await harness.ready('drift');
    harness.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await harness.cloudkit.client.delete(services, { namespace: tenant, name: 'drift-load-balancer' });
    await harness.cloudkit.condition('drift', 'Progressing', 'False', 'RetriesExhausted');
    harness.cloudkit.sandbox.faults.clear();
    const order = await harness.ready('drift');
    assert.deepEqual([order.status?.provisionedBy, order.status?.fallbackConfigVersion], ['controller', undefined]);
    assert.ok('service' in (await harness.uids('drift')));
    assert.deepEqual(harness.aap.callsFor('drift'), []);
  });

  test('says so after the last retry, is tried on slowly, and AAP is not asked unless that is wanted', async () => {
    await operate({ 'retries.max': '2', 'retries.slow': '300ms' });
    harness.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await harness.order('stuck', 'controller');
    const said = await harness.cloudkit.condition('stuck', 'Progressing', 'False', 'RetriesExhausted');
    assert.match(said.message, /It failed \d+ times and is retried every 300 ms/);
    harness.cloudkit.sandbox.faults.clear();
    assert.equal((await harness.ready('stuck')).status?.provisionedBy, 'controller');
    assert.deepEqual(harness.aap.callsFor('stuck'), []);
  });
});

suite('an order that people look after themselves', () => {
  for (const mode of ['aap', 'controller'] as const)
    test(`is reported, and not touched, in mode ${mode}`, async () => {
      await operate();
      const by = { [annotations.managedBy]: mode };
      const state = annotations.managementState;
      await harness.cloudkit.order(`manual-${mode}`, {}, { annotations: { ...by, [state]: 'manual' } });
      await harness.cloudkit.order(`free-${mode}`, {}, { annotations: { ...by, [state]: 'unmanaged' } });
      const manual = await harness.cloudkit.condition(`manual-${mode}`, 'Progressing', 'True', 'Progressing');
      assert.match(manual.message, /managed manually: nothing is created, and AAP is not called/);
      // When later requests are done, those above were processed.
      await harness.order(`turn-${mode}`, mode);
      await harness.ready(`turn-${mode}`);
      for (const name of [`manual-${mode}`, `free-${mode}`]) {
        assert.deepEqual(await harness.uids(name), {});
        assert.deepEqual(harness.aap.callsFor(name), []);
      }
      const free = await harness.cloudkit.read(`free-${mode}`);
      assert.deepEqual([free.status, free.metadata.finalizers], [undefined, undefined]);
      for (const name of [`manual-${mode}`, `free-${mode}`]) {
        await harness.cloudkit.annotate(name, { [state]: null });
        assert.equal((await harness.ready(name)).status?.provisionedBy, mode);
      }
    });
});
