/** The defaults that KubeVirt fills into a VMI's spec. All functions change the spec that they are given. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../values/json.ts';
import {
  ensureObject,
  isSet,
  listAt,
  numberAt,
  objectAt,
  setDefault,
  textAt,
} from '../../../../objects/kinds/values/fields.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { amountOf, claimed, cpuOf, domainOf, isZero, whole, written } from '../rules/amounts.ts';
import { setDeviceDefaults } from './devices.ts';
import { setFeatureDefaults } from './features.ts';

/** Defaults for the check of a VM's template and for a stored VMI. */
export function setSpecDefaults(spec: JsonObject, config: ClusterConfig): void {
  setBasicDefaults(spec, config);
  setFeatureDefaults(spec);
  setDeviceDefaults(spec);
  setProbes(spec);
  setArchitectureDefaults(spec, config);
}

/** `setBasicDefaults` returns the subset that also appears when a VM is expanded with its instance type and preference. */
export function setBasicDefaults(spec: JsonObject, config: ClusterConfig): void {
  if (textAt(spec, 'architecture') === '') spec['architecture'] = config.defaultArchitecture;
  setMachine(spec, config);
  setRequests(spec);
  setGuestMemory(spec);
  setTopology(spec);
  setPullPolicies(spec);
  setDefault(spec, 'evictionStrategy', config.evictionStrategy);
  setAttachments(spec, config);
}

/**
 * Adds a network and disks if none are named. A separate function, because a preference may decide how they are
 * attached.
 */
export function setAttachments(spec: JsonObject, config: ClusterConfig): void {
  setNetwork(spec, config);
  setVolumeDisks(spec);
}

export function setMachine(spec: JsonObject, config: ClusterConfig, preferred = ''): void {
  const machine = ensureObject(ensureObject(spec, 'domain'), 'machine');
  if (textAt(machine, 'type') === '') machine['type'] = preferred || config.machineType(textAt(spec, 'architecture'));
}

/** A resource with a limit and no request gets the limit as request. */
function setRequests(spec: JsonObject): void {
  const resources = ensureObject(ensureObject(spec, 'domain'), 'resources');
  for (const resource of ['cpu', 'memory'] as const) {
    const limit = claimed(spec, 'limits', resource);
    if (!isZero(limit) && isZero(claimed(spec, 'requests', resource)))
      ensureObject(resources, 'requests')[resource] = written(limit);
  }
}

function setGuestMemory(spec: JsonObject): void {
  const memory = ensureObject(ensureObject(spec, 'domain'), 'memory');
  if (isSet(memory, 'guest')) return;
  const request = claimed(spec, 'requests', 'memory');
  const limit = claimed(spec, 'limits', 'memory');
  const page = amountOf(objectAt(memory, 'hugepages')?.['pageSize']);
  const guest = [request, limit, page].find((amount) => !isZero(amount));
  if (guest !== undefined) memory['guest'] = written(guest);
  // Go always has the struct, but writes it only if it is not empty.
  else if (Object.keys(memory).length === 0) delete domainOf(spec)['memory'];
}

function setTopology(spec: JsonObject): void {
  const cpu = ensureObject(ensureObject(spec, 'domain'), 'cpu');
  if (['cores', 'sockets', 'threads'].some((part) => numberAt(cpu, part) !== 0)) return;
  const limit = claimed(spec, 'limits', 'cpu');
  const claim = isZero(limit) ? claimed(spec, 'requests', 'cpu') : limit;
  Object.assign(cpu, { sockets: isZero(claim) ? 1 : Number(whole(claim)), cores: 1, threads: 1 });
}

function setPullPolicies(spec: JsonObject): void {
  for (const volume of listAt(spec, 'volumes')) {
    const disk = objectAt(volume, 'containerDisk');
    if (disk === undefined || textAt(disk, 'imagePullPolicy') !== '') continue;
    const image = textAt(disk, 'image');
    const floats = image.endsWith(':latest') || !/[:@]/.test(image);
    disk['imagePullPolicy'] = floats ? 'Always' : 'IfNotPresent';
  }
}

function setNetwork(spec: JsonObject, config: ClusterConfig): void {
  const devices = ensureObject(ensureObject(spec, 'domain'), 'devices');
  const attached = devices['autoattachPodInterface'] !== false;
  if (!attached || listAt(spec, 'networks').length > 0 || listAt(devices, 'interfaces').length > 0) return;
  devices['interfaces'] = [{ name: 'default', [config.defaultInterface]: {} }];
  spec['networks'] = [{ name: 'default', pod: {} }];
}

function setVolumeDisks(spec: JsonObject): void {
  const devices = ensureObject(ensureObject(spec, 'domain'), 'devices');
  const used = new Set(
    [...listAt(devices, 'disks'), ...listAt(devices, 'filesystems')].map((device) => textAt(device, 'name')),
  );
  const missing = listAt(spec, 'volumes').filter(
    (volume) => !used.has(textAt(volume, 'name')) && !isSet(volume, 'memoryDump'),
  );
  if (missing.length === 0) return;
  devices['disks'] = [...listAt(devices, 'disks'), ...missing.map((volume) => ({ name: textAt(volume, 'name') }))];
}

const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function setProbes(spec: JsonObject): void {
  for (const name of ['readinessProbe', 'livenessProbe']) {
    const probe = objectAt(spec, name);
    if (probe === undefined) continue;
    for (const [field, value] of Object.entries(PROBE)) if (numberAt(probe, field) === 0) probe[field] = value;
    const get = objectAt(probe, 'httpGet');
    if (get !== undefined && textAt(get, 'path') === '') get['path'] = '/';
    if (get !== undefined && textAt(get, 'scheme') === '') get['scheme'] = 'HTTP';
  }
}

function setArchitectureDefaults(spec: JsonObject, config: ClusterConfig): void {
  const cpu = cpuOf(spec) ?? {};
  const arm = textAt(spec, 'architecture') === 'arm64';
  if (textAt(cpu, 'model') === '') cpu['model'] = config.cpuModel || (arm ? 'host-passthrough' : 'host-model');
  if (!arm) return;
  // Arm has no BIOS, and there is no key for secure boot.
  const bootloader = ensureObject(ensureObject(domainOf(spec), 'firmware'), 'bootloader');
  if (!isSet(bootloader, 'efi') && !isSet(bootloader, 'bios')) bootloader['efi'] = { secureBoot: false };
}

export function setFirmwareUuid(spec: JsonObject): void {
  const firmware = ensureObject(ensureObject(spec, 'domain'), 'firmware');
  if (textAt(firmware, 'uuid') === '') firmware['uuid'] = randomUUID();
}
