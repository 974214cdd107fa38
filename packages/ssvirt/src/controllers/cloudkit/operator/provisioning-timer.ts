/** Measures how long a version of an order takes, from its request on. */
import type { Memory } from './memory.ts';
import type { OrderWork } from '../work.ts';

/** The API server truncates times to seconds. */
const secondMs = 1000;

/**
 * Records when a version is first seen. The first version was requested when the order was created, possibly before
 * this process started.
 */
export function secondsSince({ identity, order }: OrderWork, { provisionTimers }: Memory, version: string): number {
  const known = provisionTimers.get(identity.uid);
  if (known?.version === version) return (Date.now() - known.at) / 1000;
  const now = Date.now();
  const created = Date.parse(order.metadata.creationTimestamp ?? '');
  const isFirst = order.status?.reconciledConfigVersion === undefined;
  const at = isFirst && created < now - secondMs ? created : now;
  provisionTimers.set(identity.uid, { version, at });
  return (now - at) / 1000;
}
