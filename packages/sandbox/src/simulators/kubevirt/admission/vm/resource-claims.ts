/** GPUs and host devices, by the name of a device plugin or by a claim of dynamic resource allocation. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { goQuote } from '../../../../objects/schema/go/go-text.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../../objects/schema/names.ts';
import { duplicate, invalid, required, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { devicesOf } from '../rules/amounts.ts';

interface Kind {
  readonly list: 'gpus' | 'hostDevices';
  /** In messages. */
  readonly one: string;
  readonly many: string;
  readonly gate: string;
  /** A node cannot serve both kinds of GPUs. */
  readonly neverMixed: boolean;
}

const kinds: readonly Kind[] = [
  { list: 'gpus', one: 'GPU', many: 'GPUs', gate: 'GPUsWithDRA', neverMixed: true },
  { list: 'hostDevices', one: 'HostDevice', many: 'HostDevices', gate: 'HostDevicesWithDRA', neverMixed: false },
];

export function resourceClaimCauses(field: string, spec: JsonObject, { featureGates }: ClusterConfig): Cause[] {
  const declaredClaims = listAt(spec, 'resourceClaims');
  const declared = declaredClaims.map((claim) => textAt(claim, 'name'));
  const found = kinds.map((kind) => devicesOfKind(field, spec, kind, featureGates.has(kind.gate)));
  const causes = [
    ...declaredClaims.flatMap((claim, index) =>
      declarationCauses(`${field}.resourceClaims[${index}]`, claim, declared.slice(0, index)),
    ),
    ...found.flatMap((one) => one.causes),
    ...sharedCauses(field, found),
  ];
  if (found.every(({ claims }) => claims.every((claim) => declared.includes(claim)))) return causes;
  const text =
    'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices';
  return [...causes, invalid(text, `${field}.resourceClaims`)];
}

/** @param before The names of the entries before this one. */
function declarationCauses(at: string, claim: JsonObject, before: readonly string[]): Cause[] {
  const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter((source) => isSet(claim, source));
  const causes = claimNameCauses(`${at}.name`, textAt(claim, 'name'), before);
  if (sources.length > 1)
    causes.push(invalid('at most one of resourceClaimName or resourceClaimTemplateName may be specified', at));
  if (sources.length === 0)
    causes.push(invalid('must specify one of: resourceClaimName, resourceClaimTemplateName', at));
  const faults = sources.flatMap((source) =>
    isDNS1123Subdomain(textAt(claim, source)).map((fault) => invalid(fault, `${at}.${source}`)),
  );
  return [...causes, ...faults];
}

function claimNameCauses(at: string, name: string, before: readonly string[]): Cause[] {
  if (name === '') return [required(`${at} is a required field`, at)];
  if (before.includes(name)) return [duplicate(`duplicate resourceClaims name ${goQuote(name)}`, at)];
  const faults = isDNS1123Label(name);
  if (faults.length === 0) return [];
  return [invalid(`${at} does not conform to the kubernetes DNS_LABEL rules: ${faults.join(', ')}`, at)];
}

/** A request of a claim gives one device, so a GPU and a host device cannot share it. */
function sharedCauses(field: string, [gpus, hostDevices]: readonly Found[]): Cause[] {
  return [...(hostDevices?.pairs ?? [])].flatMap(([pair, index]) => {
    const gpu = gpus?.pairs.get(pair);
    if (gpu === undefined) return [];
    const text = `duplicate claimName/requestName pair ${goQuote(pair)} between GPUs[${gpu}] and HostDevices[${index}]`;
    return [duplicate(text, `${field}.domain.devices.hostDevices[${index}]`)];
  });
}

interface Found {
  readonly causes: readonly Cause[];
  /** The claims that complete devices use. */
  readonly claims: readonly string[];
  /** The first device that uses each request of a claim. */
  readonly pairs: ReadonlyMap<string, number>;
}

const nothing = { claims: [], pairs: new Map<string, number>() };

function devicesOfKind(field: string, spec: JsonObject, kind: Kind, isEnabled: boolean): Found {
  const { list, one, many, neverMixed } = kind;
  const at = `${field}.domain.devices.${list}`;
  const prefix = `vmi.spec.domain.devices.${list} contains`;
  const all = listAt(devicesOf(spec), list);
  const claiming = all.filter(byClaim);
  if (neverMixed && claiming.length > 0 && claiming.length < all.length) {
    const text = `${prefix} both DRA and non-DRA ${many}; each ${one} must be either DRA or non-DRA`;
    return { ...nothing, causes: [invalid(text, at)] };
  }
  const causes = all.filter((device) => !byClaim(device)).flatMap((device) => namedCauses(device, at, prefix, kind));
  if (claiming.length === 0) return { ...nothing, causes };
  if (!isEnabled)
    return {
      ...nothing,
      causes: [...causes, invalid(`${prefix} DRA enabled ${many} but feature gate is not enabled`, at)],
    };
  const incomplete = all.flatMap((device, index) =>
    ['claimName', 'requestName']
      .filter((key) => byClaim(device) && textAt(device, key) === '')
      .map((key) => required(`${key} is required for DRA ${one}`, `${at}[${index}].${key}`)),
  );
  const pairs = all.map((device) =>
    isComplete(device) ? `${textAt(device, 'claimName')}/${textAt(device, 'requestName')}` : '',
  );
  const twice = repeated(pairs).map(([index, pair]) =>
    duplicate(`duplicate claimName/requestName pair "${pair}"`, `${at}[${index}]`),
  );
  return {
    causes: [...causes, ...incomplete, ...twice],
    claims: all.filter(isComplete).map((device) => textAt(device, 'claimName')),
    pairs: new Map(
      pairs
        .map((pair, index) => [pair, index] as const)
        .filter(([pair]) => pair !== '')
        .toReversed(),
    ),
  };
}

/** A device that names a device plugin's resource, or nothing. */
function namedCauses(device: JsonObject, at: string, prefix: string, { one, many }: Kind): Cause[] {
  if (textAt(device, 'deviceName') === '')
    return [
      required(
        `${prefix} ${many} without deviceName or claimRequest; each ${one} must specify either a deviceName or a claimRequest`,
        at,
      ),
    ];
  return hasClaim(device) ? [invalid(`${prefix} ${many} with both deviceName and claimRequest`, at)] : [];
}

/** Go reads the two fields into one struct, which exists if either is set. */
const hasClaim = (device: JsonObject): boolean => isSet(device, 'claimName') || isSet(device, 'requestName');
const byClaim = (device: JsonObject): boolean => textAt(device, 'deviceName') === '' && hasClaim(device);
const isComplete = (device: JsonObject): boolean =>
  byClaim(device) && textAt(device, 'claimName') !== '' && textAt(device, 'requestName') !== '';

/** The entries that are there before, with their index; empty ones do not count. */
function repeated(values: readonly string[]): (readonly [number, string])[] {
  return values.flatMap((value, index) =>
    value !== '' && values.indexOf(value) < index ? [[index, value] as const] : [],
  );
}
