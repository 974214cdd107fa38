/**
 * Makes concurrent identical reads once: each caller gets the answer to a query that was sent after its own request. No
 * read is delayed to collect callers. A caller that comes while the query runs waits for its end and shares the next
 * one.
 */

import { yieldToEventLoop } from '@ssvirt/base/async/yield';

/** A read that gets no answer, such as on a dead connection, delays later callers no longer than this. */
const patienceMs = 20;

export class SharedReads<Value> {
  readonly #next = new Map<string, Promise<Value>>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  /** `key` must cover everything that the answer depends on. */
  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const shared = this.#next.get(key) ?? this.#begin(key, read);
    this.#next.set(key, shared);
    return shared;
  }

  async #begin(key: string, read: () => Promise<Value>): Promise<Value> {
    await (this.#underWay.get(key) ?? yieldToEventLoop());
    this.#next.delete(key);
    const answer = read();
    const over: Promise<void> = settled(answer).then(() => this.#end(key, over));
    this.#underWay.set(key, over);
    return answer;
  }

  #end(key: string, over: Promise<unknown>): void {
    if (this.#underWay.get(key) === over) this.#underWay.delete(key);
  }
}

/** Resolves when the answer has come or failed, and in any case after a while. The error itself goes to the callers. */
function settled(answer: Promise<unknown>): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(done, patienceMs);
    const end = (): void => {
      clearTimeout(late);
      done();
    };
    answer.then(end, end);
  });
}
