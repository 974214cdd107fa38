/** Amounts of resources as the scheduler counts them: cpu in cores, everything else in units, by name. */
import { quantityAsFloat, parseQuantity } from '../../schema/quantity.ts';
import type { JsonObject } from '../../json.ts';
import { listAt, objectAt, textAt } from '../../kinds/fields.ts';
import type { Pod } from '../kubevirt/objects.ts';

export type Amounts = Readonly<Record<string, number>>;

/** Launchers ask for the same few sizes again and again. */
const known = new Map<string, number>();
const MOST_KNOWN = 4096;

export function amountOf(quantity: unknown): number {
  const text = typeof quantity === 'number' ? String(quantity) : quantity;
  if (typeof text !== 'string') return 0;
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const parsed = parseQuantity(text);
  const amount = parsed === undefined ? 0 : quantityAsFloat(parsed);
  if (known.size < MOST_KNOWN) known.set(text, amount);
  return amount;
}

export function amountsOf(list: JsonObject | undefined): Amounts {
  const amounts: Record<string, number> = {};
  for (const [name, quantity] of Object.entries(list ?? {})) amounts[name] = amountOf(quantity);
  return amounts;
}

export function plus(a: Amounts, b: Amounts, times = 1): Amounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + times * amount;
  return sum;
}

function most(a: Amounts, b: Amounts): Amounts {
  const larger: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) larger[name] = Math.max(larger[name] ?? 0, amount);
  return larger;
}

/**
 * What a pod asks of its node: its containers and sidecars together, or the hungriest init container with the sidecars that run before it, whatever
 * is more; and the pod's own place.
 */
export function requestsOf(pod: Pod): Amounts {
  const requests = (container: JsonObject): Amounts =>
    amountsOf(objectAt(objectAt(container, 'resources'), 'requests'));
  let sidecars: Amounts = {};
  let peak: Amounts = {};
  for (const container of listAt(pod.spec, 'initContainers')) {
    const own = requests(container);
    if (textAt(container, 'restartPolicy') === 'Always') sidecars = plus(sidecars, own);
    else peak = most(peak, plus(sidecars, own));
  }
  const together = listAt(pod.spec, 'containers').reduce<Amounts>(
    (sum, container) => plus(sum, requests(container)),
    sidecars,
  );
  const overhead = amountsOf(objectAt(pod.spec, 'overhead'));
  return plus(plus(most(together, peak), overhead), { pods: 1 });
}
