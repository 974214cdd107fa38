/**
 * Hotplugged volumes of a running VMI: an attachment pod mounts them on the node, and a new pod replaces it when the
 * set of volumes changes.
 */
import type { JsonObject } from '../../../values/json.ts';
import type { Pod, VirtualMachineInstance, Volume } from '../objects.ts';
import { readinessOf, type Storage } from './volumes.ts';

const podVolumes = ({ spec }: Pod): readonly JsonObject[] =>
  (spec['volumes'] ?? []) as unknown as readonly JsonObject[];

/** Volumes that the launcher pod does not mount. */
export function hotplugVolumes({ spec }: VirtualMachineInstance, launcher: Pod): readonly Volume[] {
  const mounted = new Set(podVolumes(launcher).map(({ name }) => name));
  return (spec.volumes ?? []).filter(
    (volume) =>
      !mounted.has(volume.name) &&
      (volume.dataVolume ?? volume.persistentVolumeClaim ?? volume['memoryDump']) !== undefined,
  );
}

const claimsIn = (attachment: Pod): readonly unknown[] =>
  podVolumes(attachment)
    .filter((volume) => volume['persistentVolumeClaim'] !== undefined)
    .map(({ name }) => name);

function brings(attachment: Pod, volumes: readonly Volume[]): boolean {
  const names = claimsIn(attachment);
  return names.length === volumes.length && volumes.every(({ name }) => names.includes(name));
}

/** `activeAttachment` returns the attachment pod with exactly these volumes. */
export function activeAttachment(volumes: readonly Volume[], attachments: readonly Pod[]): Pod | undefined {
  return attachments.findLast((attachment) => brings(attachment, volumes));
}

export function findAttachment(volume: string, attachments: readonly Pod[]): Pod | undefined {
  return attachments.find((attachment) => podVolumes(attachment).some(({ name }) => name === volume));
}

export interface HotplugPlan {
  /** The volumes of the attachment pod to create; undefined if none is needed. */
  readonly attach?: readonly Volume[];
  readonly remove: readonly Pod[];
  /** Volumes that need a temporary pod as first consumer. */
  readonly populate: readonly Volume[];
}

const nothing: HotplugPlan = { remove: [], populate: [] };

export function planHotplug(volumes: readonly Volume[], attachments: readonly Pod[], storage: Storage): HotplugPlan {
  const [only, ...more] = attachments;
  if (more.length === 0 && (only === undefined ? volumes.length === 0 : brings(only, volumes))) return nothing;
  const readiness = new Map(volumes.map((volume) => [volume, readinessOf(volume, storage).kind]));
  const ready = volumes.filter((volume) => readiness.get(volume) === 'ready');
  const populate = volumes.filter((volume) => readiness.get(volume) === 'waits-for-consumer');
  const current = activeAttachment(ready, attachments);
  const old = attachments
    .filter((attachment) => attachment !== current)
    .toSorted((a, b) => ((b.metadata.creationTimestamp ?? '') > (a.metadata.creationTimestamp ?? '') ? 1 : -1));
  const settled = old.every(({ status }) => status?.phase !== undefined && status.phase !== 'Pending');
  const attach = current === undefined && ready.length > 0 && settled ? { attach: ready } : {};
  return { ...attach, remove: outdated(old, current, ready.length), populate };
}

/** The newest running pod is kept until its successor runs, because the guest uses its volumes. */
function outdated(old: readonly Pod[], current: Pod | undefined, wanted: number): readonly Pod[] {
  const kept =
    wanted > 0 && current?.status?.phase !== 'Running'
      ? old.find(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined)
      : undefined;
  return old.filter((pod) => pod !== kept && pod.metadata.deletionTimestamp === undefined);
}
