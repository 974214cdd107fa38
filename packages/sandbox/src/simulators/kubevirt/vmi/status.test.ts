import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VmiPhase } from '../objects.ts';
import { brief, claimNamed, dataVolumeIn, NOW, podOf, runningPod, sceneOf, vmiOf } from './builders.fixture.ts';
import type { VmiSyncError } from './conditions.ts';
import { annotations, finalizers, labels } from './names.ts';
import type { VmiScene } from './draft.ts';
import { decide } from './status.ts';

const deleting = { deletionTimestamp: NOW };
const noClaim: VmiSyncError = { reason: 'FailedPvcNotFound', message: 'PVC ns1/a does not exist', retry: false };
const refused: VmiSyncError = { reason: 'FailedCreate', message: 'exceeded quota', retry: true };
const temporary = podOf({ metadata: { annotations: { [annotations.ephemeralProvisioning]: 'true' } } });
const unschedulable = podOf({
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3' }],
  },
});
const unpullable = podOf({
  status: {
    phase: 'Pending',
    containerStatuses: [{ name: 'compute', state: { waiting: { reason: 'ErrImagePull', message: 'no' } } }],
  },
});
const inPhase = (phase: VmiPhase, more: Partial<VirtualMachineInstance['metadata']> = {}): VirtualMachineInstance =>
  vmiOf({ status: { phase }, metadata: more });

interface Case {
  readonly name: string;
  readonly scene: Partial<VmiScene> & Pick<VmiScene, 'vmi'>;
  readonly error?: VmiSyncError;
  readonly phase: VmiPhase;
  readonly conditions: string;
}

const cases: readonly Case[] = [
  {
    name: 'waits for its pod',
    scene: { vmi: inPhase('Pending') },
    phase: 'Pending',
    conditions: 'Ready=False/PodNotExists',
  },
  {
    name: 'shows why its pod was refused',
    scene: { vmi: inPhase('Pending') },
    error: refused,
    phase: 'Pending',
    conditions: 'Ready=False/PodNotExists Synchronized=False/FailedCreate',
  },
  {
    name: 'shows a claim that is missing as the scheduler would',
    scene: { vmi: inPhase('Pending') },
    error: noClaim,
    phase: 'Pending',
    conditions: 'Ready=False/PodNotExists PodScheduled=False/Unschedulable Synchronized=False/FailedPvcNotFound',
  },
  {
    name: 'is Scheduling when its pod is there',
    scene: { vmi: inPhase('Pending'), pod: podOf() },
    phase: 'Scheduling',
    conditions: 'Ready=False/GuestNotRunning',
  },
  {
    name: 'fails when it is deleted before it has a pod',
    scene: { vmi: inPhase('Pending', deleting) },
    phase: 'Failed',
    conditions: 'Ready=False/PodNotExists',
  },
  {
    name: 'fails with its DataVolume',
    scene: { vmi: inPhase('Pending'), dataVolumes: [dataVolumeIn('Failed')] },
    phase: 'Failed',
    conditions: 'Ready=False/PodNotExists DataVolumesReady=Unknown/NotAllDVsReady',
  },
  {
    name: 'provisions while a temporary pod is the first consumer',
    scene: {
      vmi: inPhase('Pending'),
      pod: temporary,
      dataVolumes: [dataVolumeIn('WaitForFirstConsumer', [{ type: 'Ready', status: 'False' }])],
    },
    phase: 'Pending',
    conditions: 'Ready=False/PodNotExists DataVolumesReady=False/NotAllDVsReady Provisioning=True/',
  },
  {
    name: 'shows what the scheduler says',
    scene: { vmi: inPhase('Scheduling'), pod: unschedulable },
    phase: 'Scheduling',
    conditions: 'Ready=False/GuestNotRunning PodScheduled=False/Unschedulable',
  },
  {
    name: 'shows what the kubelet says about images',
    scene: { vmi: inPhase('Scheduling'), pod: unpullable },
    phase: 'Scheduling',
    conditions: 'Ready=False/GuestNotRunning Synchronized=False/ErrImagePull',
  },
  {
    name: 'is handed over when its pod runs',
    scene: { vmi: inPhase('Scheduling'), pod: runningPod() },
    phase: 'Scheduled',
    conditions: 'Ready=False/GuestNotRunning',
  },
  {
    name: 'is not handed over while it is deleted',
    scene: { vmi: inPhase('Scheduling', deleting), pod: runningPod() },
    phase: 'Scheduling',
    conditions: 'Ready=False/GuestNotRunning',
  },
  {
    name: 'fails when its pod is deleted while Scheduling',
    scene: { vmi: inPhase('Scheduling'), pod: podOf({ metadata: deleting }) },
    phase: 'Failed',
    conditions: 'Ready=False/PodTerminating',
  },
  {
    name: 'fails when its pod is gone while Scheduling',
    scene: { vmi: inPhase('Scheduling') },
    phase: 'Failed',
    conditions: 'Ready=False/PodNotExists',
  },
  {
    name: 'fails when its pod is gone while Scheduled',
    scene: { vmi: inPhase('Scheduled') },
    phase: 'Failed',
    conditions: 'Ready=False/PodNotExists',
  },
  {
    name: 'fails when its pod is gone while Running',
    scene: { vmi: inPhase('Running') },
    phase: 'Failed',
    conditions: 'Ready=False/PodNotExists',
  },
  {
    name: 'runs on while its pod is deleted',
    scene: { vmi: inPhase('Running'), pod: runningPod([], deleting) },
    phase: 'Running',
    conditions: 'Ready=False/PodTerminating',
  },
  {
    name: 'is as ready as its pod',
    scene: { vmi: inPhase('Running'), pod: runningPod([{ type: 'Ready', status: 'True' }]) },
    phase: 'Running',
    conditions: 'Ready=True/',
  },
  {
    name: 'misses what its pod does not say',
    scene: { vmi: inPhase('Running'), pod: runningPod() },
    phase: 'Running',
    conditions: 'Ready=False/PodConditionMissing',
  },
  {
    name: 'stays Succeeded',
    scene: { vmi: inPhase('Succeeded'), pod: runningPod() },
    phase: 'Succeeded',
    conditions: 'Ready=False/GuestNotRunning',
  },
];

for (const { name, scene, error, phase, conditions } of cases)
  test(`a VMI ${name}`, () => {
    const { status } = decide(sceneOf(scene), error).vmi;
    assert.equal(status?.phase, phase);
    assert.equal(brief(status.conditions), conditions);
  });

test('the hand-over says where, and what the pod has', () => {
  const launcher = runningPod([], {
    annotations: { [annotations.migrationTransportUnix]: 'true', [annotations.memoryOverhead]: '281018368' },
  });
  const pod = { ...launcher, spec: { ...launcher.spec, volumes: [{ name: 'disk' }] } };
  const vmi = vmiOf({
    status: { phase: 'Scheduling', memory: { guestAtBoot: '1Gi' } },
    volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk1' } }],
  });
  const { metadata, status } = decide(sceneOf({ vmi, pod, claim: (name) => claimNamed(name) }), undefined).vmi;
  assert.equal(metadata.labels?.[labels.nodeName], 'node01');
  assert.equal(status?.nodeName, 'node01');
  assert.deepEqual(status.interfaces, [{ name: 'default', podInterfaceName: 'eth0' }]);
  assert.deepEqual(status.volumeStatus, [
    { name: 'disk', target: '', persistentVolumeClaimInfo: { claimName: 'disk1', filesystemOverhead: '0.055' } },
  ]);
  assert.deepEqual(status.activePods, { 'pod-uid': 'node01' });
  assert.deepEqual(status['memory'], { guestAtBoot: '1Gi', memoryOverhead: '268Mi' });
  assert.equal(status['migrationTransport'], 'Unix');
  assert.deepEqual(status['phaseTransitionTimestamps'], [{ phase: 'Scheduled', phaseTransitionTimestamp: NOW }]);
});

test('a VMI with dedicated CPUs is not handed over to a pod that is not Guaranteed', () => {
  const vmi = vmiOf({ status: { phase: 'Scheduling' }, domain: { cpu: { cores: 2, dedicatedCpuPlacement: true } } });
  const { vmi: next, events } = decide(sceneOf({ vmi, pod: runningPod() }), undefined);
  assert.equal(next.status?.phase, 'Scheduling');
  assert.equal(events[0]?.reason, 'FailedGuaranteePodResources');
  assert.match(brief(next.status.conditions), /Synchronized=False\/FailedGuaranteePodResources/);
});

test('more sockets or memory than the guest has are asked for by a condition', () => {
  const vmi = vmiOf({
    status: {
      phase: 'Running',
      currentCPUTopology: { sockets: 1, cores: 1, threads: 1 },
      memory: { guestRequested: '1Gi' },
    },
    domain: { cpu: { sockets: 2, cores: 1, threads: 1, maxSockets: 4 }, memory: { guest: '2Gi', maxGuest: '4Gi' } },
  });
  const pod = runningPod([{ type: 'Ready', status: 'True' }]);
  const { status } = decide(sceneOf({ vmi, pod }), undefined).vmi;
  assert.equal(brief(status?.conditions), 'Ready=True/ HotVCPUChange=True/ HotMemoryChange=True/');
});

test('a VMI that is to leave its node says so until it has', () => {
  const pod = runningPod([{ type: 'Ready', status: 'True' }]);
  const marked = decide(
    sceneOf({ vmi: vmiOf({ status: { phase: 'Running', evacuationNodeName: 'node01' } }), pod }),
    undefined,
  ).vmi;
  assert.equal(brief(marked.status?.conditions), 'Ready=True/ EvictionRequested=True/EvictionRequested');
  const { evacuationNodeName: _, ...left } = marked.status ?? {};
  assert.equal(
    brief(decide(sceneOf({ vmi: { ...marked, status: left }, pod }), undefined).vmi.status?.conditions),
    'Ready=True/',
  );
});

for (const { name, scene, left } of [
  {
    name: 'both stay while a pod is there',
    scene: { pod: runningPod(), hasOwnerVm: true },
    left: [finalizers.vm, finalizers.vmi],
  },
  { name: 'its own goes with the last pod', scene: { hasOwnerVm: true }, left: [finalizers.vm] },
  { name: 'both go where no VM owns it', scene: { hasOwnerVm: false }, left: [] },
  {
    name: "the VM's goes first where no VM owns it",
    scene: { pod: runningPod(), hasOwnerVm: false },
    left: [finalizers.vmi],
  },
])
  test(`finalizers of a VMI that has ended: ${name}`, () => {
    const vmi = inPhase('Failed', deleting);
    assert.deepEqual(decide(sceneOf({ vmi, ...scene }), undefined).vmi.metadata.finalizers, left);
  });

test('a decision on its own outcome changes nothing more', () => {
  for (const { scene, error } of cases) {
    const first = decide(sceneOf(scene), error).vmi;
    if (first.status?.phase !== scene.vmi.status?.phase || error?.reason === 'FailedPvcNotFound') continue;
    assert.deepEqual(decide(sceneOf({ ...scene, vmi: first }), error).vmi, first);
  }
});
