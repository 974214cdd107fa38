/**
 * Collects the values of a field of the objects in a namespace, as a watcher sees them. Consecutive equal values count
 * once.
 */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isKind } from '../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { until } from '../runtime/until.ts';

export interface SeenValues {
  /** The values so far. */
  readonly values: readonly string[];
  /** Ends the watch after this value, and returns all values. */
  upTo(last: string): Promise<readonly string[]>;
}

/** Resolves when the server has answered: every later write is seen. */
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
    // The client was closed, so the watcher has already failed.
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
