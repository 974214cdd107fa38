/**
 * Applies an instance type to the spec of a VMI. A field that both the VM and the instance type set is a conflict and
 * never overwritten.
 */
import { cloneJson, isObject, jsonEqual, type Json, type JsonObject } from '../../../values/json.ts';
import { ensureObject, objectAt } from '../../../objects/kinds/values/fields.ts';
import { parseQuantity, quantityAsFloat } from '../../../objects/schema/quantity.ts';
import { topologyOf } from './topology.ts';

/** `Conflicts` holds the conflicting paths, such as `spec.template.spec.domain.cpu.cores`, in KubeVirt's order. */
export type Conflicts = readonly string[];

const BASE = 'spec.template.spec';

/** `applyInstancetype` changes `spec` and the annotations in place, unless there is a conflict. */
export function applyInstancetype(
  spec: JsonObject,
  annotations: Record<string, string>,
  instancetype: JsonObject,
  preference: JsonObject | undefined,
): Conflicts {
  const domain = ensureObject(spec, 'domain');
  return [
    ...applyCpu(domain, instancetype, preference),
    ...applyMemory(domain, instancetype),
    ...applyWhole(domain, instancetype, ['ioThreadsPolicy', 'ioThreads', 'launchSecurity'], `${BASE}.domain`),
    ...applyDevices(domain, instancetype),
    ...applyWhole(spec, instancetype, ['nodeSelector', 'schedulerName'], BASE),
    ...applyAnnotations(annotations, instancetype),
  ];
}

function applyCpu(domain: JsonObject, instancetype: JsonObject, preference: JsonObject | undefined): string[] {
  const wanted = objectAt(instancetype, 'cpu') ?? {};
  const cpu = ensureObject(domain, 'cpu');
  const conflicts = [
    ...requested(domain, 'cpu'),
    ...['sockets', 'cores', 'threads'].filter((part) => isSet(cpu[part])).map((part) => `${BASE}.domain.cpu.${part}`),
  ];
  const parts = ['model', 'dedicatedCPUPlacement', 'isolateEmulatorThread', 'numa', 'realtime'];
  for (const part of parts) {
    if (wanted[part] === undefined) continue;
    if (isSet(cpu[part])) conflicts.push(`${BASE}.domain.cpu.${part}`);
  }
  if (conflicts.length > 0) return conflicts;
  for (const part of [...parts, 'maxSockets']) copy(wanted, cpu, part);
  const guest = wanted['guest'];
  if (typeof guest === 'number') Object.assign(cpu, topologyOf(guest, preference));
  return [];
}

function applyMemory(domain: JsonObject, instancetype: JsonObject): string[] {
  const wanted = objectAt(instancetype, 'memory') ?? {};
  const memory = ensureObject(domain, 'memory');
  if (memory['guest'] !== undefined) return [`${BASE}.domain.memory.guest`];
  const twice = ['hugepages', 'maxGuest'].find((part) => isSet(memory[part]) && wanted[part] !== undefined);
  if (twice !== undefined) return [`${BASE}.domain.memory.${twice}`];
  const [first] = requested(domain, 'memory');
  if (first !== undefined) return [first];
  for (const part of ['guest', 'hugepages', 'maxGuest']) copy(wanted, memory, part);
  const overcommit = wanted['overcommitPercent'];
  const guest = typeof wanted['guest'] === 'string' ? parseQuantity(wanted['guest']) : undefined;
  if (typeof overcommit === 'number' && overcommit > 0 && guest !== undefined) {
    const requests = ensureObject(ensureObject(domain, 'resources'), 'requests');
    requests['memory'] = String(Math.trunc(quantityAsFloat(guest) * (1 - overcommit / 100)));
  }
  return [];
}

function applyDevices(domain: JsonObject, instancetype: JsonObject): string[] {
  const conflicts: string[] = [];
  for (const part of ['gpus', 'hostDevices']) {
    const wanted = instancetype[part];
    if (!Array.isArray(wanted) || wanted.length === 0) continue;
    const devices = ensureObject(domain, 'devices');
    const present = devices[part];
    if (Array.isArray(present) && present.length > 0) conflicts.push(`${BASE}.domain.devices.${part}`);
    else devices[part] = cloneJson(wanted);
  }
  return conflicts;
}

function applyWhole(target: JsonObject, source: JsonObject, parts: readonly string[], path: string): string[] {
  const conflicts: string[] = [];
  for (const part of parts) {
    if (!isSet(source[part])) continue;
    if (isSet(target[part])) conflicts.push(`${path}.${part}`);
    else copy(source, target, part);
  }
  return conflicts;
}

function applyAnnotations(annotations: Record<string, string>, instancetype: JsonObject): string[] {
  const conflicts: string[] = [];
  for (const [name, value] of Object.entries(objectAt(instancetype, 'annotations') ?? {})) {
    if (typeof value !== 'string') continue;
    if (annotations[name] !== undefined && !jsonEqual(annotations[name], value)) {
      conflicts.push(`annotations.${name}`);
    } else annotations[name] = value;
  }
  return conflicts;
}

function requested(domain: JsonObject, resource: string): string[] {
  const resources = objectAt(domain, 'resources') ?? {};
  return ['requests', 'limits']
    .filter((part) => objectAt(resources, part)?.[resource] !== undefined)
    .map((part) => `${BASE}.domain.resources.${part}.${resource}`);
}

/** Go's zero values count as absent. */
function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return false;
  return !(isObject(value) && Object.keys(value).length === 0);
}

function copy(source: JsonObject, target: JsonObject, part: string): void {
  const value = source[part];
  if (value !== undefined) target[part] = cloneJson(value);
}
