/** Requests, limits and memory of a domain as quantities. */
import { isObject, type Json, type JsonObject } from '../../../../values/json.ts';
import { objectAt } from '../../../../objects/kinds/values/fields.ts';
import {
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityCeil,
  ZERO_QUANTITY,
  type Quantity,
} from '../../../../objects/schema/quantity.ts';

/** An absent value is zero, as in Go's resource lists. */
export function amountOf(value: Json | undefined): Quantity {
  if (typeof value !== 'string' && typeof value !== 'number') return ZERO_QUANTITY;
  return parseQuantity(String(value)) ?? ZERO_QUANTITY;
}

export type AmountKind = 'requests' | 'limits';
export type ComputeResource = 'cpu' | 'memory';

export function claimed(spec: JsonObject, claim: AmountKind, resource: ComputeResource): Quantity {
  return amountOf(objectAt(objectAt(domainOf(spec), 'resources'), claim)?.[resource]);
}

export const isNegative = (amount: Quantity): boolean => amount.value < 0n;
export const isZero = (amount: Quantity): boolean => amount.value === 0n;
export const isPositive = (amount: Quantity): boolean => amount.value > 0n;
export const exceeds = (amount: Quantity, other: Quantity): boolean => compareQuantity(amount, other) > 0;

/**
 * A quantity with a huge exponent would become a number with billions of digits: beyond this scale, all values are just
 * too large.
 */
const MAX_SCALE = 40;

/** Rounded up to a whole number. */
export const whole = (amount: Quantity): bigint =>
  quantityCeil(amount.scale > MAX_SCALE ? { ...amount, scale: MAX_SCALE } : amount);

export const written = formatQuantity;

/** In thousandths, rounded up. */
export const milli = (amount: Quantity): bigint => whole({ ...amount, scale: amount.scale + 3 });

export function domainOf(spec: JsonObject): JsonObject {
  return objectAt(spec, 'domain') ?? {};
}

export function devicesOf(spec: JsonObject): JsonObject {
  return objectAt(domainOf(spec), 'devices') ?? {};
}

export const cpuOf = (spec: JsonObject): JsonObject | undefined => objectAt(domainOf(spec), 'cpu');
export const memoryOf = (spec: JsonObject): JsonObject | undefined => objectAt(domainOf(spec), 'memory');

/** A state with the field `enabled` is on if it is present and not disabled. */
export function isOn(state: Json | undefined): boolean {
  return isObject(state) && state['enabled'] !== false;
}
