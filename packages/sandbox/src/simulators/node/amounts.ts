/** Amounts of resources as the scheduler counts them, by name: CPU in cores, all others in units. */
import { quantityAsFloat, parseQuantity } from '../../objects/schema/quantity.ts';
import type { JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Pod } from '../kubevirt/objects.ts';

export type NodeAmounts = Readonly<Record<string, number>>;

/** Launchers request the same few sizes over and over. */
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

export function amountsOf(list: JsonObject | undefined): NodeAmounts {
  const amounts: Record<string, number> = {};
  for (const [name, quantity] of Object.entries(list ?? {})) amounts[name] = amountOf(quantity);
  return amounts;
}

export function plus(a: NodeAmounts, b: NodeAmounts, times = 1): NodeAmounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + times * amount;
  return sum;
}

function most(a: NodeAmounts, b: NodeAmounts): NodeAmounts {
  const larger: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) larger[name] = Math.max(larger[name] ?? 0, amount);
  return larger;
}

/**
 * The requests of a pod: the sum of its containers and sidecars, or the largest init container with the sidecars that
 * start before it, whichever is more; and one pod slot.
 */
export function requestsOf(pod: Pod): NodeAmounts {
  const requests = (container: JsonObject): NodeAmounts =>
    amountsOf(objectAt(objectAt(container, 'resources'), 'requests'));
  let sidecars: NodeAmounts = {};
  let peak: NodeAmounts = {};
  for (const container of listAt(pod.spec, 'initContainers')) {
    const own = requests(container);
    if (textAt(container, 'restartPolicy') === 'Always') sidecars = plus(sidecars, own);
    else peak = most(peak, plus(sidecars, own));
  }
  const together = listAt(pod.spec, 'containers').reduce<NodeAmounts>(
    (sum, container) => plus(sum, requests(container)),
    sidecars,
  );
  const overhead = amountsOf(objectAt(pod.spec, 'overhead'));
  return plus(plus(most(together, peak), overhead), { pods: 1 });
}
