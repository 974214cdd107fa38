/**
 * What a VirtualMachine had when a Machine adopted it. What the Machine does not state stays as it was: the snapshot takes the place of the template, and is kept
 * in an annotation of the VirtualMachine, so that every later round, also of another leader or without the annotation on the Machine, wants the same.
 */
import { fields, known, list, text, type Fields } from '../facts/reading.ts';
import { diskName } from './names.ts';
import { annotations } from './resource.ts';
import { sizeInBytes } from './size.ts';

export interface AdoptedDisk {
  readonly name: string;
  /** Of `domain.devices.disks`, without the name; empty where KubeVirt adds the device. */
  readonly device: Fields;
  /** Without the name; absent where the volume is no claim. */
  readonly volume?: Fields;
  /** It has the name of the Machine's own disk of this name. */
  readonly own?: true;
}

export interface AdoptedInterface {
  readonly name: string;
  readonly device: Fields;
  readonly network: Fields;
}

/** A child of the VirtualMachine that becomes the Machine's: `PersistentVolumeClaim`, `DataVolume` or `Secret`. */
export interface AdoptedChild {
  readonly kind: string;
  readonly name: string;
}

/** `AdoptedSettings` is the snapshot. Absent fields were absent in the VirtualMachine. */
export interface AdoptedSettings {
  /** Of the Machine at that time: a template that is set later counts again. */
  readonly template?: string;
  /** The VirtualMachine takes CPU and memory from an instance type. */
  readonly instancetype?: string;
  /** `cpu`, `memory`, `machine`, `features`, `firmware`, `clock`. */
  readonly domain: Fields;
  /** `evictionStrategy`, `terminationGracePeriodSeconds`. */
  readonly instance: Fields;
  readonly multiqueue?: boolean;
  /** In the order in which the guest sees them. */
  readonly disks: readonly AdoptedDisk[];
  readonly interfaces: readonly AdoptedInterface[];
  /** Marked as the Machine's after the VirtualMachine itself. */
  readonly children: readonly AdoptedChild[];
}

const domainFields = ['cpu', 'memory', 'machine', 'features', 'firmware', 'clock'] as const;
const instanceFields = ['evictionStrategy', 'terminationGracePeriodSeconds'] as const;
/** They hold what the guest is told, and no data of it. */
const notices = [
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'configMap',
  'secret',
  'serviceAccount',
  'sysprep',
] as const;

/** `snapshotOf` reads what a VirtualMachine has, for a Machine of that name. */
export function snapshotOf(vm: unknown, machine: string): Omit<AdoptedSettings, 'children' | 'template'> {
  const { instancetype, template } = fields(fields(vm)['spec']);
  const spec = fields(fields(template)['spec']);
  const domain = fields(spec['domain']);
  const devices = fields(domain['devices']);
  const networks = new Map(named(spec['networks']));
  return known<Omit<AdoptedSettings, 'children' | 'template'>>({
    instancetype: text(fields(instancetype)['name']),
    domain: picked(domain, domainFields),
    instance: picked(spec, instanceFields),
    multiqueue:
      typeof devices['networkInterfaceMultiqueue'] === 'boolean' ? devices['networkInterfaceMultiqueue'] : undefined,
    disks: disksIn(devices['disks'], spec['volumes'], machine),
    interfaces: named(devices['interfaces']).map(([name, device]) => ({
      name,
      device,
      network: networks.get(name) ?? {},
    })),
  });
}

function disksIn(devices: unknown, volumes: unknown, machine: string): readonly AdoptedDisk[] {
  const shapes = named(devices);
  const sources = new Map(named(volumes));
  const seen = new Set(shapes.map(([name]) => name));
  // KubeVirt adds a device for a volume without one.
  const bare = [...sources.keys()].filter((name) => !seen.has(name)).map((name) => [name, {}] as const);
  return [...shapes, ...bare].flatMap(([name, device]) => {
    const source = sources.get(name) ?? {};
    if (notices.some((kind) => source[kind] !== undefined)) return [];
    const claim = claimOfVolume(source);
    return known<AdoptedDisk>({
      name,
      device,
      volume: claim === undefined ? undefined : source,
      own: claim === diskName(machine, name) ? true : undefined,
    });
  });
}

/** The claim that a volume is; a DataVolume makes a claim of its own name. */
export function claimOfVolume({ persistentVolumeClaim, dataVolume }: Fields): string | undefined {
  return text(fields(persistentVolumeClaim)['claimName']) ?? text(fields(dataVolume)['name']);
}

function named(entries: unknown): readonly (readonly [name: string, rest: Fields])[] {
  return list(entries).flatMap((entry) => {
    const { name, ...rest } = fields(entry);
    return typeof name === 'string' ? [[name, rest] as const] : [];
  });
}

function picked(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** The snapshot that a VirtualMachine bears; undefined where there is none, or somebody broke it. */
export function adoptedSettings(said: Readonly<Record<string, string>> | undefined): AdoptedSettings | undefined {
  const written = said?.[annotations.adopted];
  if (written === undefined) return undefined;
  try {
    const parsed = fields(JSON.parse(written));
    return {
      ...(parsed as Partial<AdoptedSettings>),
      domain: fields(parsed['domain']),
      instance: fields(parsed['instance']),
      disks: list(parsed['disks']) as readonly AdoptedDisk[],
      interfaces: list(parsed['interfaces']) as readonly AdoptedInterface[],
      children: list(parsed['children']) as readonly AdoptedChild[],
    };
  } catch {
    return undefined;
  }
}

/** Whether what the VirtualMachine had stands in the place of the template: until the Machine names another one. */
export function isUnchangedTemplate({ template }: Pick<AdoptedSettings, 'template'>, now: string | undefined): boolean {
  return template === now;
}

type Json = Readonly<Record<string, unknown>>;

/** CPU as it was, with what is stated on top; undefined where neither says anything. */
export function adoptedCpu({ domain }: AdoptedSettings, stated: Json | undefined): Json | undefined {
  return merged(fields(domain['cpu']), stated);
}

/** The same amount written otherwise is no change. */
export function adoptedMemory({ domain }: AdoptedSettings, stated: string | undefined): Json | undefined {
  const had = fields(domain['memory']);
  const isSame = stated !== undefined && sizeInBytes(had['guest'], 0) === sizeInBytes(stated, 0);
  return merged(had, stated === undefined || isSame ? undefined : { guest: stated });
}

/** Board, features, firmware and clock: each stated part on top of what was there. */
export function adoptedDomain({ domain }: AdoptedSettings, stated: Json): Json {
  const { cpu: _cpu, memory: _memory, ...had } = domain;
  const names = [...new Set([...Object.keys(had), ...Object.keys(stated)])];
  return Object.fromEntries(
    names.map((name) => {
      const asked = fields(stated[name]);
      const before = fields(had[name]);
      const both = { ...before, ...asked };
      const bootloader = sameKind(fields(before['bootloader']), fields(asked['bootloader']));
      return [name, bootloader === undefined ? both : { ...both, bootloader }];
    }),
  );
}

/** BIOS and EFI exclude each other; two of one kind are put together. */
function sameKind(before: Fields, asked: Fields): Fields | undefined {
  const [kind] = Object.keys(asked);
  if (kind === undefined || before[kind] === undefined) return undefined;
  return { [kind]: { ...fields(before[kind]), ...fields(asked[kind]) } };
}

function merged(had: Fields, stated: Json | undefined): Json | undefined {
  const both = { ...had, ...stated };
  return Object.keys(both).length === 0 ? undefined : both;
}
