/**
 * Both modes under failures: an AAP that is slow, fails, answers twice or not at all, switches back and forth,
 * rollouts, and operators that restart in the middle.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import {
  instances,
  services,
  virtualMachines,
  type Order,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/kinds.ts';
import { secrets } from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { fields, list } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { annotations, type Mode } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { isInRollout } from '../../packages/ssvirt/src/kubevirt/order/rollout.ts';
import { idempotencyKey } from '../../packages/ssvirt/src/kubevirt/order/aap/webhook.ts';
import { until } from '../runtime/until.ts';
import { DualGround, token } from './aap/ground.ts';
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
import { nativeTemplate, patient, tenant, type RunningOperator, type Told } from './ground.ts';

let ground: DualGround;
const running: RunningOperator[] = [];

before(async () => {
  ground = await DualGround.start();
});
after(() => ground.stop());
afterEach(async () => {
  await stopAll();
  ground.aap.release();
  const calm = { stepMs: 0, answerMs: 0, failJobs: 0, failReports: 0, refuse: 0, loseAnswers: 0, jobsForCall: 1 };
  Object.assign(ground.aap.dials, calm, { generation: 'computeinstance', simultaneous: true });
  ground.cloudkit.sandbox.faults.clear();
  await assertDiscreet(ground);
});

async function operate(told: Told = {}): Promise<RunningOperator> {
  await stopAll();
  const operator = ground.operate(told);
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
  return cores({ spec: (await ground.cloudkit.child(virtualMachines, name))['spec'] });
}

function reasonOf({ status }: Order, type = 'Progressing'): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}

suite('a switch of modes', () => {
  for (const generation of ['computeinstance', 'virtualmachine'] as const satisfies readonly Generation[])
    test(`keeps disk, machine and all else, to and fro, with the labels of role ${generation}`, async () => {
      ground.aap.dials.generation = generation;
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
    await ground.order(name, first, { cpu_cores: '1', ...more });
    await ground.ready(name);
    const uids: Record<string, string> = { ...(await ground.uids(name)) };
    assert.equal('ssh-key' in uids, withKey);
    const instance = await instanceUid(ground, name);
    const keys: string[] = first === 'aap' ? [keyOf(await ground.cloudkit.read(name))] : [];
    for (const [at, mode] of [other(first), first, other(first)].entries()) {
      const before = ground.aap.callsFor(name).length;
      await ground.manage(name, mode);
      const said = await ground.cloudkit.reaches(name, `goes to ${mode} later`, ({ status }) =>
        /takes over at the next change/.test(findCondition(status?.conditions, 'Progressing')?.message ?? ''),
      );
      assert.equal(said.status?.provisionedBy, other(mode));
      assert.equal(ground.aap.callsFor(name).length, before);
      await ground.cloudkit.ask(name, { cpu_cores: String(at + 2), ...more });
      const order = await ground.ready(name);
      assert.equal(order.status?.provisionedBy, mode);
      assert.equal(await coresOf(name), at + 2);
      if (mode === 'aap') keys.push(keyOf(order));
      const now = await ground.uids(name);
      // The base role creates no Service: it comes with the controller, and stays.
      uids['service'] ??= now['service'] ?? '';
      if (uids['service'] === '') delete uids['service'];
      assert.deepEqual(now, uids);
      assert.equal(await instanceUid(ground, name), instance);
      if ('service' in now) await assertReached(ground, name);
    }
    assert.deepEqual(askedFor(ground, name), keys);
    // After the restart the VM has the labels of both.
    await ground.cloudkit.client.delete(instances, { namespace: tenant, name });
    await until(
      `${name} runs again`,
      async () => {
        const vmi = await ground.cloudkit.look(instances, name);
        return vmi !== undefined && vmi.metadata.uid !== instance && (await isServing(name));
      },
      patient,
    );
    await until(
      `${name} is reached`,
      async () => {
        await assertReached(ground, name);
        return true;
      },
      patient,
    );
    assert.deepEqual(await ground.uids(name), uids);
  }

  async function isServing(name: string): Promise<boolean> {
    return reasonOf(await ground.cloudkit.read(name), 'Available') === 'AsExpected';
  }

  function other(mode: Mode): Mode {
    return mode === 'aap' ? 'controller' : 'aap';
  }

  test('that takes the ssh key out leaves its Secret to the instance that was made with it, and then takes it away', async () => {
    await operate();
    await ground.order('keyless', 'aap', secret);
    await ground.ready('keyless');
    await ground.manage('keyless', 'controller');
    await ground.cloudkit.ask('keyless', { cpu_cores: '1' });
    await ground.ready('keyless');
    const vm = JSON.stringify((await ground.cloudkit.child(virtualMachines, 'keyless'))['spec']);
    assert.ok(!vm.includes('keyless-ssh-public-key'));
    assert.ok('ssh-key' in (await ground.uids('keyless')));
    await ground.cloudkit.client.delete(instances, { namespace: tenant, name: 'keyless' });
    await until(
      'the Secret is gone',
      async () => (await ground.cloudkit.look(secrets, 'keyless-ssh-public-key')) === undefined,
      patient,
    );
  });

  test('brings back what AAP has changed since, in Secrets too, when the order goes back to what it was', async () => {
    await operate();
    const first = { cpu_cores: '1', cloud_init_config: cloudInit, ssh_public_key: sshKey };
    const second = { cpu_cores: '2', cloud_init_config: Buffer.from('#cloud-config\n').toString('base64') };
    await ground.order('there', 'controller', first);
    await ground.ready('there');
    const content = async (): Promise<unknown> => (await ground.cloudkit.child(secrets, 'there-cloud-init'))['data'];
    await ground.manage('there', 'aap');
    await ground.cloudkit.ask('there', second);
    await ground.ready('there');
    assert.deepEqual([await coresOf('there'), await content()], [2, { userData: second.cloud_init_config }]);
    await ground.manage('there', 'controller');
    await ground.cloudkit.ask('there', first);
    await ground.ready('there');
    assert.deepEqual([await coresOf('there'), await content()], [1, { userData: cloudInit }]);
  });

  test('takes the Service over that AAP has made for a floating IP, and traffic goes on reaching the machine', async () => {
    for (const generation of ['computeinstance', 'virtualmachine'] as const satisfies readonly Generation[]) {
      ground.aap.dials.generation = generation;
      await operate();
      const name = `floats-${generation.slice(0, 4)}`;
      const templateID = 'osac.massopencloud.ocp_virt_vm';
      await ground.cloudkit.order(name, { templateID }, { annotations: {} });
      await ground.cloudkit.reaches(name, 'has its address', ({ metadata }) => floating(metadata) === '192.0.2.77');
      await ground.ready(name);
      const uids = await ground.uids(name);
      await assertReached(ground, name);
      await ground.manage(name, 'controller');
      await ground.cloudkit.change(name, { spec: { templateID: nativeTemplate } });
      const order = await ground.ready(name);
      assert.equal(order.status?.provisionedBy, 'controller');
      assert.deepEqual(await ground.uids(name), uids);
      await assertReached(ground, name);
      // What AAP has written there is AAP's, and stays.
      assert.equal(floating(order.metadata), '192.0.2.77');
    }
  });

  test('closes ports that AAP has opened when the order does without them, and those of anybody', async () => {
    await operate();
    const key = { namespace: tenant, name: 'shut-load-balancer' };
    const ports = async (): Promise<readonly unknown[]> =>
      list(fields((await ground.cloudkit.child(services, key.name))['spec'])['ports']);
    const open = async (): Promise<readonly unknown[]> => (await ports()).map((one) => fields(one)['port']);
    const exposing = (exposed: string): object => ({
      spec: { templateID: nativeTemplate, templateParameters: JSON.stringify({ exposed_ports: exposed }) },
    });
    const parameters = { exposed_ports: '22/tcp,80/tcp' };
    const templateID = 'osac.massopencloud.ocp_virt_vm';
    await ground.cloudkit.order('shut', { templateID, parameters }, { annotations: {} });
    await ground.ready('shut');
    assert.deepEqual(await open(), [22, 80]);
    await ground.manage('shut', 'controller');
    for (const port of [22, 443]) {
      await ground.cloudkit.change('shut', exposing(`${port}/tcp`));
      await ground.ready('shut');
      assert.deepEqual(await open(), [port]);
    }
    const body = { spec: { ports: [...(await ports()), { name: 'by-hand', port: 8080 }] } };
    await ground.cloudkit.client.patch(services, key, { type: 'merge', body });
    await until('it is closed again', async () => (await open()).length === 1, patient);
  });

  test('to the controller waits for a job whose call was never answered, and for one that never reports', async () => {
    const never: Told = { 'aap.retryInitial': '10m', 'aap.retryLongest': '10m' };
    await operate({ ...never, 'aap.quietPeriod': '1h' });
    Object.assign(ground.aap.dials, { loseAnswers: 1, failJobs: 2 });
    const names = ['lost', 'mute'];
    const disks = await Promise.all(
      // The first request gets no answer.
      names.map(async (name) => {
        await ground.order(name, 'aap');
        await jobsEnded(ground, name, 1);
        await ground.manage(name, 'controller');
        await ground.cloudkit.ask(name, { cpu_cores: '3' });
        await ground.cloudkit.condition(name, 'Progressing', 'True', 'WaitingForAAP');
        const disk = (await ground.uids(name))['disk'];
        assert.notEqual(disk, undefined);
        return disk;
      }),
    );
    // Counted from the call: the default quiet period would be over by now.
    await operate({ ...never, 'aap.quietPeriod': '1ms' });
    for (const [at, name] of names.entries()) {
      const order = await ground.ready(name);
      assert.equal(order.status?.provisionedBy, 'controller');
      assert.equal((await ground.uids(name))['disk'], disks[at]);
      assert.equal(ground.aap.callsFor(name).length, 1);
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
        const calls = ground.aap.calls.length;
        // As soon as a call was made, in the middle of it; or when all is done.
        await until('something is asked', () => over.signal.aborted || ground.aap.calls.length > calls + 3, patient);
      }
      return count;
    })();
    const dials = ground.aap.dials;
    Object.assign(dials, { stepMs: 30, refuse: 6, loseAnswers: 4, failJobs: 4, failReports: 2, jobsForCall: 2 });
    await Promise.all(names.map((name) => ground.order(name, 'aap', { cpu_cores: '1', ...secret })));
    await until('AAP has been asked', () => dials.refuse === 0 && dials.loseAnswers === 0, patient);
    await ground.aap.down();
    await Promise.all(names.map(async (name) => note(await ground.cloudkit.read(name))));
    await Promise.all(names.map((name) => ground.cloudkit.ask(name, { cpu_cores: '2', ...secret })));
    await until(
      'AAP cannot be reached',
      async () => /cannot be reached/.test((await ground.cloudkit.read('chaos-0')).status?.webhook?.lastError ?? ''),
      patient,
    );
    await ground.aap.up();
    dials.answerMs = 500;
    const disks = new Map<string, string | undefined>();
    await Promise.all(
      names.map(async (name) => {
        await ground.ready(name);
        disks.set(name, (await ground.uids(name))['disk']);
      }),
    );
    dials.answerMs = 0;
    await Promise.all(names.map((name) => ground.cloudkit.ask(name, { cpu_cores: '3', ...secret })));
    const last = await Promise.all(names.map((name) => ground.ready(name)));
    over.abort();
    assert.ok((await restarts) > 3);
    await stopAll();
    for (const order of last) {
      const { name = '' } = order.metadata;
      note(order);
      assert.equal((await ground.uids(name))['disk'], disks.get(name));
      const calls = ground.aap.callsFor(name);
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
    const { metadata } = await ground.order('unheard', 'aap', secret);
    const failed = await ground.cloudkit.condition('unheard', 'Progressing', 'True', 'WebhookFailed');
    assert.match(failed.message, /answers 401: check the file that cloudkit\.aap\.tokenFile names/);
    writeFileSync(file, `${token}\n`);
    const order = await ground.ready('unheard');
    assert.equal(order.metadata.uid, metadata.uid);
    assert.ok(!JSON.stringify([order.status, ground.cloudkit.lines]).includes('wrong-token'));
    rmSync(folder, { recursive: true });
  });

  test('one that takes every call and answers none in time provisions all the same, and is left in peace then', async () => {
    await operate({ 'aap.timeout': '100ms', 'aap.repeatAfter': '50ms', resyncInterval: '50ms' });
    ground.aap.dials.answerMs = 400;
    ground.aap.hold();
    await ground.order('late', 'aap');
    await ground.cloudkit.condition('late', 'Progressing', 'True', 'WebhookFailed');
    ground.aap.release();
    const order = await ground.ready('late');
    assert.match(order.status?.webhook?.lastError ?? '', /has not answered (?:within 100 ms|yet)/);
    assert.deepEqual(askedFor(ground, 'late'), [keyOf(order)]);
    const calls = ground.aap.callsFor('late').length;
    await ground.order('after', 'controller');
    await ground.ready('after');
    assert.equal(ground.aap.callsFor('late').length, calls);
  });

  test('one whose order cannot be written to for a while is no failure of the controller, and does not make the order its own', async () => {
    await operate({ fallbackToAap: 'true', 'retries.max': '2', 'retries.slow': '200ms' });
    const path = '/apis/cloudkit.openshift.io/v1alpha1/namespaces/vm-orders/virtualmachines/unwritten/status';
    ground.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['patch'], times: 3 });
    await ground.order('unwritten', 'aap');
    const order = await ground.ready('unwritten');
    assert.equal(order.status?.fallbackConfigVersion, undefined);
    await ground.cloudkit.annotate('unwritten', { [annotations.managedBy]: null });
    await ground.cloudkit.ask('unwritten', { cpu_cores: '3' });
    assert.equal((await ground.ready('unwritten')).status?.provisionedBy, 'aap');
  });

  test('one is asked on though writes to the order have failed now and then: only failures in a row are counted', async () => {
    await operate({ 'retries.max': '2', 'retries.slow': '10m', 'aap.repeatAfter': '300ms' });
    const path = '/apis/cloudkit.openshift.io/v1alpha1/namespaces/vm-orders/virtualmachines/now-and-then/status';
    const { faults } = ground.cloudkit.sandbox;
    ground.aap.dials.failJobs = 2;
    faults.add({ kind: '500', path, verbs: ['patch'], times: 2 });
    await ground.order('now-and-then', 'aap');
    await jobsEnded(ground, 'now-and-then', 1);
    faults.add({ kind: '500', path, verbs: ['patch'], times: 1 });
    await ground.ready('now-and-then');
    const given = ground.cloudkit.lines.filter(
      ({ order, msg }) => order === 'now-and-then' && /slowly/.test(String(msg)),
    );
    assert.deepEqual(given, []);
  });

  test('one that takes calls and does not answer holds up no order that the controller makes', async () => {
    await operate({ 'aap.timeout': '10m' });
    Object.assign(ground.aap.dials, { answerMs: 600_000, refuse: Number.POSITIVE_INFINITY });
    const names = Array.from({ length: 12 }, (_, at) => `unanswered-${at}`);
    const asked = (): number => names.filter((name) => ground.aap.callsFor(name).length > 0).length;
    for (const name of names) await ground.order(name, 'aap');
    await until('calls wait for their answers', () => asked() >= 5, patient);
    await ground.order('quick', 'controller');
    await ground.ready('quick');
    assert.equal(asked(), 5);
    // When those calls end, the others proceed.
    ground.aap.dials.answerMs = 0;
    await ground.aap.down();
    await ground.aap.up();
    await until('all have been asked for', () => asked() === names.length, patient);
    for (const name of names) await ground.cloudkit.delete(name);
    for (const name of names) await ground.cloudkit.gone(name);
  });

  test('one that may not be asked yet is not said to be at work on it', async () => {
    await operate({ 'aap.minimumInterval': '1h' });
    await ground.order('soon', 'aap');
    await ground.ready('soon');
    await ground.cloudkit.ask('soon', { cpu_cores: '3' });
    const said = await ground.cloudkit.condition('soon', 'Progressing', 'True');
    assert.deepEqual([said.reason, said.message], ['Progressing', 'AAP is about to be called.']);
    assert.equal(ground.aap.callsFor('soon').length, 1);
    await operate({ 'aap.minimumInterval': '1ms' });
    const order = await ground.ready('soon');
    assert.equal(ground.aap.callsFor('soon')[1]?.key, keyOf(order));
  });

  test('an AAP that is down for long makes the order Failed, and it ends provisioned when AAP is back', async () => {
    await operate({ 'aap.retryLongest': '60ms' });
    await ground.aap.down();
    await ground.order('away', 'aap', secret);
    const failed = await ground.cloudkit.phase('away', 'Failed');
    const said = findCondition(failed.status?.conditions, 'Progressing');
    assert.deepEqual([said?.status, said?.reason], ['False', 'WebhookFailed']);
    assert.match(said?.message ?? '', /cannot be reached \(ECONNREFUSED\). The call is retried/);
    await ground.aap.up();
    const order = await ground.ready('away');
    assert.deepEqual(askedFor(ground, 'away'), [keyOf(order)]);
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
    ground.aap.dials.answerMs = 600_000;
    ground.aap.dials.failJobs = 1;
    await operate({ ...patientTimes, 'aap.timeout': '10m' });
    await ground.order('cut', 'aap');
    await until('AAP is asked', () => ground.aap.callsFor('cut').length === 1, patient);
    await stopAll();
    const left = await ground.cloudkit.read('cut');
    assert.match(left.status?.webhook?.lastError ?? '', /has not answered yet/);
    assert.equal(left.status?.provisionedBy, 'aap');
    ground.aap.dials.answerMs = 0;
    await operate(patientTimes);
    const order = await ground.ready('cut');
    const calls = ground.aap.callsFor('cut');
    assert.deepEqual(
      calls.map(({ key }) => key),
      [keyOf(order), keyOf(order)],
    );
    // A quarter less, since the resyncs of orders are spread by uid.
    const [first = Number.NaN, second = Number.NaN] = calls.map(writtenAhead);
    assert.ok(second - first >= retryMs * 0.75);
  });

  test('while AAP works asks nothing again, and while the controller waits for AAP waits on', async () => {
    ground.aap.hold();
    await operate(patientTimes);
    await ground.order('works', 'aap');
    await ground.order('waits', 'aap');
    await ground.cloudkit.condition('works', 'Progressing', 'True', 'WebhookTriggered');
    await ground.cloudkit.condition('waits', 'Progressing', 'True', 'WebhookTriggered');
    await ground.manage('waits', 'controller');
    await ground.cloudkit.ask('waits', { cpu_cores: '4' });
    await ground.cloudkit.condition('waits', 'Progressing', 'True', 'WaitingForAAP');
    await operate(patientTimes);
    await ground.cloudkit.condition('waits', 'Progressing', 'True', 'WaitingForAAP');
    assert.equal((await ground.cloudkit.read('waits')).status?.provisionedBy, 'aap');
    ground.aap.release();
    const [works, waits] = await Promise.all([ground.ready('works'), ground.ready('waits')]);
    assert.deepEqual([works.status?.provisionedBy, waits.status?.provisionedBy], ['aap', 'controller']);
    assert.equal(ground.aap.callsFor('works').length, 1);
    assert.equal(ground.aap.callsFor('waits').length, 1);
    assert.equal(await coresOf('waits'), 4);
  });

  test('in the middle of a takeover goes on with it: nothing is made twice', async () => {
    await operate();
    await ground.order('halfway', 'aap', secret);
    await ground.ready('halfway');
    const uids = await ground.uids('halfway');
    await ground.manage('halfway', 'controller');
    const path = `/api/v1/namespaces/${tenant}/services`;
    ground.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await ground.cloudkit.ask('halfway', { cpu_cores: '3' });
    await until('the machine is taken', async () => (await coresOf('halfway')) === 3, patient);
    await stopAll();
    assert.equal((await ground.cloudkit.read('halfway')).status?.provisionedBy, 'controller');
    ground.cloudkit.sandbox.faults.clear();
    await operate();
    const order = await ground.ready('halfway');
    assert.equal(order.status?.provisionedBy, 'controller');
    const { service, ...kept } = await ground.uids('halfway');
    assert.notEqual(service, undefined);
    assert.deepEqual(kept, uids);
    assert.equal(ground.aap.callsFor('halfway').length, 1);
    // The key was removed with the takeover; its Secret is not forgotten either.
    await ground.cloudkit.client.delete(instances, { namespace: tenant, name: 'halfway' });
    await until('the Secret is gone', async () => !('ssh-key' in (await ground.uids('halfway'))), patient);
  });
});

suite('a rollout', () => {
  test('decides once for each order: a later percentage changes none', async () => {
    await operate({ rolloutPercentage: '50' });
    const names = Array.from({ length: 8 }, (_, at) => `roll-${at}`);
    const made = await Promise.all(names.map((name) => ground.order(name, undefined)));
    const expected = made.map(({ metadata }) => (isInRollout(metadata.uid ?? '', 50) ? 'controller' : 'aap'));
    const modes = async (): Promise<readonly (Mode | undefined)[]> =>
      (await Promise.all(names.map((name) => ground.ready(name)))).map(({ status }) => status?.provisionedBy);
    assert.deepEqual(await modes(), expected);
    for (const [at, percentage] of ['100', '0'].entries()) {
      await operate({ rolloutPercentage: percentage });
      const fresh = `fresh-${percentage}`;
      await ground.order(fresh, undefined);
      await Promise.all(names.map((name) => ground.cloudkit.ask(name, { cpu_cores: String(at + 3) })));
      assert.deepEqual(await modes(), expected);
      assert.equal((await ground.ready(fresh)).status?.provisionedBy, percentage === '100' ? 'controller' : 'aap');
    }
    for (const [at, name] of names.entries())
      assert.equal(askedFor(ground, name).length, expected[at] === 'aap' ? 3 : 0);
  });

  test('that is switched off for all leaves what is as ordered alone, gives every change to AAP, and comes back with the annotation', async () => {
    await operate();
    await ground.order('off', 'controller');
    await ground.ready('off');
    const { service: _, ...uids } = await ground.uids('off');
    await operate({ controllerMode: 'false' });
    // Not even drift is corrected.
    await ground.cloudkit.client.delete(services, { namespace: tenant, name: 'off-load-balancer' });
    await ground.order('new', 'controller');
    assert.equal((await ground.ready('new')).status?.provisionedBy, 'aap');
    const left = await ground.cloudkit.read('off');
    assert.deepEqual([left.status?.phase, left.status?.provisionedBy], ['Ready', 'controller']);
    assert.deepEqual(await ground.uids('off'), uids);
    assert.deepEqual(ground.aap.callsFor('off'), []);
    await ground.cloudkit.ask('off', { cpu_cores: '3' });
    assert.equal((await ground.ready('off')).status?.provisionedBy, 'aap');
    assert.deepEqual(await ground.uids('off'), uids);
    await operate();
    await ground.ready('off');
    await ground.cloudkit.ask('off', { cpu_cores: '4' });
    const on = await ground.ready('off');
    assert.equal(on.status?.provisionedBy, 'controller');
    const { service, ...now } = await ground.uids('off');
    assert.notEqual(service, undefined);
    assert.deepEqual(now, uids);
    assert.equal(ground.aap.callsFor('off').length, 1);
  });
});

suite('an order that the controller cannot make', () => {
  const path = `/api/v1/namespaces/${tenant}/services`;

  test('falls back to AAP after the last retry where that is wanted, and its next version is the controller’s again', async () => {
    const told: Told = { fallbackToAap: 'true', 'retries.max': '2' };
    await operate(told);
    const { id } = ground.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await ground.order('fall', 'controller');
    const fallen = await ground.ready('fall');
    assert.equal(fallen.status?.provisionedBy, 'aap');
    assert.equal(fallen.status.fallbackConfigVersion, fallen.status.desiredConfigVersion);
    assert.deepEqual(askedFor(ground, 'fall'), [keyOf(fallen)]);
    await until(
      'it is reported',
      async () => (await eventsOf(ground)).some((event) => event['reason'] === 'FellBackToAAP'),
      patient,
    );
    const uids = await ground.uids('fall');
    ground.cloudkit.sandbox.faults.remove(id);
    await operate(told);
    await ground.cloudkit.ask('fall', { cpu_cores: '3' });
    const order = await ground.ready('fall');
    assert.equal(order.status?.provisionedBy, 'controller');
    const { service, ...kept } = await ground.uids('fall');
    assert.notEqual(service, undefined);
    assert.deepEqual(kept, uids);
    assert.equal(ground.aap.callsFor('fall').length, 1);
  });

  test('and that was made before is mended on slowly, and not given to AAP, which was never asked for it', async () => {
    await operate({ fallbackToAap: 'true', 'retries.max': '2', 'retries.slow': '300ms' });
    await ground.order('drift', 'controller');
    await ground.ready('drift');
    ground.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await ground.cloudkit.client.delete(services, { namespace: tenant, name: 'drift-load-balancer' });
    await ground.cloudkit.condition('drift', 'Progressing', 'False', 'RetriesExhausted');
    ground.cloudkit.sandbox.faults.clear();
    const order = await ground.ready('drift');
    assert.deepEqual([order.status?.provisionedBy, order.status?.fallbackConfigVersion], ['controller', undefined]);
    assert.ok('service' in (await ground.uids('drift')));
    assert.deepEqual(ground.aap.callsFor('drift'), []);
  });

  test('says so after the last retry, is tried on slowly, and AAP is not asked unless that is wanted', async () => {
    await operate({ 'retries.max': '2', 'retries.slow': '300ms' });
    ground.cloudkit.sandbox.faults.add({ kind: '500', path, verbs: ['create', 'patch'] });
    await ground.order('stuck', 'controller');
    const said = await ground.cloudkit.condition('stuck', 'Progressing', 'False', 'RetriesExhausted');
    assert.match(said.message, /It failed \d+ times and is retried every 300 ms/);
    ground.cloudkit.sandbox.faults.clear();
    assert.equal((await ground.ready('stuck')).status?.provisionedBy, 'controller');
    assert.deepEqual(ground.aap.callsFor('stuck'), []);
  });
});

suite('an order that people look after themselves', () => {
  for (const mode of ['aap', 'controller'] as const)
    test(`is reported, and not touched, in mode ${mode}`, async () => {
      await operate();
      const by = { [annotations.managedBy]: mode };
      const state = annotations.managementState;
      await ground.cloudkit.order(`manual-${mode}`, {}, { annotations: { ...by, [state]: 'manual' } });
      await ground.cloudkit.order(`free-${mode}`, {}, { annotations: { ...by, [state]: 'unmanaged' } });
      const manual = await ground.cloudkit.condition(`manual-${mode}`, 'Progressing', 'True', 'Progressing');
      assert.match(manual.message, /managed manually: nothing is created, and AAP is not called/);
      // When later requests are done, those above were processed.
      await ground.order(`turn-${mode}`, mode);
      await ground.ready(`turn-${mode}`);
      for (const name of [`manual-${mode}`, `free-${mode}`]) {
        assert.deepEqual(await ground.uids(name), {});
        assert.deepEqual(ground.aap.callsFor(name), []);
      }
      const free = await ground.cloudkit.read(`free-${mode}`);
      assert.deepEqual([free.status, free.metadata.finalizers], [undefined, undefined]);
      for (const name of [`manual-${mode}`, `free-${mode}`]) {
        await ground.cloudkit.annotate(name, { [state]: null });
        assert.equal((await ground.ready(name)).status?.provisionedBy, mode);
      }
    });
});
