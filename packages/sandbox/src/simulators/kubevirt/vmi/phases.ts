/** What each phase of a VMI derives from its pod; virt-controller decides the phases up to Scheduling. */
import type { Pod, VmiPhase } from '../objects.ts';
import { addPodCondition, find, has, remove, update } from './conditions.ts';
import { domainOf, isCpuDedicated, vcpusOf, type VmiCpu } from './domain.ts';
import { dropFinalizer, dropLabel, launcherOf, type Draft, type VmiScene } from './draft.ts';
import { bytesOf } from './launcher/quantities.ts';
import { annotations, finalizers, labels, reasons } from './names.ts';
import { interfacesOf } from './network-status.ts';
import { imageError, isDownOrGoingDown, isFailedOrGoingDown, isReady, nodeOf } from './pods.ts';
import { volumeStatuses } from './volume-status.ts';

export type PhaseRule = (draft: Draft, scene: VmiScene) => void;

export const phaseRules: Readonly<Record<VmiPhase, PhaseRule | undefined>> = {
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

function whilePending(draft: Draft, scene: VmiScene): void {
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

/** A temporary pod is the first consumer of the PVCs. */
function whileProvisioning(draft: Draft, { pod }: VmiScene): void {
  if (!has(draft.conditions, 'Provisioning'))
    draft.conditions = [
      ...draft.conditions,
      { type: 'Provisioning', status: 'True', lastProbeTime: null, lastTransitionTime: null },
    ];
  if (pod === undefined) return;
  copyScheduled(draft, pod);
  if (isFailedOrGoingDown(pod)) draft.status.phase = 'Failed';
}

/** Sets the condition as the scheduler does, so that the VM shows it. It is moved to the end of the list each time. */
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

function whileScheduling(draft: Draft, scene: VmiScene): void {
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

/** The pod is up: from here on, virt-handler is responsible for the VMI. */
function handOver(draft: Draft, scene: VmiScene, pod: Pod): void {
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

function describeDevices(draft: Draft, scene: VmiScene, pod: Pod): void {
  describeVolumes(draft, scene, pod);
  const interfaces = interfacesOf(scene.vmi, pod);
  if (interfaces !== undefined) draft.status.interfaces = interfaces;
}

function describeVolumes(draft: Draft, { vmi, attachments, claim }: VmiScene, pod: Pod): void {
  const tell = (reason: string, message: string): void => {
    draft.events.push({ type: 'Normal', reason, message });
  };
  const statuses = volumeStatuses({ vmi, pod, attachments, claim, tell });
  if (statuses.length > 0 || vmi.status?.volumeStatus !== undefined) draft.status.volumeStatus = statuses;
}

function whileScheduled(draft: Draft, scene: VmiScene): void {
  const pod = launcherOf(scene);
  if (pod === undefined) draft.status.phase = 'Failed';
  else describeVolumes(draft, scene, pod);
}

function whileRunning(draft: Draft, scene: VmiScene): void {
  const pod = launcherOf(scene);
  if (pod === undefined) {
    draft.status.phase = 'Failed';
    return;
  }
  describeDevices(draft, scene, pod);
  showEviction(draft, scene);
  const { cpu, memory } = domainOf(scene.vmi);
  const current = draft.status['currentCPUTopology'] as VmiCpu | undefined;
  const requested = (draft.status['memory'] as { readonly guestRequested?: string } | undefined)?.guestRequested;
  if (current !== undefined && (cpu?.maxSockets ?? 0) > 0 && vcpusOf(cpu) !== vcpusOf(current))
    askForChange(draft, 'HotVCPUChange');
  if (requested !== undefined && memory?.guest !== undefined && memory.maxGuest !== undefined)
    if (bytesOf(memory.guest) !== bytesOf(requested)) askForChange(draft, 'HotMemoryChange');
}

/** An eviction was requested: the VMI must leave its node. */
function showEviction(draft: Draft, { vmi, now }: VmiScene): void {
  if ((vmi.status?.['evacuationNodeName'] ?? '') === '') {
    draft.conditions = remove(draft.conditions, 'EvictionRequested');
    return;
  }
  draft.conditions = update(draft.conditions, {
    type: 'EvictionRequested',
    status: 'True',
    reason: 'EvictionRequested',
    message: 'VMI is marked for eviction',
    lastProbeTime: now,
    lastTransitionTime: now,
  });
}

/** The change takes effect through a migration. */
function askForChange(draft: Draft, type: string): void {
  if (has(draft.conditions, type)) return;
  draft.conditions = [...draft.conditions, { type, status: 'True', lastProbeTime: null, lastTransitionTime: null }];
}

function whenFinal(draft: Draft, scene: VmiScene): void {
  if (scene.pods.length === 0) {
    dropFinalizer(draft, finalizers.vmi);
    dropLabel(draft, labels.outdatedImage);
    delete draft.status['launcherContainerImageVersion'];
  }
  if (!scene.hasOwnerVm) dropFinalizer(draft, finalizers.vm);
}

/** The receiving end of a migration between clusters: nothing runs yet that would have to be stopped. */
function whileWaitingForSync(draft: Draft, scene: VmiScene): void {
  if (scene.vmi.metadata.deletionTimestamp !== undefined) {
    dropFinalizer(draft, finalizers.vmi);
    if (!scene.hasOwnerVm) dropFinalizer(draft, finalizers.vm);
  } else if (launcherOf(scene) !== undefined) draft.status.phase = 'Scheduling';
}
