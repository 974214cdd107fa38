/** Checks whether a VM satisfies the requirements of its preference. */
import { isObject, type JsonObject } from '../../../values/json.ts';
import { isSet, numberAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { preferredTopology, spreadOptions } from '../instancetypes/topology.ts';
import { invalid, notFound, type Cause } from './cause.ts';
import { amountOf, cpuOf, exceeds, memoryOf, written } from './rules/amounts.ts';

const DOMAIN = 'spec.template.spec.domain';

interface Shortage {
  readonly message: string;
  readonly fields: readonly string[];
}

/** @param spec The spec of the VMI with all defaults, instance type and preference applied. */
export function requirementCauses(
  instancetype: JsonObject | undefined,
  preference: JsonObject | undefined,
  spec: JsonObject,
): Cause[] {
  const requirements = objectAt(preference, 'requirements');
  if (requirements === undefined) return [];
  const shortage =
    cpuShortage(requirements, instancetype, preference, spec) ??
    memoryShortage(requirements, instancetype, spec) ??
    architectureShortage(requirements, spec);
  if (shortage === undefined) return [];
  return [notFound(`failure checking preference requirements: ${shortage.message}`, shortage.fields.join(', '))];
}

function cpuShortage(
  requirements: JsonObject,
  instancetype: JsonObject | undefined,
  preference: JsonObject | undefined,
  spec: JsonObject,
): Shortage | undefined {
  const needed = numberAt(objectAt(requirements, 'cpu'), 'guest');
  if (!isSet(requirements, 'cpu')) return undefined;
  if (instancetype !== undefined) {
    const given = numberAt(objectAt(instancetype, 'cpu'), 'guest');
    if (given >= needed) return undefined;
    const message = `insufficient CPU resources of ${given} vCPU provided by instance type, preference requires ${needed} vCPU`;
    return { message, fields: ['spec.instancetype'] };
  }
  const { parts, called } = countedParts(preference);
  const cpu = cpuOf(spec);
  const given = parts.reduce((product, part) => product * numberAt(cpu, part), 1);
  if (given >= needed) return undefined;
  const message = `insufficient CPU resources of ${given} vCPU provided by VirtualMachine, preference requires ${needed} vCPU provided as ${called}`;
  return { message, fields: parts.map((part) => `${DOMAIN}.cpu.${part}`) };
}

/** The parts of the CPU topology that a preference counts. */
function countedParts(preference: JsonObject | undefined): {
  readonly parts: readonly string[];
  readonly called: string;
} {
  const topology = preferredTopology(preference);
  if (topology === 'any') return { parts: ['cores', 'sockets', 'threads'], called: 'cores, sockets and threads' };
  if (topology !== 'spread') return { parts: [topology], called: topology };
  const { across } = spreadOptions(preference);
  const parts = { SocketsCores: ['sockets', 'cores'], CoresThreads: ['cores', 'threads'] }[across];
  return { parts: parts ?? ['sockets', 'cores', 'threads'], called: across };
}

function memoryShortage(
  requirements: JsonObject,
  instancetype: JsonObject | undefined,
  spec: JsonObject,
): Shortage | undefined {
  const memory = objectAt(requirements, 'memory');
  if (!isObject(memory)) return undefined;
  const needed = amountOf(memory['guest']);
  const giver = instancetype === undefined ? 'VirtualMachine' : 'instance type';
  const given = amountOf((instancetype === undefined ? memoryOf(spec) : objectAt(instancetype, 'memory'))?.['guest']);
  if (!exceeds(needed, given)) return undefined;
  const message = `insufficient Memory resources of ${written(given)} provided by ${giver}, preference requires ${written(needed)}`;
  return { message, fields: [instancetype === undefined ? `${DOMAIN}.memory` : 'spec.instancetype'] };
}

function architectureShortage(requirements: JsonObject, spec: JsonObject): Shortage | undefined {
  const needed = textAt(requirements, 'architecture');
  const given = textAt(spec, 'architecture');
  if (needed === '' || needed === given) return undefined;
  const message = `preference requires architecture ${needed} but ${given} is being requested`;
  return { message, fields: ['spec.template.spec.architecture'] };
}

/** `spreadCauses` returns a cause if the vCPUs cannot be spread evenly. */
export function spreadCauses(instancetype: JsonObject | undefined, preference: JsonObject | undefined): Cause[] {
  if (instancetype === undefined || preferredTopology(preference) !== 'spread') return [];
  const { ratio, across } = spreadOptions(preference);
  const vcpus = numberAt(objectAt(instancetype, 'cpu'), 'guest');
  const at = 'instancetype.spec.cpu.guest';
  const said = `${vcpus} vCPUs provided by the instance type are not divisible by the`;
  const option = 'Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio of';
  if (across === 'SocketsCores' && vcpus % ratio > 0)
    return [invalid(`${said} ${option} ${ratio} provided by the preference`, at)];
  if (across === 'CoresThreads' && vcpus % ratio > 0)
    return [invalid(`${said} number of threads per core ${ratio}`, at)];
  if (across === 'SocketsCoresThreads' && (vcpus % 2 > 0 || (vcpus / 2) % ratio > 0))
    return [invalid(`${said} number of threads per core 2 and ${option} ${ratio}`, at)];
  return [];
}
