/**
 * What is asked for in one turn of the event loop, in one question: under load several requests are read from their connections before any is answered, and
 * a statement for all of them costs hardly more than one for the first. Nobody waits for others to come.
 */

/** The answers by their keys; a key without an answer is absent. */
export type AskForAll<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

export function together<Value>(ask: AskForAll<Value>): (key: string) => Promise<Value | undefined> {
  let asked: { readonly keys: Set<string>; readonly answers: Promise<ReadonlyMap<string, Value>> } | undefined;
  const begin = (): NonNullable<typeof asked> => {
    const keys = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, Value>>();
    // Behind what has come in, and before the next is waited for.
    setImmediate(() => {
      asked = undefined;
      resolve(ask([...keys]));
    });
    return { keys, answers: promise };
  };
  return async (key) => {
    asked ??= begin();
    asked.keys.add(key);
    return (await asked.answers).get(key);
  };
}
