/** Applies added interfaces of the template, and changed states (up, down, absent), to a running VMI. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { VirtualMachineInstance, VmiSpec } from '../objects.ts';
import { byName, domainOf, same, withDevices, type Named } from './domain.ts';

export interface InterfaceChange {
  /** The VM's template without interfaces that were unplugged from the guest. */
  readonly template: VmiSpec;
  /** The patch for the VMI; empty if nothing differs. */
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

/** An absent interface stays in the spec until the guest has released it. */
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

/** An interface that is being removed is not restored. */
function withState(nic: Named, wanted: Named | undefined): Named {
  if (wanted === undefined || wanted['state'] === nic['state'] || nic['state'] === 'absent') return nic;
  const { state: _, ...rest } = nic;
  return wanted['state'] === undefined ? { ...rest } : { ...rest, state: wanted['state'] };
}

function isPluggable({ state, bridge, sriov }: Named): boolean {
  return state !== 'absent' && (bridge !== undefined || sriov !== undefined);
}
