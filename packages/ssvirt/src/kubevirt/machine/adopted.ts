/**
 * The settings that a VirtualMachine had when a Machine adopted it. Settings that the Machine does not state stay as
 * they were: the snapshot replaces the template. It is kept in an annotation of the VirtualMachine, so that every later
 * reconcile computes the same desired state, also under another leader or without the annotation on the Machine.
 */
import { fields, known, list, text, type Fields } from '../facts/reading.ts';
import { diskName } from './names.ts';
import { annotations } from './resource.ts';
import { sizeInBytes } from './size.ts';

export interface AdoptedDisk {
  readonly name: string;
  /** An entry of `domain.devices.disks`, without the name; empty if KubeVirt adds the device. */
  readonly device: Fields;
  /** Without the name; absent if the volume is not a claim. */
  readonly volume?: Fields;
  /** Its claim has the name that the Machine's own disk of this name would have. */
  readonly own?: true;
}

export interface AdoptedInterface {
  readonly name: string;
  readonly device: Fields;
  readonly network: Fields;
}

/** `AdoptedChild` is a child of the VirtualMachine that becomes the Machine's: `PersistentVolumeClaim`, `DataVolume` or `Secret`. */
export interface AdoptedChild {
  readonly kind: string;
  readonly name: string;
}

/** `AdoptedSettings` is the snapshot. Absent fields were absent in the VirtualMachine. */
export interface AdoptedSettings {
  /** The Machine's template at that time: a template that is set later takes effect again. */
  readonly template?: string;
  /** Set if the VirtualMachine takes CPU and memory from an instance type. */
  readonly instancetype?: string;
  /** `cpu`, `memory`, `machine`, `features`, `firmware`, `clock`. */
  readonly domain: Fields;
  /** `evictionStrategy`, `terminationGracePeriodSeconds`. */
  readonly instance: Fields;
  readonly multiqueue?: boolean;
  /** In the order in which the guest sees them. */
  readonly disks: readonly AdoptedDisk[];
  readonly interfaces: readonly AdoptedInterface[];
  /** They are labeled as the Machine's after the VirtualMachine itself. */
  readonly children: readonly AdoptedChild[];
}

const domainFields = ['cpu', 'memory', 'machine', 'features', 'firmware', 'clock'] as const;
const instanceFields = ['evictionStrategy', 'terminationGracePeriodSeconds'] as const;
/** Volumes that hand data to the guest and hold no data of the guest's own. */
const notices = [
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'configMap',
  'secret',
  'serviceAccount',
  'sysprep',
] as const;

/** `snapshotOf` reads the settings of a VirtualMachine for a Machine of that name. */
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

/** `claimOfVolume` returns the claim of a volume; a DataVolume creates a claim of its own name. */
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

/**
 * Reads the snapshot from the annotations of a VirtualMachine; undefined if there is none, or if it was edited and
 * cannot be parsed.
 */
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

/** `isUnchangedTemplate` returns whether the snapshot replaces the template, which it does until the Machine names another template. */
export function isUnchangedTemplate({ template }: Pick<AdoptedSettings, 'template'>, now: string | undefined): boolean {
  return template === now;
}

type Json = Readonly<Record<string, unknown>>;

/** `adoptedCpu` returns the CPU of the snapshot, overridden by what the Machine states; undefined if neither states any. */
export function adoptedCpu({ domain }: AdoptedSettings, stated: Json | undefined): Json | undefined {
  return merged(fields(domain['cpu']), stated);
}

/** The same amount in another notation is no change. */
export function adoptedMemory({ domain }: AdoptedSettings, stated: string | undefined): Json | undefined {
  const had = fields(domain['memory']);
  const isSame = stated !== undefined && sizeInBytes(had['guest'], 0) === sizeInBytes(stated, 0);
  return merged(had, stated === undefined || isSame ? undefined : { guest: stated });
}

/** Board, features, firmware and clock: each part that the Machine states is merged over the snapshot. */
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

/** BIOS and EFI exclude each other; two settings of the same kind are merged. */
function sameKind(before: Fields, asked: Fields): Fields | undefined {
  const [kind] = Object.keys(asked);
  if (kind === undefined || before[kind] === undefined) return undefined;
  return { [kind]: { ...fields(before[kind]), ...fields(asked[kind]) } };
}

function merged(had: Fields, stated: Json | undefined): Json | undefined {
  const both = { ...had, ...stated };
  return Object.keys(both).length === 0 ? undefined : both;
}
