/**
 * Orders by the controller or by AAP, against an AAP at a real address that applies its role's objects: the main cases;
 * the rest is in the suite.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { claims, secrets, services, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { configVersion } from '../../packages/ssvirt/src/kubevirt/order/config-version.ts';
import { isMachineReady } from '../../packages/ssvirt/src/kubevirt/order/observation.ts';
import { annotations, finalizer, labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { DualHarness } from './aap/harness.ts';
import {
  askedFor,
  assertDiscreet,
  assertReached,
  cloudInit,
  instanceUid,
  jobsEnded,
  keyOf,
  sshKey,
} from './aap/observed.ts';
import { until } from '../runtime/until.ts';
import { patient, tenant, type RunningOperator, type Told } from './harness.ts';

let harness: DualHarness;
const running: RunningOperator[] = [];

before(async () => {
  harness = await DualHarness.start();
});
after(() => harness.stop());
afterEach(async () => {
  for (const operator of running.splice(0)) await operator.stop();
  harness.aap.release();
  Object.assign(harness.aap.dials, {
    failJobs: 0,
    failReports: 0,
    refuse: 0,
    loseAnswers: 0,
    jobsForCall: 1,
  });
  try {
    await assertDiscreet(harness);
  } finally {
    // Each test checks the log lines of its own time.
    harness.cloudkit.lines.splice(0);
  }
});

function operate(told: Told = {}): RunningOperator {
  const operator = harness.operate(told);
  running.push(operator);
  return operator;
}

/** With values that must stay secret. */
const secret = { cloud_init_config: cloudInit, ssh_public_key: sshKey };

test('AAP is asked once for an order, which is Ready when its machine is, and then never again', async () => {
  operate();
  harness.aap.hold();
  await harness.order('web', undefined, { cpu_cores: '2', ...secret });
  await harness.cloudkit.condition('web', 'Progressing', 'True', 'WebhookTriggered');
  const asked = await harness.cloudkit.read('web');
  assert.equal(asked.status?.phase, 'Progressing');
  assert.equal(asked.status.reconciledConfigVersion, undefined);
  assert.equal(findCondition(asked.status.conditions, 'Available')?.status, 'False');
  harness.aap.release();
  const order = await harness.ready('web');
  assert.ok(isMachineReady(await harness.cloudkit.child(virtualMachines, 'web')));
  const version = configVersion(order.spec);
  assert.equal(order.metadata.annotations?.[annotations.reconciledConfigVersion], version);
  assert.equal(order.status?.reconciledConfigVersion, version);
  assert.equal(order.status.provisionedBy, 'aap');
  assert.deepEqual(order.status.virtualMachineReference?.kubeVirtVirtualMachineName, 'web');
  assert.deepEqual(order.metadata.finalizers?.toSorted(), ['cloudkit.openshift.io/computeinstance-aap', finalizer]);
  assert.equal(findCondition(order.status.conditions, 'Available')?.status, 'True');
  const { attempts, acceptedConfigVersion, lastError } = order.status.webhook ?? {};
  assert.deepEqual([attempts, acceptedConfigVersion, lastError], [1, version, undefined]);
  const [call] = harness.aap.callsFor('web');
  assert.equal(call?.key, `${order.metadata.uid}-create-${version}`);
  assert.equal(call.order.status?.desiredConfigVersion, version);

  // Neither a wakeup nor a restart repeats the call.
  await running.pop()?.stop();
  operate({ 'aap.repeatAfter': '1ms', 'aap.retryInitial': '1ms', resyncInterval: '20ms' });
  await harness.order('other', 'controller');
  await harness.ready('other');
  assert.equal(harness.aap.callsFor('web').length, 1);
  assert.deepEqual(harness.aap.callsFor('other'), []);
});

test('an AAP that fails is asked again with the same key, the order shows its state, and ends provisioned', async () => {
  operate();
  harness.aap.dials.refuse = Number.POSITIVE_INFINITY;
  await harness.order('patience', 'aap', secret);
  const failed = await harness.cloudkit.condition('patience', 'Progressing', 'True', 'WebhookFailed');
  assert.match(failed.message, /AAP could not be called after trying .*answers 503/);
  await harness.cloudkit.reaches('patience', 'counts its tries', ({ status }) => {
    const { attempts = 0, lastError = '' } = status?.webhook ?? {};
    return attempts >= 3 && /answers 503/.test(lastError);
  });
  // Then AAP accepts the call and its answer is lost, the jobs end in the middle, and those of the next call run at
  // once.
  Object.assign(harness.aap.dials, { refuse: 0, loseAnswers: 1, failJobs: 2, jobsForCall: 2 });
  const order = await harness.ready('patience');
  // Of two jobs that create the same object at once, one may find the other's and fail.
  const states = (await jobsEnded(harness, 'patience', 4)).map(({ state }) => state);
  assert.deepEqual(states.slice(0, 2), ['failed', 'failed']);
  assert.ok(states.slice(2).includes('done'));
  assert.deepEqual(askedFor(harness, 'patience'), [keyOf(order)]);
  assert.equal(order.status?.webhook?.lastError, undefined);
});

test('objects under the names of an order, without a label of it, are not taken over by AAP, nor deleted with the order', async () => {
  operate();
  const { client } = harness.cloudkit;
  const at = (name: string): KubeObject['metadata'] => ({ namespace: tenant, name });
  const template = { spec: { domain: { devices: {} } } };
  const port = { port: 80 };
  const pvc = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const foreign: readonly (readonly [string, string, ResourceType<KubeObject>, KubeObject])[] = [
    [
      'machine',
      '',
      virtualMachines,
      { metadata: at('machine'), spec: { runStrategy: 'Halted', template } } as KubeObject,
    ],
    [
      'exposed',
      '-load-balancer',
      services,
      { metadata: at('exposed-load-balancer'), spec: { ports: [port] } } as KubeObject,
    ],
    ['older', '-service', services, { metadata: at('older-service'), spec: { ports: [port] } } as KubeObject],
    ['told', '-cloud-init', secrets, { metadata: at('told-cloud-init') }],
    ['keyed', '-ssh-public-key', secrets, { metadata: at('keyed-ssh-public-key') }],
    ['disk', '-root-disk', claims, { metadata: at('disk-root-disk'), spec: pvc } as KubeObject],
  ];
  for (const [name, suffix, type, object] of foreign) {
    const { uid } = (await client.create(type, object)).metadata;
    await harness.order(name, 'aap');
    const { message } = await harness.cloudkit.condition(name, 'Accepted', 'False', 'NameConflict');
    assert.match(message, new RegExp(`^${type.kind} "tenant-a/${name}${suffix}" exists and is not part of this order`));
    await harness.cloudkit.delete(name);
    await harness.cloudkit.gone(name);
    assert.deepEqual(harness.aap.callsFor(name), []);
    const left = await harness.cloudkit.child(type, `${name}${suffix}`);
    assert.deepEqual([left.metadata.uid, left.metadata.deletionTimestamp], [uid, undefined]);
  }
});

test('a change under a pinned version that AAP has applied before is reported, and is applied when the version is no longer pinned', async () => {
  operate();
  const pin = (name: string, version: string | null): Promise<unknown> =>
    harness.cloudkit.change(name, { spec: { desiredConfigVersion: version } });
  await harness.order('pinned', 'aap', { cpu_cores: '1' });
  await harness.ready('pinned');
  await pin('pinned', 'first');
  await harness.ready('pinned');
  const calls = harness.aap.callsFor('pinned').length;
  await harness.cloudkit.ask('pinned', { cpu_cores: '2' });
  const told = await harness.cloudkit.condition('pinned', 'SpecNotReconciled', 'True', 'DesiredConfigVersionPinned');
  assert.match(told.message, /config version first was applied.*: remove spec\.desiredConfigVersion/);
  const { message } = await harness.cloudkit.condition('pinned', 'Progressing', 'False', 'SpecNotReconciled');
  assert.equal(message, told.message);
  assert.equal(harness.aap.callsFor('pinned').length, calls);
  // Another operator also knows about it.
  await running.pop()?.stop();
  operate();
  await harness.order('pin-turn', 'controller');
  await harness.ready('pin-turn');
  await harness.cloudkit.condition('pinned', 'SpecNotReconciled', 'True');

  await pin('pinned', null);
  const { status, spec } = await harness.ready('pinned');
  assert.equal(status?.reconciledConfigVersion, configVersion(spec));
  assert.equal(findCondition(status.conditions, 'SpecNotReconciled'), undefined);
  assert.match(JSON.stringify((await harness.cloudkit.child(virtualMachines, 'pinned'))['spec']), /"cores":2/);
});

test('a change is reported that comes in the same edit as the pin to the version that AAP has applied', async () => {
  operate();
  await harness.order('pinned-late', 'aap', { cpu_cores: '1' });
  const { spec } = await harness.ready('pinned-late');
  const templateParameters = JSON.stringify({ cpu_cores: '2' });
  const edit = { spec: { desiredConfigVersion: configVersion(spec), templateParameters } };
  const { metadata } = await harness.cloudkit.change('pinned-late', edit);
  const seen = await harness.cloudkit.reaches(
    'pinned-late',
    'is observed',
    ({ status }) => status?.observedGeneration === metadata.generation,
  );
  const { status } = findCondition(seen.status?.conditions, 'SpecNotReconciled') ?? {};
  assert.equal(status, 'True');
  assert.equal(harness.aap.callsFor('pinned-late').length, 1);
});

test('an order that is taken over by a pinned version, as the guide has it, follows its changes, pinned or not', async () => {
  operate();
  await harness.order('guided', 'aap', { cpu_cores: '1' });
  const { metadata } = await harness.ready('guided');
  await harness.manage('guided', 'controller');
  await harness.cloudkit.change('guided', { spec: { desiredConfigVersion: 'takeover-1' } });
  const taken = await harness.ready('guided');
  assert.equal(taken.status?.provisionedBy, 'controller');
  const cores = (count: number): Promise<void> =>
    until(
      `the machine has ${count}`,
      async () =>
        JSON.stringify((await harness.cloudkit.child(virtualMachines, 'guided'))['spec']).includes(`"cores":${count}`),
      patient,
    );
  await harness.cloudkit.ask('guided', { cpu_cores: '2' });
  await cores(2);
  const pinned = await harness.ready('guided');
  assert.equal(findCondition(pinned.status?.conditions, 'SpecNotReconciled'), undefined);
  await harness.cloudkit.change('guided', { spec: { desiredConfigVersion: null } });
  const free = await harness.ready('guided');
  assert.equal(free.metadata.annotations?.[annotations.reconciledConfigVersion], configVersion(free.spec));
  await harness.cloudkit.ask('guided', { cpu_cores: '3' });
  await cores(3);
  assert.equal((await harness.ready('guided')).metadata.uid, metadata.uid);
  assert.equal(harness.aap.callsFor('guided').length, 1);
});

test('a switch takes effect at the next change, in both directions: the disk, all else and the instance that runs stay', async () => {
  operate();
  await harness.order('swap', 'aap', { cpu_cores: '1', ...secret });
  const first = await harness.ready('swap');
  const uids = await harness.uids('swap');
  const instance = await instanceUid(harness, 'swap');

  await harness.manage('swap', 'controller');
  const later = await harness.cloudkit.reaches('swap', 'says who takes over', ({ status }) =>
    /The controller takes over/.test(findCondition(status?.conditions, 'Progressing')?.message ?? ''),
  );
  assert.equal(later.status?.provisionedBy, 'aap');
  assert.equal((await harness.uids('swap'))['service'], undefined);

  await harness.cloudkit.ask('swap', { cpu_cores: '2', ...secret });
  const second = await harness.ready('swap');
  assert.equal(second.status?.provisionedBy, 'controller');
  assert.deepEqual(askedFor(harness, 'swap'), [keyOf(first)]);
  const { service = '', ...kept } = await harness.uids('swap');
  assert.notEqual(service, '');
  assert.deepEqual(kept, uids);
  assert.equal(await instanceUid(harness, 'swap'), instance);
  await assertReached(harness, 'swap');
  const vm = await harness.cloudkit.child(virtualMachines, 'swap');
  assert.equal(vm.metadata.labels?.[labels.order], 'swap');
  assert.match(JSON.stringify(vm['spec']), /"cores":2/);

  await harness.manage('swap', 'aap');
  await harness.cloudkit.ask('swap', { cpu_cores: '3', ...secret });
  const third = await harness.ready('swap');
  assert.equal(third.status?.provisionedBy, 'aap');
  assert.deepEqual(askedFor(harness, 'swap'), [keyOf(first), keyOf(third)]);
  assert.deepEqual(await harness.uids('swap'), { ...uids, service });
  assert.equal(await instanceUid(harness, 'swap'), instance);
  await assertReached(harness, 'swap');
  assert.match(JSON.stringify((await harness.cloudkit.child(virtualMachines, 'swap'))['spec']), /"cores":3/);
});

test('the controller waits until a job of AAP has reported before it takes over', async () => {
  operate({ 'aap.quietPeriod': '10m' });
  harness.aap.hold();
  await harness.order('busy', 'aap');
  await harness.cloudkit.condition('busy', 'Progressing', 'True', 'WebhookTriggered');
  await harness.manage('busy', 'controller');
  await harness.cloudkit.ask('busy', { cpu_cores: '4' });
  const waits = await harness.cloudkit.condition('busy', 'Progressing', 'True', 'WaitingForAAP');
  assert.match(waits.message, /may be running: the controller takes over when AAP has reported it/);
  assert.equal(harness.aap.jobsFor('busy')[0]?.state, 'running');
  harness.aap.release();
  const order = await harness.ready('busy');
  assert.equal(order.status?.provisionedBy, 'controller');
  assert.equal(harness.aap.jobsFor('busy')[0]?.state, 'done');
  assert.equal(harness.aap.callsFor('busy').length, 1);
});

test('what AAP has begun for a version that was taken back is set right by the one before, though that had been reported', async () => {
  operate();
  await harness.order('back', 'aap', { cpu_cores: '1' });
  const a = await harness.ready('back');
  // The VM changes, and no notification is sent.
  harness.aap.dials.failReports = 1;
  await harness.cloudkit.ask('back', { cpu_cores: '2' });
  await jobsEnded(harness, 'back', 2);
  await harness.cloudkit.ask('back', { cpu_cores: '1' });
  await jobsEnded(harness, 'back', 3);
  const again = await harness.ready('back');
  assert.equal(again.status?.reconciledConfigVersion, a.status?.reconciledConfigVersion);
  assert.match(JSON.stringify((await harness.cloudkit.child(virtualMachines, 'back'))['spec']), /"cores":1/);
  const keys = askedFor(harness, 'back');
  assert.equal(keys.length, 3);
  assert.deepEqual([keys[0], keys[2]], [keyOf(a), keyOf(a)]);
});

test('orders that AAP had made before this operator came are not run again, are Ready, and can be taken over', async () => {
  const was = operate();
  const made = await harness.order('legacy', 'aap', { cpu_cores: '1' });
  const { metadata, spec } = await harness.ready('legacy');
  await was.stop();
  // As the predecessor's operator leaves an order: no record of ours, and the annotation with its hash.
  await harness.cloudkit.client.patch(
    orders,
    { namespace: metadata.namespace ?? '', name: 'legacy' },
    { type: 'merge', body: { status: null } },
    { subresource: 'status' },
  );
  await harness.cloudkit.annotate('legacy', { [annotations.managedBy]: null });
  assert.equal(metadata.annotations?.[annotations.reconciledConfigVersion], configVersion(spec));
  const uids = await harness.uids('legacy');
  operate({ rolloutPercentage: '100' });
  const found = await harness.ready('legacy');
  assert.equal(found.status?.provisionedBy, 'aap');
  assert.equal(found.metadata.uid, made.metadata.uid);
  assert.equal(harness.aap.callsFor('legacy').length, 1);
  await harness.manage('legacy', 'controller');
  await harness.cloudkit.ask('legacy', { cpu_cores: '2' });
  const taken = await harness.ready('legacy');
  assert.equal(taken.status?.provisionedBy, 'controller');
  const { service: _, ...kept } = await harness.uids('legacy');
  assert.deepEqual(kept, uids);
  assert.equal(harness.aap.callsFor('legacy').length, 1);
});

test('an order whose ports AAP would refuse says which character is wrong, and calls nothing until it is put right', async () => {
  operate();
  const blank = { templateParameters: JSON.stringify({ exposed_ports: '22/tcp, 80/tcp' }) };
  await harness.cloudkit.order('blank', blank, { annotations: { [annotations.managedBy]: 'aap' } });
  const { message } = await harness.cloudkit.condition('blank', 'Accepted', 'False', 'InvalidParameters');
  assert.match(message, /exposed_ports is "22\/tcp, 80\/tcp".*Character 8 is a blank, which AAP refuses/);
  assert.deepEqual(harness.aap.callsFor('blank'), []);
  await harness.cloudkit.annotate('blank', { [annotations.managedBy]: 'controller' });
  assert.equal((await harness.ready('blank')).status?.provisionedBy, 'controller');
});

test('an order that neither mode can do says so, touches nothing and calls nothing, until it is put right', async () => {
  operate();
  await harness.cloudkit.order('who', {}, { annotations: { [annotations.managedBy]: 'Controller' } });
  const floating = { templateID: 'osac.massopencloud.ocp_virt_vm' };
  await harness.cloudkit.order('float', floating);
  await harness.cloudkit.order('unknown', { templateID: 'some.other.template' });
  await harness.cloudkit.condition('who', 'Accepted', 'False', 'UnknownManagedBy');
  await harness.cloudkit.condition('float', 'Accepted', 'False', 'FloatingIPTemplate');
  await harness.cloudkit.condition('unknown', 'Accepted', 'False', 'UnsupportedTemplate');
  for (const name of ['who', 'float', 'unknown']) {
    assert.equal((await harness.cloudkit.read(name)).status?.phase, 'Failed');
    assert.deepEqual(await harness.uids(name), {});
    assert.deepEqual(harness.aap.callsFor(name), []);
  }
  await harness.cloudkit.annotate('float', { [annotations.managedBy]: null });
  await harness.cloudkit.annotate('who', { [annotations.managedBy]: 'controller' });
  const float = await harness.cloudkit.reaches(
    'float',
    'has its address',
    ({ status, metadata }) =>
      status?.phase === 'Ready' && metadata.annotations?.[annotations.floatingIp] === '192.0.2.77',
  );
  assert.equal(float.status?.provisionedBy, 'aap');
  assert.equal((await harness.ready('who')).status?.provisionedBy, 'controller');
});
