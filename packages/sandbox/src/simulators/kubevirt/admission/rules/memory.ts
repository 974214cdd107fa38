/** Memory: requests, limits, huge pages and what the launcher pod gets beyond the guest. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { parseQuantity } from '../../../../objects/schema/quantity.ts';
import { invalid, required, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { amountOf, claimed, exceeds, isNegative, isPositive, isZero, memoryOf, whole, written } from './amounts.ts';

const LEAST = amountOf('1M');

export function memoryCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  return [
    ...requestCauses(field, spec),
    ...limitCauses(field, spec),
    ...hugepageCauses(field, spec),
    ...guestCauses(field, spec, config),
  ];
}

function requestCauses(field: string, spec: JsonObject): Cause[] {
  const at = `${field}.domain.resources.requests.memory`;
  const request = claimed(spec, 'requests', 'memory');
  if (isNegative(request)) return [invalid(`${at} '${written(request)}': must be greater than or equal to 0.`, at)];
  if (isPositive(request) && exceeds(LEAST, request))
    return [invalid(`${at} '${written(request)}': must be greater than or equal to 1M.`, at)];
  return [];
}

function limitCauses(field: string, spec: JsonObject): Cause[] {
  const at = `${field}.domain.resources.limits.memory`;
  const requests = `${field}.domain.resources.requests.memory`;
  const limit = claimed(spec, 'limits', 'memory');
  const request = claimed(spec, 'requests', 'memory');
  if (isNegative(limit)) return [invalid(`${at} '${written(limit)}': must be greater than or equal to 0.`, at)];
  if (isPositive(limit) && exceeds(request, limit))
    return [invalid(`${requests} '${written(request)}' is greater than ${at} '${written(limit)}'`, requests)];
  return [];
}

function hugepageCauses(field: string, spec: JsonObject): Cause[] {
  const memory = memoryOf(spec);
  const hugepages = objectAt(memory, 'hugepages');
  if (hugepages === undefined) return [];
  const at = `${field}.domain.memory.hugepages.pageSize`;
  const requests = `${field}.domain.resources.requests.memory`;
  const size = textAt(hugepages, 'pageSize');
  const page = parseQuantity(size);
  if (page === undefined) {
    const why = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    return [invalid(`${at} '${size}': ${why}`, at)];
  }
  const request = claimed(spec, 'requests', 'memory');
  const backed = whole(isZero(request) ? amountOf(memory?.['guest']) : request);
  if (backed < whole(page)) {
    const text = `${requests} '${written(request)}' must be equal to or larger than page size ${at} '${size}'`;
    return [invalid(text, requests)];
  }
  if (isZero(page) || backed % whole(page) === 0n) return [];
  return [invalid(`${requests} '${written(request)}' is not a multiple of the page size ${at} '${size}'`, requests)];
}

/** With live update, the guest may outgrow its limit later in any case. */
function guestCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const memory = memoryOf(spec);
  const limit = claimed(spec, 'limits', 'memory');
  if (config.liveUpdate || !isSet(memory, 'guest') || isZero(limit)) return [];
  const guest = amountOf(memory?.['guest']);
  if (!exceeds(guest, limit)) return [];
  const at = `${field}.domain.memory.guest`;
  const limits = `${field}.domain.resources.limits.memory`;
  const text = `${at} '${written(guest)}' must be equal to or less than the memory limit ${limits} '${written(limit)}'`;
  return [invalid(text, at)];
}

export function reservedOverheadCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  if (!isSet(memoryOf(spec), 'reservedOverhead') || config.featureGates.has('ReservedOverheadMemlock')) return [];
  const text = 'Reserved overhead memlock feature gate is not enabled in kubevirt-config';
  return [invalid(text, `${field}.domain.memory.reservedOverhead`)];
}

/** Checked for a VMI only: a VM may get its memory from an instance type. */
export function mandatoryMemoryCauses(field: string, spec: JsonObject): Cause[] {
  const memory = memoryOf(spec);
  if (!isZero(claimed(spec, 'requests', 'memory')) || isSet(memory, 'guest') || isSet(memory, 'hugepages')) return [];
  const places = ['memory.guest', 'memory.hugepages.pageSize', 'resources.requests.memory'];
  const [guest, hugepages, requests] = places.map((place) => `'${field}.domain.${place}'`);
  return [required(`no memory requested, at least one of ${guest}, ${hugepages} or ${requests} must be set`)];
}
