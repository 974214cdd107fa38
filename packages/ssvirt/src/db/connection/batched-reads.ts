/**
 * Batched reads: concurrent requests become one query, because under load one statement for all costs hardly more than
 * one for the first. No request is delayed to collect others. When no query is running, the next one is sent after all
 * pending input was read; while one is running, new requests go into the next. So batches grow with the load.
 */

/** The answers by key. A key without an answer is absent. */
export type ReadBatch<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * After this time a batch is sent in any case, so that a query without an answer, such as on a dead connection, does
 * not block the others.
 */
const patienceMs = 20;

class Question<Value> {
  readonly keys = new Set<string>();
  readonly answers = Promise.withResolvers<ReadonlyMap<string, Value>>();
  isAsked = false;
  patience: NodeJS.Timeout | undefined;
}

export function batchedReads<Value>(ask: ReadBatch<Value>): (key: string) => Promise<Value | undefined> {
  let next: Question<Value> | undefined;
  let underWay = 0;
  const send = (question: Question<Value>): void => {
    if (question.isAsked) return;
    question.isAsked = true;
    clearTimeout(question.patience);
    if (next === question) next = undefined;
    underWay += 1;
    question.answers.resolve(ask([...question.keys]));
    const answered = (): void => {
      underWay -= 1;
      // Together with the requests that arrived along with the answer.
      if (next !== undefined) setImmediate(send, next);
    };
    question.answers.promise.then(answered, answered);
  };
  const begin = (): Question<Value> => {
    const question = new Question<Value>();
    // After the input that has already arrived, and before waiting for more.
    if (underWay === 0) setImmediate(send, question);
    else question.patience = setTimeout(send, patienceMs, question);
    return question;
  };
  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.answers.promise).get(key);
  };
}
