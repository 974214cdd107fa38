/** Applies added, removed and changed hotpluggable volumes of the template to the running VMI. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { VirtualMachine, VirtualMachineInstance, Volume, VmiSpec } from '../../objects.ts';
import {
  byName,
  disksOf,
  isDeclarativelyHotpluggable as isHotpluggable,
  same,
  volumesOf,
  type Named,
} from '../domain.ts';
import { isRunning, type MaybeVmi } from '../vmi-state.ts';

/** Empty if nothing differs or hotplug is not possible now. */
export function hotplugPatch(vm: VirtualMachine, vmi: MaybeVmi): readonly JsonPatchOperation[] {
  if (vmi === undefined || !isRunning(vmi) || vm.spec['updateVolumesStrategy'] === 'Migration') return [];
  const template = vm.spec.template.spec;
  const volumes = [...keptVolumes(template, vmi), ...newVolumes(template, vmi)];
  const disks = [...keptDisks(template, vmi, volumes), ...newDisks(template, vmi, volumes)];
  if (same(volumesOf(vmi.spec), volumes) && same(disksOf(vmi.spec), disks)) return [];
  return [
    ...replaced('/spec/volumes', vmi.spec.volumes, volumes),
    ...replaced('/spec/domain/devices/disks', disksOf(vmi.spec), disks),
  ];
}

function replaced(path: string, before: readonly unknown[] | undefined, value: unknown): readonly JsonPatchOperation[] {
  if (before === undefined || before.length === 0) return [{ op: 'add', path, value }];
  return [
    { op: 'test', path, value: before },
    { op: 'replace', path, value },
  ];
}

/** A changed volume is removed first, and added again after the VMI has released it. */
function keptVolumes(template: VmiSpec, vmi: VirtualMachineInstance): readonly Volume[] {
  const wanted = byName(volumesOf(template));
  return volumesOf(vmi.spec).filter((volume) => {
    if (!isHotpluggable(volume)) return true;
    const now = wanted.get(volume.name);
    return now !== undefined && (!isHotpluggable(now) || same(now, volume));
  });
}

function newVolumes(template: VmiSpec, vmi: VirtualMachineInstance): readonly Volume[] {
  const there = byName(volumesOf(vmi.spec));
  const leaving = new Set((vmi.status?.volumeStatus ?? []).map(({ name }) => name));
  return volumesOf(template).filter(
    (volume) => isHotpluggable(volume) && !there.has(volume.name) && !leaving.has(volume.name),
  );
}

function keptDisks(template: VmiSpec, vmi: VirtualMachineInstance, volumes: readonly Volume[]): readonly Named[] {
  const [wanted, there] = [byName(disksOf(template)), byName(volumes)];
  return disksOf(vmi.spec).filter(({ name }) => wanted.has(name) && there.has(name));
}

function newDisks(template: VmiSpec, vmi: VirtualMachineInstance, volumes: readonly Volume[]): readonly Named[] {
  const [disks, there] = [byName(disksOf(vmi.spec)), byName(volumes)];
  return disksOf(template).filter(({ name }) => {
    const volume = there.get(name);
    return volume !== undefined && isHotpluggable(volume) && !disks.has(name);
  });
}
