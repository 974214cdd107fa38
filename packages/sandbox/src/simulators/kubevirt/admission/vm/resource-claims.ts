/** GPUs and host devices, by the name of a device plugin or by a claim of dynamic resource allocation. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, textAt } from '../../../../objects/kinds/values/fields.ts';
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
  const declared = listAt(spec, 'resourceClaims').map((claim) => textAt(claim, 'name'));
  const found = kinds.map((kind) => devicesOfKind(field, spec, kind, featureGates.has(kind.gate)));
  const causes = [
    ...repeated(declared).map(([index, name]) =>
      duplicate(`duplicate resourceClaims name "${name}"`, `${field}.resourceClaims[${index}].name`),
    ),
    ...found.flatMap((one) => one.causes),
  ];
  if (found.every(({ claims }) => claims.every((claim) => declared.includes(claim)))) return causes;
  const text =
    'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices';
  return [...causes, invalid(text, `${field}.resourceClaims`)];
}

interface Found {
  readonly causes: readonly Cause[];
  /** The claims that complete devices use. */
  readonly claims: readonly string[];
}

function devicesOfKind(field: string, spec: JsonObject, kind: Kind, isEnabled: boolean): Found {
  const { list, one, many, neverMixed } = kind;
  const at = `${field}.domain.devices.${list}`;
  const prefix = `vmi.spec.domain.devices.${list} contains`;
  const all = listAt(devicesOf(spec), list);
  const claiming = all.filter(byClaim);
  if (neverMixed && claiming.length > 0 && claiming.length < all.length) {
    const text = `${prefix} both DRA and non-DRA ${many}; each ${one} must be either DRA or non-DRA`;
    return { causes: [invalid(text, at)], claims: [] };
  }
  const causes = all.filter((device) => !byClaim(device)).flatMap((device) => namedCauses(device, at, prefix, kind));
  if (claiming.length === 0) return { causes, claims: [] };
  if (!isEnabled)
    return {
      causes: [...causes, invalid(`${prefix} DRA enabled ${many} but feature gate is not enabled`, at)],
      claims: [],
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
