/** CPUs: requests, limits, pinning, NUMA, features, realtime. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, notSupported, required, type Cause } from '../cause.ts';
import { claimed, cpuOf, exceeds, isNegative, isPositive, memoryOf, milli, whole, written } from './amounts.ts';

const POLICIES = ['', 'force', 'require', 'optional', 'disable', 'forbid'];

export function cpuCauses(field: string, spec: JsonObject): Cause[] {
  return [
    ...claimCauses(field, spec),
    ...pinningCauses(field, spec),
    ...numaCauses(field, spec),
    ...emulatorThreadCauses(field, spec),
    ...featureCauses(field, spec),
    ...socketCauses(field, spec),
  ];
}

function claimCauses(field: string, spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const [requests, limits] = [`${field}.domain.resources.requests.cpu`, `${field}.domain.resources.limits.cpu`];
  const request = claimed(spec, 'requests', 'cpu');
  const limit = claimed(spec, 'limits', 'cpu');
  if (isNegative(request))
    causes.push(invalid(`${requests} '${written(request)}': must be greater than or equal to 0.`, requests));
  if (isNegative(limit))
    causes.push(invalid(`${limits} '${written(limit)}': must be greater than or equal to 0.`, limits));
  if (isPositive(limit) && exceeds(request, limit))
    causes.push(invalid(`${requests} '${written(request)}' is greater than ${limits} '${written(limit)}'`, requests));
  return causes;
}

/**
 * Returns the number of vCPUs: a part of the topology that is not set counts as one, and if none is set the result is
 * zero.
 */
export function vcpusOf(cpu: JsonObject | undefined): number {
  const parts = ['sockets', 'cores', 'threads'].map((part) => numberAt(cpu, part));
  return parts.every((part) => part === 0) ? 0 : parts.reduce((product, part) => product * (part || 1), 1);
}

function pinningCauses(field: string, spec: JsonObject): Cause[] {
  const cpu = cpuOf(spec);
  if (cpu?.['dedicatedCpuPlacement'] !== true) return [];
  const causes: Cause[] = [];
  const resources = `${field}.domain.resources`;
  const [requests, limits, cores] = [
    `${resources}.requests.cpu`,
    `${resources}.limits.cpu`,
    `${field}.domain.cpu.cores`,
  ];
  const at = `${field}.domain.cpu.dedicatedCpuPlacement`;
  const request = claimed(spec, 'requests', 'cpu');
  const limit = claimed(spec, 'limits', 'cpu');
  const vcpus = BigInt(vcpusOf(cpu));
  if (whole(request) > 0n && whole(request) * 1000n !== milli(request))
    causes.push(invalid('provided resources CPU requests must be an interger', requests));
  if (whole(limit) > 0n && whole(limit) * 1000n !== milli(limit))
    causes.push(invalid('provided resources CPU limits must be an interger', limits));
  causes.push(...memoryClaimCauses(resources, spec));
  if (whole(request) === 0n && whole(limit) === 0n && vcpus === 0n)
    causes.push(
      invalid(`either ${requests} or ${limits} or ${cores} must be provided when DedicatedCPUPlacement is true `, at),
    );
  if (whole(request) > 0n && whole(limit) > 0n && whole(request) !== whole(limit))
    causes.push(invalid(`${requests} or ${limits} must be equal when DedicatedCPUPlacement is true `, at));
  const claims = whole(request) > 0n || whole(limit) > 0n;
  if (claims && vcpus > 0n && whole(request) !== vcpus && whole(limit) !== vcpus)
    causes.push(
      invalid(
        `${requests} or ${limits} must not be provided at the same time with ${cores} when DedicatedCPUPlacement is true `,
        at,
      ),
    );
  causes.push(...threadCauses(field, spec, numberAt(cpu, 'threads')));
  return causes;
}

function memoryClaimCauses(resources: string, spec: JsonObject): Cause[] {
  const request = claimed(spec, 'requests', 'memory');
  const limit = claimed(spec, 'limits', 'memory');
  if (!isPositive(request) || !isPositive(limit) || whole(request) === whole(limit)) return [];
  return [
    invalid(`${resources}.requests.memory must be equal to ${resources}.limits.memory`, `${resources}.requests.memory`),
  ];
}

function threadCauses(field: string, spec: JsonObject, threads: number): Cause[] {
  const at = `${field}.domain.cpu.threads`;
  const causes: Cause[] = [];
  if (threads > 1 && textAt(spec, 'architecture') === 'arm64') {
    const architecture = `${field}.architecture`;
    const text = `threads must not be greater than 1 at ${at} (got ${threads}) when ${architecture} is arm64`;
    causes.push(invalid(text, architecture));
  }
  if (threads > 2) {
    const text = `Not more than two threads must be provided at ${at} (got ${threads}) when DedicatedCPUPlacement is true`;
    causes.push(invalid(text, `${field}.domain.cpu.dedicatedCpuPlacement`));
  }
  return causes;
}

function numaCauses(field: string, spec: JsonObject): Cause[] {
  const cpu = cpuOf(spec);
  if (!isSet(objectAt(cpu, 'numa'), 'guestMappingPassthrough')) return [];
  const at = `${field}.domain.cpu.numa.guestMappingPassthrough`;
  const causes: Cause[] = [];
  if (cpu?.['dedicatedCpuPlacement'] !== true) {
    const text = `${field}.domain.cpu.dedicatedCpuPlacement must be set to true when NUMA topology strategy is set in ${at}`;
    causes.push(invalid(text, at));
  }
  if (!isSet(memoryOf(spec), 'hugepages')) {
    const text = `${field}.domain.memory.hugepages must be requested when NUMA topology strategy is set in ${at}`;
    causes.push(invalid(text, at));
  }
  return causes;
}

function emulatorThreadCauses(field: string, spec: JsonObject): Cause[] {
  const cpu = cpuOf(spec);
  if (cpu?.['isolateEmulatorThread'] !== true || cpu['dedicatedCpuPlacement'] === true) return [];
  const text = 'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement';
  return [invalid(text, `${field}.domain.cpu.isolateEmulatorThread`)];
}

function featureCauses(field: string, spec: JsonObject): Cause[] {
  return listAt(cpuOf(spec), 'features').flatMap((feature, index) => {
    const policy = textAt(feature, 'policy');
    if (POLICIES.includes(policy)) return [];
    const text = `CPU feature ${textAt(feature, 'name')} uses policy ${policy} that is not supported.`;
    return [notSupported(text, `${field}.domain.cpu.features[${index}].policy`)];
  });
}

/** Checked twice for a VM: as a rule of the VMI, and as a rule of live update. */
export function socketCauses(field: string, spec: JsonObject): Cause[] {
  const cpu = cpuOf(spec);
  const most = numberAt(cpu, 'maxSockets');
  if (most === 0 || numberAt(cpu, 'sockets') <= most) return [];
  const text = 'Number of sockets in CPU topology is greater than the maximum sockets allowed';
  return [invalid(text, `${field}.domain.cpu.sockets`)];
}

export function realtimeCauses(field: string, spec: JsonObject): Cause[] {
  const cpu = cpuOf(spec);
  if (!isSet(cpu, 'realtime')) return [];
  const causes: Cause[] = [];
  const [dedicated, realtime] = [`${field}.domain.cpu.dedicatedCpuPlacement`, `${field}.domain.cpu.realtime`];
  const numa = `${field}.domain.cpu.numa.guestMappingPassthrough`;
  if (cpu?.['dedicatedCpuPlacement'] !== true)
    causes.push(required(`${dedicated} must be set to true when ${realtime} is used`, dedicated));
  if (!isSet(objectAt(cpu, 'numa'), 'guestMappingPassthrough'))
    causes.push(required(`${numa} must be defined when ${realtime} is used`, numa));
  return causes;
}
