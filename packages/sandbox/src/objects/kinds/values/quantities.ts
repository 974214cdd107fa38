/** Rules for resource lists: names such as `cpu` or `requests.storage`, and their quantities. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import { isQualifiedName } from '../../schema/names.ts';
import { compareQuantity, parseQuantity, quantityAsInt64, quantityCeil, ZERO_QUANTITY } from '../../schema/quantity.ts';
import type { Quantity } from '../../schema/quantity.ts';
import { NON_NEGATIVE } from '../errors.ts';

const NOT_INTEGER = 'must be an integer';

/** A cache, because the same few amounts are frequent; it is cleared when it is full. */
const known = new Map<string, Quantity>();
const MAX_KNOWN = 4096;

/** `quantity` parses a quantity of a decoded object, which is always valid. */
export function quantity(text = '0'): Quantity {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parsed = parseQuantity(text) ?? ZERO_QUANTITY;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, parsed);
  return parsed;
}
export const compare = (a: string | undefined, b: string | undefined): number =>
  compareQuantity(quantity(a), quantity(b));
export const isNegative = (text: string): boolean => compareQuantity(quantity(text), ZERO_QUANTITY) < 0;
const isWhole = (text: string): boolean => quantityAsInt64(quantity(text)) !== undefined;

const COUNTS = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const QUOTA = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...COUNTS,
]);
const STANDARD = new Set([...QUOTA, 'storage']);
const CONTAINER = new Set(COMPUTE);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');
/** A name without a domain, or with one of Kubernetes' own. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
export const isExtended = (name: string): boolean => {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
};
const isInteger = (name: string): boolean => COUNTS.includes(name) || isExtended(name);
export const isStandardQuota = (name: string): boolean => QUOTA.has(name) || isQuotaHugePages(name);

export function resourceNameErrors(name: string, field: string): FieldError[] {
  const errors = isQualifiedName(name).map((why) => fieldError.invalid(field, name, why));
  if (errors.length > 0) return errors;
  const known = name.includes('/') || STANDARD.has(name) || isQuotaHugePages(name);
  return known ? [] : [fieldError.invalid(field, name, 'must be a standard resource type or fully qualified')];
}

export function containerResourceNameErrors(name: string, field: string): FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (!name.includes('/')) {
    if (!CONTAINER.has(name) && !isHugePages(name)) {
      errors.push(fieldError.invalid(field, name, 'must be a standard resource for containers'));
    }
  } else if (!isNative(name) && !isExtended(name)) {
    errors.push(fieldError.invalid(field, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

export function quotaResourceNameErrors(name: string, field: string): FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (!name.includes('/') && !isStandardQuota(name)) {
    errors.push(fieldError.invalid(field, name, 'must be a standard resource for quota'));
  }
  return errors;
}

export function quantityErrors(name: string, value: string, field: string): FieldError[] {
  const errors = isNegative(value) ? [fieldError.invalid(field, value, NON_NEGATIVE)] : [];
  if (isInteger(name) && !isWhole(value)) errors.push(fieldError.invalid(field, value, NOT_INTEGER));
  return errors;
}

/** Unlike elsewhere, the error shows the value as a number, rounded up. */
export function basicQuantityErrors(value: string, field: string): FieldError[] {
  if (!isNegative(value)) return [];
  return [fieldError.invalid(field, Number(quantityCeil(quantity(value))), 'must be a valid resource quantity')];
}
