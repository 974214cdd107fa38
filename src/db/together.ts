/**
 * What several ask for at the same time, in one question: under load a statement for all of them costs hardly more than one for the first. Nobody waits for
 * others to come. Where no question is under way, it is asked when all that has come in is read; where one is, what comes meanwhile goes with the next,
 * so that the questions are as large as the load makes them.
 */

/** The answers by their keys; a key without an answer is absent. */
export type AskForAll<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** Who has waited so long asks in any case: a question that is not answered, as by a connection that is dead, holds up nobody else. */
const patienceMs = 20;

class Question<Value> {
  readonly keys = new Set<string>();
  readonly answers = Promise.withResolvers<ReadonlyMap<string, Value>>();
  isAsked = false;
  patience: NodeJS.Timeout | undefined;
}

export function together<Value>(ask: AskForAll<Value>): (key: string) => Promise<Value | undefined> {
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
      // With what has come in beside the answer.
      if (next !== undefined) setImmediate(send, next);
    };
    question.answers.promise.then(answered, answered);
  };
  const begin = (): Question<Value> => {
    const question = new Question<Value>();
    // Behind what has come in, and before the next is waited for.
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
