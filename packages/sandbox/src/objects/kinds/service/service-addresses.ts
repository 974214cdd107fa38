/** Validates the address and IP family fields of a Service: allowed combinations and changes. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { textAt, textsAt } from '../values/fields.ts';
import { isIPv6, validIP } from '../values/ip.ts';
import { isHeadless, needsClusterIP } from './service-traits.ts';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const UNCHANGEABLE = 'may not change once set';

export function clusterIPErrors(spec: JsonObject): FieldError[] {
  if (textAt(spec, 'type') === 'ExternalName') return [];
  const addresses = textsAt(spec, 'clusterIPs');
  const families = textsAt(spec, 'ipFamilies');
  const errors = [...singularErrors(spec, addresses), ...familyErrors(spec, families)];
  const faults = addresses.flatMap((address, i) => {
    if (i > 0 || address !== 'None') return validIP(address, `spec.clusterIPs[${i}]`);
    return addresses.length > 1
      ? [fieldError.invalid('spec.clusterIPs', addresses, "'None' must be the first and only value")]
      : [];
  });
  errors.push(...faults);
  if (addresses.length > 2)
    errors.push(fieldError.invalid('spec.clusterIPs', addresses, 'may only hold up to 2 values'));
  if (faults.length > 0) return errors;
  if (addresses.length > 1 && new Set(addresses.map(isIPv6)).size < 2) {
    const why = 'may specify no more than one IP for each IP family';
    errors.push(fieldError.invalid('spec.clusterIPs', addresses, why));
  }
  return [...errors, ...matchErrors(addresses, families)];
}

function singularErrors(spec: JsonObject, addresses: string[]): FieldError[] {
  const single = textAt(spec, 'clusterIP');
  const wrong = (why: string): FieldError[] => [fieldError.invalid('spec.clusterIPs', addresses, why)];
  if (single === '') return addresses.length === 0 ? [] : wrong('must be empty when `clusterIP` is not specified');
  if (addresses.length === 0) return [fieldError.required('spec.clusterIPs', '')];
  return addresses[0] === single ? [] : wrong('first value must match `clusterIP`');
}

function familyErrors(spec: JsonObject, families: string[]): FieldError[] {
  const errors: FieldError[] = [];
  families.forEach((family, i) => {
    const field = `spec.ipFamilies[${i}]`;
    if (!FAMILIES.includes(family)) errors.push(fieldError.notSupported(field, family, FAMILIES));
    if (families.indexOf(family) < i) errors.push(fieldError.duplicate(field, family));
  });
  const policy = textAt(spec, 'ipFamilyPolicy');
  if (policy !== '' && !POLICIES.includes(policy)) {
    errors.push(fieldError.notSupported('spec.ipFamilyPolicy', policy, POLICIES));
  }
  return errors;
}

function matchErrors(addresses: string[], families: string[]): FieldError[] {
  return addresses.flatMap((address, i) => {
    const family = families[i];
    if (family === undefined || address === 'None' || isIPv6(address) === (family === 'IPv6')) return [];
    const why = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    return [fieldError.invalid(`spec.clusterIPs[${i}]`, address, why)];
  });
}

export function addressUpdateErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  if (!needsClusterIP(spec) || !needsClusterIP(old) || (isHeadless(spec) && isHeadless(old))) return [];
  const sameKind = isHeadless(spec) === isHeadless(old);
  return [
    ...changeErrors(spec, old, 'clusterIPs', 'clusterIP', (i) => i),
    ...(sameKind ? changeErrors(spec, old, 'ipFamilies', 'ipFamily', () => 0) : []),
  ];
}

/** A secondary value may be added, or released with `SingleStack`; the primary one must not change. */
function changeErrors(
  spec: JsonObject,
  old: JsonObject,
  key: string,
  one: string,
  index: (i: number) => number,
): FieldError[] {
  const values = textsAt(spec, key);
  const before = textsAt(old, key);
  const field = (i: number): string => `spec.${key}[${i}]`;
  if (values.length === before.length) {
    return before.flatMap((value, i) =>
      value === values[i] ? [] : [fieldError.invalid(field(index(i)), values, UNCHANGEABLE)],
    );
  }
  const errors: FieldError[] = [];
  if (values.length === 0) errors.push(fieldError.invalid(field(0), values, `primary ${one} can not be unset`));
  if (before.length > 0 && values.length > 0 && values[0] !== before[0]) {
    errors.push(fieldError.invalid(field(0), values, UNCHANGEABLE));
  }
  const policy = textAt(spec, 'ipFamilyPolicy');
  if (values.length === 1 && before.length > 1 && policy !== 'SingleStack') {
    const why = `must be set to 'SingleStack' when releasing the secondary ${one}`;
    errors.push(fieldError.invalid('spec.ipFamilyPolicy', policy, why));
  }
  return errors;
}
