/** Requests, limits and memory of a domain as quantities. */
import { isObject, type Json, type JsonObject } from '../../../../json.ts';
import { objectAt } from '../../../../kinds/fields.ts';
import {
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityCeil,
  ZERO_QUANTITY,
  type Quantity,
} from '../../../../schema/quantity.ts';

/** Zero where it is absent, as Go's resource lists answer. */
export function amountOf(value: Json | undefined): Quantity {
  if (typeof value !== 'string' && typeof value !== 'number') return ZERO_QUANTITY;
  return parseQuantity(String(value)) ?? ZERO_QUANTITY;
}

export type Claim = 'requests' | 'limits';
export type Resource = 'cpu' | 'memory';

export function claimed(spec: JsonObject, claim: Claim, resource: Resource): Quantity {
  return amountOf(objectAt(objectAt(domainOf(spec), 'resources'), claim)?.[resource]);
}

export const isNegative = (amount: Quantity): boolean => amount.value < 0n;
export const isZero = (amount: Quantity): boolean => amount.value === 0n;
export const isPositive = (amount: Quantity): boolean => amount.value > 0n;
export const exceeds = (amount: Quantity, other: Quantity): boolean => compareQuantity(amount, other) > 0;

/** An exponent of billions must not make a number of billions of digits: beyond this all are just too many. */
const MAX_SCALE = 40;

/** The whole number that is not smaller. */
export const whole = (amount: Quantity): bigint =>
  quantityCeil(amount.scale > MAX_SCALE ? { ...amount, scale: MAX_SCALE } : amount);

export const written = formatQuantity;

/** Thousandths, rounded up. */
export const milli = (amount: Quantity): bigint => whole({ ...amount, scale: amount.scale + 3 });

export function domainOf(spec: JsonObject): JsonObject {
  return objectAt(spec, 'domain') ?? {};
}

export function devicesOf(spec: JsonObject): JsonObject {
  return objectAt(domainOf(spec), 'devices') ?? {};
}

export const cpuOf = (spec: JsonObject): JsonObject | undefined => objectAt(domainOf(spec), 'cpu');
export const memoryOf = (spec: JsonObject): JsonObject | undefined => objectAt(domainOf(spec), 'memory');

/** A state with `enabled`: on where it is there and not switched off. */
export function isOn(state: Json | undefined): boolean {
  return isObject(state) && state['enabled'] !== false;
}
