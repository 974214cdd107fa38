/** Lists of resource quantities (Go's ResourceList), with the arithmetic of quotas and limits. */
import type { JsonObject } from '../../../values/json.ts';
import { quantity } from '../../../objects/kinds/values/quantities.ts';
import { textMapAt } from '../../../objects/kinds/values/fields.ts';
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  quantityOfInt,
  subQuantity,
  ZERO_QUANTITY,
} from '../../../objects/schema/quantity.ts';
import type { Quantity } from '../../../objects/schema/quantity.ts';

export type Amounts = ReadonlyMap<string, Quantity>;

export const ONE: Quantity = quantityOfInt(1n);
export const NONE: Quantity = quantityOfInt(0n);

export function amountsAt(parent: JsonObject | undefined, key: string): Map<string, Quantity> {
  return new Map(Object.entries(textMapAt(parent, key)).map(([name, text]) => [name, quantity(text)]));
}

export function amountsJson(amounts: Amounts): { [name: string]: string } {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** `accumulate` adds `more` to `sum`, in place. */
export function accumulate(sum: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) {
    const had = sum.get(name);
    sum.set(name, had === undefined ? amount : addQuantity(had, amount));
  }
}

/** `raise` raises `high` to at least `other`, in place. */
export function raise(high: Map<string, Quantity>, other: Amounts): void {
  for (const [name, amount] of other) {
    const had = high.get(name);
    if (had === undefined || compareQuantity(amount, had) > 0) high.set(name, amount);
  }
}

export function plus(a: Amounts, b: Amounts): Map<string, Quantity> {
  const sum = new Map(a);
  accumulate(sum, b);
  return sum;
}

/** `a` − `b`, with negative results replaced by zero. */
export function growth(a: Amounts, b: Amounts): Map<string, Quantity> {
  const rest = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const other = b.get(name);
    const left = other === undefined ? amount : subQuantity(amount, other);
    rest.set(name, compareQuantity(left, ZERO_QUANTITY) < 0 ? ZERO_QUANTITY : left);
  }
  return rest;
}

export function only(amounts: Amounts, wanted: (name: string, amount: Quantity) => boolean): Map<string, Quantity> {
  return new Map([...amounts].filter(([name, amount]) => wanted(name, amount)));
}

export const isZero = (amount: Quantity): boolean => amount.value === 0n;

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, amount]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantity(amount, other) === 0;
  });
}

/** `cpu=1,pods=2`, sorted by name. */
export function printAmounts(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(',');
}
