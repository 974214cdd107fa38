/** Interfaces that the template gained, or wants up, down or gone, on a VMI that runs. */
import type { JsonPatchOperation } from '../../../../kube/client/client.ts';
import type { VirtualMachineInstance, VmiSpec } from '../objects.ts';
import { byName, domainOf, same, withDevices, type Named } from './domain.ts';

export interface InterfaceChange {
  /** The VM's template without what was taken out of the guest. */
  readonly template: VmiSpec;
  /** For the VMI; empty where nothing differs. */
  readonly operations: readonly JsonPatchOperation[];
}

export function interfaceChange(template: VmiSpec, vmi: VirtualMachineInstance): InterfaceChange {
  const inGuest = new Set((vmi.status?.interfaces ?? []).map(({ name }) => name));
  const wanted = withoutDetached(template, inGuest);
  const spec = withWanted(wanted, withoutDetached(vmi.spec, inGuest));
  if (same(interfacesOf(spec), interfacesOf(vmi.spec))) return { template: wanted, operations: [] };
  return {
    template: wanted,
    operations: [
      ...replaced('/spec/networks', vmi.spec.networks, spec.networks ?? []),
      ...replaced('/spec/domain/devices/interfaces', domainOf(vmi.spec).devices?.interfaces, interfacesOf(spec)),
    ],
  };
}

function interfacesOf(spec: VmiSpec): readonly Named[] {
  return domainOf(spec).devices?.interfaces ?? [];
}

function replaced(path: string, before: unknown, value: unknown): readonly JsonPatchOperation[] {
  return [...(before === undefined ? [] : [{ op: 'test', path, value: before } as const]), { op: 'add', path, value }];
}

/** One that is to be absent stays named until the guest has it no more. */
function withoutDetached(spec: VmiSpec, inGuest: ReadonlySet<unknown>): VmiSpec {
  const all = interfacesOf(spec);
  const kept = all.filter(({ name, state }) => state !== 'absent' || inGuest.has(name));
  if (kept.length === all.length) return spec;
  const names = byName(kept);
  const networks = (spec.networks ?? []).filter(({ name }) => typeof name === 'string' && names.has(name));
  return withDevices({ ...spec, networks }, { interfaces: kept });
}

function withWanted(template: VmiSpec, spec: VmiSpec): VmiSpec {
  const wanted = byName(interfacesOf(template));
  const there = byName(interfacesOf(spec));
  const kept = interfacesOf(spec).map((nic) => withState(nic, wanted.get(nic.name)));
  const added = interfacesOf(template).filter((nic) => !there.has(nic.name) && isPluggable(nic));
  const names = byName(added);
  const networks = (template.networks ?? []).filter(({ name }) => typeof name === 'string' && names.has(name));
  return withDevices(
    { ...spec, networks: [...(spec.networks ?? []), ...networks] },
    { interfaces: [...kept, ...added] },
  );
}

/** What is going does not come back. */
function withState(nic: Named, wanted: Named | undefined): Named {
  if (wanted === undefined || wanted['state'] === nic['state'] || nic['state'] === 'absent') return nic;
  const { state: _, ...rest } = nic;
  return wanted['state'] === undefined ? { ...rest } : { ...rest, state: wanted['state'] };
}

function isPluggable({ state, bridge, sriov }: Named): boolean {
  return state !== 'absent' && (bridge !== undefined || sriov !== undefined);
}
