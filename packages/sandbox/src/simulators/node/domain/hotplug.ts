/** Hotplug and unplug of volumes on a running guest, and memory dumps into a volume. */
import type { JsonObject } from '../../../values/json.ts';
import { objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { targets } from './disks.ts';
import { wait, type Happening, type Scene, type DomainStep } from './step.ts';

const DUMP_MS = 3000;
const STEP_MS = 300;

interface Move {
  readonly status: JsonObject;
  readonly tell?: boolean;
}

export function hotplug(scene: Scene): DomainStep {
  const { vmi, node } = scene;
  const all = vmi.status?.volumeStatus ?? [];
  const inSpec = new Set((vmi.spec.volumes ?? []).map(({ name }) => name));
  let soonest: number | undefined;
  for (const [place, one] of all.entries()) {
    if (objectAt(one, 'hotplugVolume') === undefined) continue;
    const move = inSpec.has(textAt(one, 'name')) ? attach(scene, one) : detach(one);
    if (typeof move === 'number') soonest = Math.min(soonest ?? move, move);
    if (typeof move !== 'object') continue;
    const happening: Happening = {
      type: 'Normal',
      reason: textAt(move.status, 'reason'),
      message: textAt(move.status, 'message'),
    };
    return {
      kind: 'write',
      node,
      status: { volumeStatus: all.toSpliced(place, 1, move.status) },
      ...(move.tell === false ? {} : { after: [happening] }),
    };
  }
  return soonest === undefined ? undefined : wait(soonest);
}

function attach(scene: Scene, one: JsonObject): Move | number | undefined {
  const name = textAt(one, 'name');
  const dump = objectAt(one, 'memoryDumpVolume');
  switch (textAt(one, 'phase')) {
    case 'AttachedToNode':
      if (!scene.isRunning(textAt(objectAt(one, 'hotplugVolume'), 'attachPodName'))) return undefined;
      return moved(one, 'MountedToPod', 'VolumeMountedToPod', `Volume ${name} has been mounted in virt-launcher pod`);
    case 'MountedToPod': {
      if (dump !== undefined) return beginDump(scene, one, dump);
      const left = scene.left(`plug-${name}`, STEP_MS);
      if (left > 0) return left;
      const target = targets(scene.vmi).get(name) ?? 'sda';
      const ready = moved(one, 'Ready', 'VolumeReady', `Successfully attach hotplugged volume ${name} to VM`);
      return { status: { ...ready.status, target } };
    }
    case 'MemoryDumpVolumeInProgress':
      return dump === undefined ? undefined : endDump(scene, one, dump);
    default:
      return undefined;
  }
}

const unmountable = new Set(['Ready', 'MountedToPod', 'AttachedToNode', 'Detaching', 'MemoryDumpVolumeCompleted']);

function detach(one: JsonObject): Move | undefined {
  if (!unmountable.has(textAt(one, 'phase'))) return undefined;
  const name = textAt(one, 'name');
  const message = `Volume ${name} has been unmounted from virt-launcher pod`;
  const { status } = moved(one, 'UnMountedFromPod', 'VolumeUnMountedFromPod', message);
  return { status: { ...status, target: '' } };
}

function beginDump(scene: Scene, one: JsonObject, dump: JsonObject): Move {
  const name = textAt(one, 'name');
  const message = `Memory dump Volume ${name} is attached, getting memory dump`;
  const { status } = moved(one, 'MemoryDumpVolumeInProgress', 'VolumeMountedToPod', message);
  const stamp = scene.now.replaceAll(/[-:Z]/g, '').replace('T', '-');
  const targetFileName = `${scene.vmi.metadata.name ?? ''}-${name}-${stamp}.memory.dump`;
  return {
    tell: false,
    status: { ...status, memoryDumpVolume: { ...dump, startTimestamp: scene.now, targetFileName } },
  };
}

function endDump(scene: Scene, one: JsonObject, dump: JsonObject): Move | number {
  const file = textAt(dump, 'targetFileName');
  const left = scene.left(`dump-${file}`, DUMP_MS, textAt(dump, 'startTimestamp'));
  if (left > 0) return left;
  const message = `Memory dump to Volume ${textAt(one, 'name')} has completed successfully`;
  const { status } = moved(one, 'MemoryDumpVolumeCompleted', 'VolumeReady', message);
  return { tell: false, status: { ...status, memoryDumpVolume: { ...dump, endTimestamp: scene.now } } };
}

function moved(one: JsonObject, phase: string, reason: string, message: string): Move {
  return { status: { ...one, phase, reason, message } };
}
