/**
 * Computes a VMI's status, labels and finalizers from the existing objects. From Scheduled on, the VMI belongs to
 * virt-handler, which sets Running, Succeeded and Failed.
 */
import type { JsonObject } from '../../../values/json.ts';
import type { Pod } from '../objects.ts';
import { markSynchronized, update, type VmiSyncError } from './conditions.ts';
import { dropLabel, isHandedOver, launcherOf, type VmiDecision, type Draft, type VmiScene } from './draft.ts';
import { annotatedBytes } from './launcher/quantities.ts';
import { annotations, labels, LAUNCHER_IMAGE } from './names.ts';
import { phaseRules } from './phases.ts';
import { nodeOf } from './pods.ts';
import { readyCondition } from './ready.ts';
import { dataVolumesReady } from './volumes.ts';

export function decide(scene: VmiScene, error: VmiSyncError | undefined): VmiDecision {
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
  const launcher = launcherOf(scene);
  if (launcher !== undefined) describeLauncher(draft, launcher);
  const volumesReady = dataVolumesReady(scene.dataVolumes);
  if (volumesReady !== undefined) draft.conditions = update(draft.conditions, volumesReady);
  phaseRules[vmi.status?.phase ?? '']?.(draft, scene);
  return finished(draft, scene);
}

function finished(draft: Draft, { vmi, now }: VmiScene): VmiDecision {
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

function countPods({ status }: Draft, { vmi, pods }: VmiScene): void {
  if (pods.length === 0 && vmi.status?.activePods === undefined) return;
  const active = Object.fromEntries(pods.map((pod) => [pod.metadata.uid ?? '', nodeOf(pod)]));
  // An empty map is omitted when a whole object is written, but present in a patch.
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
  const memoryOverhead = annotatedBytes(pod.metadata.annotations?.[annotations.memoryOverhead]);
  const memory = draft.status['memory'] as JsonObject | undefined;
  if (memoryOverhead !== undefined && memory !== undefined) draft.status['memory'] = { ...memory, memoryOverhead };
}
