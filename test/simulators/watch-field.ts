/** Collects the values of a field of the objects in a namespace, as a watcher sees them: what repeats is told once. */
import type { Client } from '../../src/kube/client/client.ts';
import { isKind } from '../../src/kube/errors.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { until } from '../runtime/until.ts';

export interface SeenValues {
  /** So far. */
  readonly values: readonly string[];
  /** Ends the watch when this was seen, and gives all. */
  upTo(last: string): Promise<readonly string[]>;
}

/** Resolves when the server has answered: whatever is written from then on is seen. */
export async function watchField<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespace: string,
  fieldOf: (object: T) => string | undefined,
): Promise<SeenValues> {
  const values: string[] = [];
  const end = new AbortController();
  const stream = await client.watch(type, { namespace, signal: end.signal });
  const watching = (async (): Promise<void> => {
    for await (const batch of stream)
      for (const event of batch) {
        const value = event.type === 'ERROR' || event.type === 'BOOKMARK' ? undefined : fieldOf(event.object);
        if (value !== undefined && value !== '' && value !== values.at(-1)) values.push(value);
      }
  })().catch((error: unknown) => {
    // The client was closed: whoever watched has failed before.
    if (!end.signal.aborted && !isKind(error, 'Aborted')) throw error;
  });
  return {
    values,
    async upTo(last) {
      await until(`${last} was seen`, () => values.at(-1) === last);
      end.abort();
      await watching;
      return values;
    },
  };
}
