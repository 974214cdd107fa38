/**
 * The same read, asked for by several at the same time, is made once: each gets the answer to a question that was sent after its own request came. Nobody waits
 * for others to come; who comes while the question is under way waits for its end, and shares the next.
 */

/** A read that is not answered, as by a connection that is dead, holds up nobody for longer. */
const patienceMs = 20;

export class SharedReads<Value> {
  readonly #next = new Map<string, Promise<Value>>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  /** `key` says all that the answer depends on. */
  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const shared = this.#next.get(key) ?? this.#begin(key, read);
    this.#next.set(key, shared);
    return shared;
  }

  async #begin(key: string, read: () => Promise<Value>): Promise<Value> {
    await (this.#underWay.get(key) ?? new Promise((turn) => setImmediate(turn)));
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

/** When it is there, or has failed, which is told to who asked; in any case after a while. */
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
