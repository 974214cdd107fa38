/** The VMs of a template, one by one: their names and sizes once the parameters are given. */
import { fields, known, list, text } from '../facts/reading.ts';
import type { MachineShape, MachineSizes } from './entry.ts';
import { outlineOf } from './machine.ts';
import { filled } from './parameters.ts';

/** More VMs than a user starts at once. A template with more cannot be used, since not all of its VMs are known. */
const MOST_MACHINES = 100;
const LARGEST_OUTLINE = 8 * 1024;

export function shapesOf(machines: readonly unknown[], defaults: ReadonlyMap<string, string>): readonly MachineShape[] {
  return machines.slice(0, MOST_MACHINES).map((machine) => shapeOf(machine, defaults));
}

function shapeOf(machine: unknown, defaults: ReadonlyMap<string, string>): MachineShape {
  const name = text(fields(fields(machine)['metadata'])['name']) ?? '';
  const named = { name, ...storageClassesOf(machine), ...nicsOf(machine) };
  const cut = cutDown(machine);
  const written = JSON.stringify(cut);
  if (!written.includes('${')) return { ...named, ...sizesOf(machine, defaults) };
  return written.length > LARGEST_OUTLINE ? named : { ...named, ...sizesOf(machine, defaults), open: cut };
}

function storageClassesOf(machine: unknown): Pick<MachineShape, 'storageClasses'> {
  const classes = list(fields(fields(machine)['spec'])['dataVolumeTemplates']).flatMap((disk) => {
    const spec = fields(fields(disk)['spec']);
    const { storageClassName } = fields(spec['storage'] ?? spec['pvc']);
    // An empty name requests a volume that was created by hand.
    return storageClassName === '' ? [] : [text(storageClassName) ?? null];
  });
  return classes.length === 0 ? {} : { storageClasses: [...new Set(classes)] };
}

/** KubeVirt gives a VM that names no network cards one in the pod network, unless the VM declines it. */
function nicsOf(machine: unknown): Pick<MachineShape, 'nics'> {
  const { template } = fields(fields(machine)['spec']);
  const { interfaces, autoattachPodInterface } = fields(fields(fields(fields(template)['spec'])['domain'])['devices']);
  const count = list(interfaces).length;
  const nics = count === 0 && autoattachPodInterface !== false ? 1 : count;
  return nics === 1 ? {} : { nics };
}

/**
 * Returns undefined if the name depends on a parameter whose value is unknown. `null` is the default class; an empty
 * name means no class at all.
 */
export function storageClassWith(named: string | null, values: ReadonlyMap<string, string>): string | null | undefined {
  if (named === null) return null;
  const name = filled(named, values);
  if (typeof name !== 'string' || /\$\{\{?[a-zA-Z0-9_]+\}/.test(name)) return undefined;
  return name;
}

/** `sizesWith` returns the sizes with these values. A size that depends on an unknown value is unknown too. */
export function sizesWith({ open, ...shape }: MachineShape, values: ReadonlyMap<string, string>): MachineSizes {
  return open === undefined ? shape : sizesOf(open, values);
}

/** `nameWith` returns undefined if the name is not text once the values are filled in. */
export function nameWith({ name }: MachineShape, values: ReadonlyMap<string, string>): string | undefined {
  const called = filled(name, values);
  if (typeof called === 'number') return String(called);
  return typeof called === 'string' && !/\$\{\{?[a-zA-Z0-9_]+\}/.test(called) ? called : undefined;
}

function sizesOf(machine: unknown, values: ReadonlyMap<string, string>): MachineSizes {
  const { cpuCount, memoryBytes, storageBytes, instancetype, instancetypeKind } = outlineOf(machine, values);
  return known<MachineSizes>({ cpuCount, memoryBytes, storageBytes, instancetype, instancetypeKind });
}

/** Keeps only the fields from which the sizes are read: templates are large, and are not kept. */
function cutDown(machine: unknown): object {
  const { instancetype, template, dataVolumeTemplates } = fields(fields(machine)['spec']);
  const { cpu, memory, resources } = fields(fields(fields(template)['spec'])['domain']);
  const { requests, limits } = fields(resources);
  const { cores, sockets, threads } = fields(cpu);
  const disks = list(dataVolumeTemplates).map((disk, index) => {
    const spec = fields(fields(disk)['spec']);
    const asked = fields(fields(fields(spec['storage'] ?? spec['pvc'])['resources'])['requests']);
    return {
      metadata: { name: `${index}` },
      spec: { storage: { resources: { requests: scalars({ storage: asked['storage'] }) } } },
    };
  });
  const amounts = (of: unknown): object => scalars({ cpu: fields(of)['cpu'], memory: fields(of)['memory'] });
  return {
    spec: {
      ...(instancetype === undefined
        ? {}
        : { instancetype: scalars({ name: fields(instancetype)['name'], kind: fields(instancetype)['kind'] }) }),
      template: {
        spec: {
          domain: {
            cpu: scalars({ cores, sockets, threads }),
            memory: scalars({ guest: fields(memory)['guest'] }),
            resources: { requests: amounts(requests), limits: amounts(limits) },
          },
        },
      },
      dataVolumeTemplates: disks,
    },
  };
}

function scalars(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}
