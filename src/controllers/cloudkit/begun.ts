/** How long a version of an order takes, from when it was asked for. */
import type { Memory } from './memory.ts';
import type { Work } from './work.ts';

/** What the times of the API server are cut to. */
const secondMs = 1000;

/** Notes when it is first seen. The first version was asked for when the order was created, which may be before this process began. */
export function secondsSince({ identity, order }: Work, { begun }: Memory, version: string): number {
  const known = begun.get(identity.uid);
  if (known?.version === version) return (Date.now() - known.at) / 1000;
  const now = Date.now();
  const created = Date.parse(order.metadata.creationTimestamp ?? '');
  const isFirst = order.status?.reconciledConfigVersion === undefined;
  const at = isFirst && created < now - secondMs ? created : now;
  begun.set(identity.uid, { version, at });
  return (now - at) / 1000;
}
