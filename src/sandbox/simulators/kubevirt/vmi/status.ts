/**
 * What virt-controller makes of a VMI's status, labels and finalizers: a function of what is there. The phases up to Scheduling are its own, from
 * Scheduled on the VMI belongs to virt-handler, which says Running, Succeeded and Failed.
 */
import type { JsonObject } from '../../../json.ts';
import type {
  DataVolume,
  PersistentVolumeClaim,
  Pod,
  VirtualMachineInstance,
  VirtualMachineInstanceStatus,
  VmiPhase,
} from '../objects.ts';
import {
  addPodCondition,
  find,
  has,
  markSynchronized,
  remove,
  update,
  type Conditions,
  type SyncError,
} from './conditions.ts';
import { domainOf, isCpuDedicated, vcpusOf, type Cpu } from './domain.ts';
import { binaryText, bytesOf } from './launcher/quantities.ts';
import { annotations, finalizers, labels, LAUNCHER_IMAGE, reasons } from './names.ts';
import { interfacesOf } from './network-status.ts';
import { imageError, isDownOrGoingDown, isFailedOrGoingDown, isReady, isTemporary, nodeOf } from './pods.ts';
import { readyCondition } from './ready.ts';
import { dataVolumesReady } from './volumes.ts';
import { volumeStatuses } from './volume-status.ts';

export interface Scene {
  readonly vmi: VirtualMachineInstance;
  /** All that it controls, targets of migrations too. */
  readonly pods: readonly Pod[];
  readonly pod: Pod | undefined;
  /** Of the current pod. */
  readonly attachments: readonly Pod[];
  readonly dataVolumes: readonly DataVolume[];
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly hasOwnerVm: boolean;
  readonly now: string;
}

export interface Told {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Decision {
  readonly vmi: VirtualMachineInstance;
  readonly events: readonly Told[];
}

type Status = { -readonly [K in keyof VirtualMachineInstanceStatus]: VirtualMachineInstanceStatus[K] };

/** What is being changed while a decision is made. */
interface Draft {
  readonly status: Status;
  conditions: Conditions;
  labels: Readonly<Record<string, string>> | undefined;
  finalizers: readonly string[] | undefined;
  error: SyncError | undefined;
  readonly events: Told[];
}

export function decide(scene: Scene, error: SyncError | undefined): Decision {
  const { vmi, pod } = scene;
  const draft: Draft = {
    status: { ...vmi.status },
    conditions: vmi.status?.conditions ?? [],
    labels: vmi.metadata.labels,
    finalizers: vmi.metadata.finalizers,
    error,
    events: [],
  };
  countPods(draft, scene);
  draft.conditions = update(draft.conditions, readyCondition(vmi, pod, scene.now));
  if (pod !== undefined && !isTemporary(pod)) describeLauncher(draft, pod);
  const volumesReady = dataVolumesReady(scene.dataVolumes);
  if (volumesReady !== undefined) draft.conditions = update(draft.conditions, volumesReady);
  phases[vmi.status?.phase ?? '']?.(draft, scene);
  return finished(draft, scene);
}

function finished(draft: Draft, { vmi, now }: Scene): Decision {
  const { status } = draft;
  if (!isHandedOver(vmi)) {
    draft.conditions = markSynchronized(draft.conditions, draft.error, now);
    const known = (vmi.status?.['phaseTransitionTimestamps'] ?? []) as readonly { readonly phase: string }[];
    const { phase = '' } = status;
    if (phase !== vmi.status?.phase && !known.some((entry) => entry.phase === phase))
      status['phaseTransitionTimestamps'] = [...known, { phase, phaseTransitionTimestamp: now }];
  }
  if (draft.conditions.length > 0 || vmi.status?.conditions !== undefined) status.conditions = draft.conditions;
  const metadata = { ...vmi.metadata };
  return {
    vmi: {
      ...vmi,
      metadata: {
        ...metadata,
        ...(draft.labels === undefined ? {} : { labels: draft.labels }),
        ...(draft.finalizers === undefined ? {} : { finalizers: draft.finalizers }),
      },
      status,
    },
    events: draft.events,
  };
}

/** Others write it too: only what differs is sent. */
export function isHandedOver({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running' || status?.phase === 'Scheduled';
}

function countPods({ status }: Draft, { vmi, pods }: Scene): void {
  if (pods.length === 0 && vmi.status?.activePods === undefined) return;
  const active = Object.fromEntries(pods.map((pod) => [pod.metadata.uid ?? '', nodeOf(pod)]));
  // An empty map is left out of a whole object, and is there in a patch.
  if (pods.length === 0 && !isHandedOver(vmi)) delete status.activePods;
  else status.activePods = active;
}

interface Container {
  readonly name: string;
  readonly image?: string;
}

function describeLauncher(draft: Draft, pod: Pod): void {
  const containers = (pod.spec['containers'] ?? []) as unknown as readonly Container[];
  const image = containers.find(({ name }) => name === 'compute')?.image ?? '';
  draft.status['launcherContainerImageVersion'] = image;
  if (image !== '' && image !== LAUNCHER_IMAGE) draft.labels = { ...draft.labels, [labels.outdatedImage]: '' };
  else dropLabel(draft, labels.outdatedImage);
  const overhead = pod.metadata.annotations?.[annotations.memoryOverhead];
  const memory = draft.status['memory'] as JsonObject | undefined;
  if (overhead !== undefined && memory !== undefined)
    draft.status['memory'] = { ...memory, memoryOverhead: binaryText(Number(overhead)) };
}

function dropLabel(draft: Draft, label: string): void {
  if (draft.labels?.[label] === undefined) return;
  const { [label]: _, ...rest } = draft.labels;
  draft.labels = rest;
}

type PhaseRule = (draft: Draft, scene: Scene) => void;

const phases: Readonly<Record<VmiPhase, PhaseRule | undefined>> = {
  '': whilePending,
  Pending: whilePending,
  Scheduling: whileScheduling,
  Scheduled: whileScheduled,
  Running: whileRunning,
  Succeeded: whenFinal,
  Failed: whenFinal,
  WaitingForSync: whileWaitingForSync,
  Unknown: undefined,
};

const launcherOf = ({ pod }: Scene): Pod | undefined => (pod === undefined || isTemporary(pod) ? undefined : pod);

function whilePending(draft: Draft, scene: Scene): void {
  const { vmi, dataVolumes } = scene;
  const failed = dataVolumes.some(({ status }) => status?.phase === 'Failed');
  if (launcherOf(scene) !== undefined) draft.status.phase = 'Scheduling';
  else if (vmi.metadata.deletionTimestamp !== undefined || failed) draft.status.phase = 'Failed';
  else {
    draft.status.phase = 'Pending';
    if (dataVolumes.some(({ status }) => status?.phase === 'WaitForFirstConsumer')) whileProvisioning(draft, scene);
    if (draft.error?.reason === reasons.failedPvcNotFound) markUnschedulable(draft, draft.error.message);
  }
}

/** A temporary pod is the first consumer of the claims. */
function whileProvisioning(draft: Draft, { pod }: Scene): void {
  if (!has(draft.conditions, 'Provisioning'))
    draft.conditions = [
      ...draft.conditions,
      { type: 'Provisioning', status: 'True', lastProbeTime: null, lastTransitionTime: null },
    ];
  if (pod === undefined) return;
  copyScheduled(draft, pod);
  if (isFailedOrGoingDown(pod)) draft.status.phase = 'Failed';
}

/** As the scheduler would say it, so that the VM shows it. Taken off and put at the end each time. */
function markUnschedulable(draft: Draft, message: string): void {
  draft.conditions = [
    ...remove(draft.conditions, 'PodScheduled'),
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: null,
    },
  ];
}

function copyScheduled(draft: Draft, pod: Pod): void {
  const scheduled = find(pod.status?.conditions, 'PodScheduled');
  if (scheduled?.status !== 'False') {
    draft.conditions = remove(draft.conditions, 'PodScheduled');
    return;
  }
  const { type, status, reason = '', message = '', lastProbeTime = null, lastTransitionTime = null } = scheduled;
  draft.conditions = addPodCondition(draft.conditions, {
    type,
    status,
    reason,
    message,
    lastProbeTime,
    lastTransitionTime,
  });
}

function whileScheduling(draft: Draft, scene: Scene): void {
  const { vmi } = scene;
  draft.conditions = remove(draft.conditions, 'Provisioning');
  const pod = launcherOf(scene);
  if (pod === undefined) {
    draft.status.phase = 'Failed';
    return;
  }
  const qosClass = pod.status?.['qosClass'];
  if (typeof qosClass === 'string' && qosClass !== '') draft.status['qosClass'] = qosClass;
  else delete draft.status['qosClass'];
  copyScheduled(draft, pod);
  const image = imageError(pod);
  if (image !== undefined) draft.error = { ...image, retry: false };
  if (isReady(pod) && vmi.metadata.deletionTimestamp === undefined) handOver(draft, scene, pod);
  else if (isDownOrGoingDown(pod)) draft.status.phase = 'Failed';
}

/** The pod is up: from here on the VMI is virt-handler's. */
function handOver(draft: Draft, scene: Scene, pod: Pod): void {
  const { vmi } = scene;
  if (isCpuDedicated(domainOf(vmi)) && pod.status?.['qosClass'] !== 'Guaranteed') {
    const [reason, message] = [reasons.failedGuaranteeResources, 'failed to guarantee pod resources'];
    draft.events.push({ type: 'Warning', reason, message });
    draft.error = { reason, message, retry: true };
    return;
  }
  describeDevices(draft, scene, pod);
  draft.status.phase = 'Scheduled';
  draft.labels = { ...draft.labels, [labels.nodeName]: nodeOf(pod) };
  draft.status.nodeName = nodeOf(pod);
  if (pod.metadata.annotations?.[annotations.migrationTransportUnix] !== undefined)
    draft.status['migrationTransport'] = 'Unix';
}

function describeDevices(draft: Draft, scene: Scene, pod: Pod): void {
  describeVolumes(draft, scene, pod);
  const interfaces = interfacesOf(scene.vmi, pod);
  if (interfaces !== undefined) draft.status.interfaces = interfaces;
}

function describeVolumes(draft: Draft, { vmi, attachments, claim }: Scene, pod: Pod): void {
  const tell = (reason: string, message: string): void => {
    draft.events.push({ type: 'Normal', reason, message });
  };
  const statuses = volumeStatuses({ vmi, pod, attachments, claim, tell });
  if (statuses.length > 0 || vmi.status?.volumeStatus !== undefined) draft.status.volumeStatus = statuses;
}

function whileScheduled(draft: Draft, scene: Scene): void {
  const pod = launcherOf(scene);
  if (pod === undefined) draft.status.phase = 'Failed';
  else describeVolumes(draft, scene, pod);
}

function whileRunning(draft: Draft, scene: Scene): void {
  const pod = launcherOf(scene);
  if (pod === undefined) {
    draft.status.phase = 'Failed';
    return;
  }
  describeDevices(draft, scene, pod);
  const { cpu, memory } = domainOf(scene.vmi);
  const current = draft.status['currentCPUTopology'] as Cpu | undefined;
  const requested = (draft.status['memory'] as { readonly guestRequested?: string } | undefined)?.guestRequested;
  if (current !== undefined && (cpu?.maxSockets ?? 0) > 0 && vcpusOf(cpu) !== vcpusOf(current))
    askForChange(draft, 'HotVCPUChange');
  if (requested !== undefined && memory?.guest !== undefined && memory.maxGuest !== undefined)
    if (bytesOf(memory.guest) !== bytesOf(requested)) askForChange(draft, 'HotMemoryChange');
}

/** A migration will bring the change. */
function askForChange(draft: Draft, type: string): void {
  if (has(draft.conditions, type)) return;
  draft.conditions = [...draft.conditions, { type, status: 'True', lastProbeTime: null, lastTransitionTime: null }];
}

function whenFinal(draft: Draft, scene: Scene): void {
  if (scene.pods.length === 0) {
    dropFinalizer(draft, finalizers.vmi);
    dropLabel(draft, labels.outdatedImage);
    delete draft.status['launcherContainerImageVersion'];
  }
  if (!scene.hasOwnerVm) dropFinalizer(draft, finalizers.vm);
}

/** The receiving end of a migration between clusters: nothing runs yet that would have to be stopped. */
function whileWaitingForSync(draft: Draft, scene: Scene): void {
  if (scene.vmi.metadata.deletionTimestamp !== undefined) {
    dropFinalizer(draft, finalizers.vmi);
    if (!scene.hasOwnerVm) dropFinalizer(draft, finalizers.vm);
  } else if (launcherOf(scene) !== undefined) draft.status.phase = 'Scheduling';
}

function dropFinalizer(draft: Draft, finalizer: string): void {
  if (draft.finalizers?.includes(finalizer) === true)
    draft.finalizers = draft.finalizers.filter((other) => other !== finalizer);
}
