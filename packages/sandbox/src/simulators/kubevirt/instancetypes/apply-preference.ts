/** Applies a preference to the spec of a VMI: it fills what the VM leaves open, and overwrites nothing. */
import { cloneJson, isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { ensureObject, listAt, objectAt } from '../../../objects/kinds/values/fields.ts';

/** `applyPreference` changes `spec` and the annotations in place. */
export function applyPreference(spec: JsonObject, annotations: Record<string, string>, preference: JsonObject): void {
  const domain = ensureObject(spec, 'domain');
  applyCpuFeatures(domain, objectAt(preference, 'cpu') ?? {});
  if (isObject(preference['devices'])) applyDevices(spec, domain, preference['devices']);
  if (isObject(preference['features'])) applyFeatures(domain, preference['features']);
  if (isObject(preference['firmware'])) applyFirmware(domain, preference['firmware']);
  applyMachine(domain, objectAt(preference, 'machine') ?? {});
  applyClock(domain, objectAt(preference, 'clock') ?? {});
  fill(spec, 'subdomain', preference['preferredSubdomain']);
  fill(spec, 'terminationGracePeriodSeconds', preference['preferredTerminationGracePeriodSeconds']);
  for (const [name, value] of Object.entries(objectAt(preference, 'annotations') ?? {})) {
    if (annotations[name] === undefined && typeof value === 'string') annotations[name] = value;
  }
}

function applyCpuFeatures(domain: JsonObject, cpu: JsonObject): void {
  const wanted = cpu['preferredCPUFeatures'];
  if (!Array.isArray(wanted) || wanted.length === 0) return;
  const target = ensureObject(domain, 'cpu');
  const present = Array.isArray(target['features']) ? target['features'] : [];
  const names = new Set(present.map((feature) => (isObject(feature) ? feature['name'] : undefined)));
  const missing = wanted.filter((feature) => isObject(feature) && !names.has(feature['name']));
  target['features'] = [...present, ...missing.map((feature) => cloneJson(feature))];
}

/** Pairs of a preference's field and the field of the VMI's devices that it fills. */
const deviceFields: readonly (readonly [string, string])[] = [
  ['preferredUseVirtioTransitional', 'useVirtioTransitional'],
  ['preferredBlockMultiQueue', 'blockMultiQueue'],
  ['preferredNetworkInterfaceMultiQueue', 'networkInterfaceMultiqueue'],
  ['preferredDisableHotplug', 'disableHotplug'],
  ['preferredRng', 'rng'],
  ['preferredTPM', 'tpm'],
  ['preferredAutoattachGraphicsDevice', 'autoattachGraphicsDevice'],
  ['preferredAutoattachMemBalloon', 'autoattachMemBalloon'],
  ['preferredAutoattachPodInterface', 'autoattachPodInterface'],
  ['preferredAutoattachSerialConsole', 'autoattachSerialConsole'],
  ['preferredAutoattachInputDevice', 'autoattachInputDevice'],
];

function applyDevices(spec: JsonObject, domain: JsonObject, wanted: JsonObject): void {
  const devices = ensureObject(domain, 'devices');
  for (const [from, to] of deviceFields) fill(devices, to, wanted[from]);
  if (isObject(devices['sound'])) fill(devices['sound'], 'model', wanted['preferredSoundModel']);
  for (const disk of listAt(devices, 'disks')) applyDisk(disk, wanted);
  for (const one of listAt(devices, 'interfaces')) applyInterface(spec, one, wanted);
  for (const input of listAt(devices, 'inputs')) {
    fill(input, 'bus', wanted['preferredInputBus']);
    fill(input, 'type', wanted['preferredInputType']);
  }
  const panic = wanted['preferredPanicDeviceModel'];
  if (panic === undefined) return;
  const present = listAt(devices, 'panicDevices');
  if (present.length === 0) devices['panicDevices'] = [{ model: cloneJson(panic) }];
  for (const device of present) fill(device, 'model', panic);
}

function applyDisk(disk: JsonObject, wanted: JsonObject): void {
  if (disk['disk'] === undefined && disk['cdrom'] === undefined && disk['lun'] === undefined) disk['disk'] = {};
  if (isObject(disk['disk'])) {
    fill(disk['disk'], 'bus', wanted['preferredDiskBus']);
    fill(disk, 'blockSize', wanted['preferredDiskBlockSize']);
    fill(disk, 'cache', wanted['preferredDiskCache']);
    fill(disk, 'io', wanted['preferredDiskIO']);
    const isVirtio = disk['disk']['bus'] === 'virtio';
    if (isVirtio) fill(disk, 'dedicatedIOThread', wanted['preferredDiskDedicatedIoThread']);
  } else if (isObject(disk['cdrom'])) fill(disk['cdrom'], 'bus', wanted['preferredCdromBus']);
  else if (isObject(disk['lun'])) fill(disk['lun'], 'bus', wanted['preferredLunBus']);
}

const bindings = ['bridge', 'slirp', 'masquerade', 'sriov', 'macvtap', 'passt', 'passtBinding', 'binding'];

function applyInterface(spec: JsonObject, one: JsonObject, wanted: JsonObject): void {
  fill(one, 'model', wanted['preferredInterfaceModel']);
  const network = listAt(spec, 'networks').find(({ name }) => name === one['name']);
  const isUnbound = bindings.every((binding) => one[binding] === undefined);
  if (isUnbound && network?.['pod'] !== undefined) fill(one, 'masquerade', wanted['preferredInterfaceMasquerade']);
}

function applyFeatures(domain: JsonObject, wanted: JsonObject): void {
  const features = ensureObject(domain, 'features');
  // ACPI has no unset state in KubeVirt's types, so a preference for it always wins.
  if (wanted['preferredAcpi'] !== undefined) features['acpi'] = cloneJson(wanted['preferredAcpi']);
  fill(features, 'apic', wanted['preferredApic']);
  const passthrough = objectAt(features, 'hypervPassthrough') ?? {};
  if (isObject(wanted['preferredHyperv']) && passthrough['enabled'] !== true) {
    const hyperv = ensureObject(features, 'hyperv');
    for (const [name, value] of Object.entries(wanted['preferredHyperv'])) fill(hyperv, name, value);
  }
  fill(features, 'kvm', wanted['preferredKvm']);
  fill(features, 'pvspinlock', wanted['preferredPvspinlock']);
  fill(features, 'smm', wanted['preferredSmm']);
}

function applyFirmware(domain: JsonObject, wanted: JsonObject): void {
  const loader = ensureObject(ensureObject(domain, 'firmware'), 'bootloader');
  const isOpen = (): boolean => loader['bios'] === undefined && loader['efi'] === undefined;
  if (wanted['preferredUseBios'] === true && isOpen()) loader['bios'] = {};
  if (isObject(loader['bios'])) fill(loader['bios'], 'useSerial', wanted['preferredUseBiosSerial']);
  if (isOpen() && wanted['preferredEfi'] !== undefined) {
    loader['efi'] = cloneJson(wanted['preferredEfi']);
    return;
  }
  if (wanted['preferredUseEfi'] === true && isOpen()) loader['efi'] = {};
  if (isObject(loader['efi'])) fill(loader['efi'], 'secureBoot', wanted['preferredUseSecureBoot']);
}

function applyMachine(domain: JsonObject, wanted: JsonObject): void {
  const preferred = wanted['preferredMachineType'];
  if (preferred === undefined || preferred === '') return;
  fill(ensureObject(domain, 'machine'), 'type', preferred);
}

function applyClock(domain: JsonObject, wanted: JsonObject): void {
  if (Object.keys(wanted).length === 0) return;
  const clock = ensureObject(domain, 'clock');
  if (clock['utc'] === undefined && clock['timezone'] === undefined && isObject(wanted['preferredClockOffset'])) {
    Object.assign(clock, cloneJson(wanted['preferredClockOffset']));
  }
  fill(clock, 'timer', wanted['preferredTimer']);
}

function fill(target: JsonObject, name: string, value: Json | undefined): void {
  if (value === undefined || value === '') return;
  const present = target[name];
  if (present === undefined || present === '') target[name] = cloneJson(value);
}
