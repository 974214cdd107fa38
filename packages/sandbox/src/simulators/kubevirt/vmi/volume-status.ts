/**
 * The part of `status.volumeStatus` that virt-controller writes: the PVCs behind volumes, and the phase of hotplugged
 * ones. virt-handler adds targets.
 */
import type { JsonObject } from '../../../values/json.ts';
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance, Volume } from '../objects.ts';
import { claimOf } from './domain.ts';
import { activeAttachment, findAttachment, hotplugVolumes } from './hotplug.ts';
import { reasons } from './names.ts';
import type { ContainerStatus } from './pods.ts';

const FILESYSTEM_OVERHEAD = '0.055';

export interface VolumeScene {
  readonly vmi: VirtualMachineInstance;
  readonly pod: Pod;
  readonly attachments: readonly Pod[];
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  /** Called once when a volume is attached to the node or detached from it. */
  readonly tell: (reason: string, message: string) => void;
}

export function volumeStatuses(scene: VolumeScene): readonly JsonObject[] {
  const { vmi, pod, attachments } = scene;
  const left = new Map((vmi.status?.volumeStatus ?? []).map((status) => [String(status['name']), status]));
  const plugged = hotplugVolumes(vmi, pod);
  const attachment = activeAttachment(plugged, attachments);
  const next: JsonObject[] = [];
  for (const volume of vmi.spec.volumes ?? []) {
    let status: JsonObject = left.get(volume.name) ?? { name: volume.name, target: '' };
    left.delete(volume.name);
    if (volume['memoryDump'] !== undefined && status['memoryDumpVolume'] === undefined)
      status = { ...status, memoryDumpVolume: { claimName: volume.name } };
    if (plugged.includes(volume)) status = hotplugStatus(scene, volume, status, attachment);
    next.push(withClaim(status, claimOf(volume), scene.claim));
  }
  for (const [name, status] of left) {
    const leaving = unplugged(scene, name, status);
    if (leaving !== undefined) next.push(leaving);
  }
  return next.toSorted((a, b) => compare(String(a['name']), String(b['name'])));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function withClaim(status: JsonObject, name: string | undefined, claimOfName: VolumeScene['claim']): JsonObject {
  const claim = name === undefined ? undefined : claimOfName(name);
  return claim === undefined ? status : { ...status, persistentVolumeClaimInfo: claimInfo(claim) };
}

export function claimInfo({ metadata, spec, status }: PersistentVolumeClaim): JsonObject {
  const { accessModes, volumeMode, resources } = spec;
  const requests = (resources as JsonObject | undefined)?.['requests'];
  const capacity = status?.['capacity'] as JsonObject | undefined;
  const preallocated = Object.entries(metadata.annotations ?? {}).some(
    ([name, value]) => /\/storage\.(preallocation|thick-provisioned)/.test(name) && value === 'true',
  );
  return {
    claimName: metadata.name,
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(volumeMode === undefined ? {} : { volumeMode }),
    ...(capacity === undefined ? {} : { capacity }),
    ...(requests === undefined ? {} : { requests }),
    ...(preallocated ? { preallocated } : {}),
    filesystemOverhead: FILESYSTEM_OVERHEAD,
  };
}

function hotplugStatus(
  { claim, tell }: VolumeScene,
  volume: Volume,
  status: JsonObject,
  attachment: Pod | undefined,
): JsonObject {
  const before = (status['hotplugVolume'] ?? {}) as JsonObject;
  const phase = status['phase'];
  if (attachment === undefined) {
    if (phase === 'Ready') return status['hotplugVolume'] === undefined ? { ...status, hotplugVolume: {} } : status;
    const { attachPodUID: _, ...hotplugVolume } = before;
    return { ...status, hotplugVolume, ...waiting(claimOf(volume) ?? '', claim) };
  }
  const [only, ...more] = (attachment.status?.containerStatuses ?? []) as unknown as readonly ContainerStatus[];
  const isUp = only?.ready === true && more.length === 0;
  const { name = '', uid } = attachment.metadata;
  const { attachPodUID: _, ...rest } = before;
  const hotplugVolume = { ...rest, attachPodName: name, ...(isUp ? { attachPodUID: uid } : {}) };
  if (phase !== undefined && phase !== '' && phase !== 'Bound' && phase !== 'Pending')
    return { ...status, hotplugVolume };
  const message = `Created hotplug attachment pod ${name}, for volume ${volume.name}`;
  tell(reasons.successfulCreate, message);
  return { ...status, hotplugVolume, phase: 'AttachedToNode', reason: reasons.successfulCreate, message };
}

function waiting(name: string, claimOfName: VolumeScene['claim']): JsonObject {
  const claim = claimOfName(name);
  if (claim === undefined)
    return { phase: 'Pending', reason: reasons.failedPvcNotFound, message: `PVC ${name} not found` };
  const phase = claim.status?.phase;
  const message = `PVC is in phase ${phase === 'Pending' ? 'ClaimPending' : phase === 'Bound' ? 'Bound' : 'Lost'}`;
  return { phase: phase === 'Bound' ? 'Bound' : 'Pending', reason: reasons.pvcNotReady, message };
}

/** A volume that was removed from the spec keeps its status while its attachment pod exists. */
function unplugged({ attachments, tell }: VolumeScene, volume: string, status: JsonObject): JsonObject | undefined {
  const attachment = findAttachment(volume, attachments);
  if (attachment === undefined) return undefined;
  const { name = '', uid, deletionTimestamp } = attachment.metadata;
  const before = (status['hotplugVolume'] ?? {}) as JsonObject;
  const stays = status['phase'] === 'Ready' || status['phase'] === 'MountedToPod';
  const next: JsonObject = { ...status, hotplugVolume: { ...before, attachPodName: name, attachPodUID: uid } };
  if (stays) return next;
  if (deletionTimestamp === undefined) return { ...next, phase: 'Detaching' };
  const message = `Deleted hotplug attachment pod ${name}, for volume ${volume}`;
  tell(reasons.successfulDelete, message);
  return { ...next, phase: 'Detaching', reason: reasons.successfulDelete, message };
}
