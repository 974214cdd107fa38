/** Collects the values of a field of the objects in a namespace, as a watcher sees them: what repeats is told once. */
import type { Client } from '../../src/kube/client/client.ts';
import { isKind } from '../../src/kube/errors.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { until } from '../runtime/until.ts';

/** From now on; what it answers with ends that, when `last` was seen. */
export function watchField<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespace: string,
  fieldOf: (object: T) => string | undefined,
): (last: string) => Promise<readonly string[]> {
  const values: string[] = [];
  const end = new AbortController();
  const watching = (async (): Promise<void> => {
    const stream = await client.watch(type, { namespace, signal: end.signal });
    for await (const batch of stream)
      for (const event of batch) {
        const value = event.type === 'ERROR' || event.type === 'BOOKMARK' ? undefined : fieldOf(event.object);
        if (value !== undefined && value !== '' && value !== values.at(-1)) values.push(value);
      }
  })().catch((error: unknown) => {
    // The client was closed: whoever watched has failed before.
    if (!end.signal.aborted && !isKind(error, 'Aborted')) throw error;
  });
  return async (last) => {
    await until(`${last} was seen`, () => values.at(-1) === last);
    end.abort();
    await watching;
    return values;
  };
}
