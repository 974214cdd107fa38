/** The individual rules of a LimitRange. Each returns its error in Kubernetes' words. */
import { formatQuantity, quantityCeil, ZERO_QUANTITY, type Quantity } from '../../objects/schema/quantity.ts';
import type { Amounts } from './quota/amounts.ts';

const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

const milli = (quantity: Quantity): bigint => quantityCeil({ ...quantity, scale: quantity.scale + 3 });

/** In thousandths; when one of the values in thousandths exceeds 64 bits, in units rounded up. */
function comparable(...quantities: Quantity[]): bigint[] {
  const units = quantities.map(quantityCeil);
  return units.every((value) => value <= MAX_MILLI) ? quantities.map(milli) : units;
}

export function atLeast(
  type: string,
  name: string,
  bound: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const request = requests.get(name);
  const limit = limits.get(name);
  const [asked = 0n, limited = 0n, least = 0n] = comparable(request ?? ZERO_QUANTITY, limit ?? ZERO_QUANTITY, bound);
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (asked < least) return `${rule}, but request is ${formatQuantity(request)}`;
  return limit !== undefined && limited < least ? `${rule}, but limit is ${formatQuantity(limit)}` : undefined;
}

export function atMost(
  type: string,
  name: string,
  bound: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const request = requests.get(name);
  const limit = limits.get(name);
  const [asked = 0n, limited = 0n, most = 0n] = comparable(request ?? ZERO_QUANTITY, limit ?? ZERO_QUANTITY, bound);
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (limited > most) return `${rule}, but limit is ${formatQuantity(limit)}`;
  return request !== undefined && asked > most ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
}

/** For claims, which have no limits. */
export function requestAtMost(type: string, name: string, bound: Quantity, requests: Amounts): string | undefined {
  const request = requests.get(name);
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  const [asked = 0n, most = 0n] = comparable(request, bound);
  return asked > most ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
}

export function withinRatio(
  type: string,
  name: string,
  bound: Quantity,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const [asked = 0n, limited = 0n] = comparable(
    requests.get(name) ?? ZERO_QUANTITY,
    limits.get(name) ?? ZERO_QUANTITY,
    bound,
  );
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (asked === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limited === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(asked);
  const most = Number(milli(bound)) / 1000;
  return ratio > most ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
