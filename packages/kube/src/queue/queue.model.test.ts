/**
 * The queue against a model that is too slow to be wrong: one list of waiting keys, searched for every operation. With
 * one share the model determines the next key; with several, the possible next keys.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FakeClock } from '../fake-clock.ts';
import { Queue } from './queue.ts';

interface Pending {
  readonly key: string;
  due: number;
  priority: number;
  /** When it became ready, or when its priority rose; undefined while delayed. */
  order: number | undefined;
}

class Model {
  readonly pending = new Map<string, Pending>();
  readonly working = new Set<string>();
  /** Dropped keys in progress, which no longer count toward the workers. */
  readonly dismissed = new Set<string>();
  readonly failures = new Map<string, number>();
  #order = 0;

  add(key: string, now: number, priority: number, delay: number): void {
    const pending = this.pending.get(key);
    const due = now + delay;
    if (pending === undefined) {
      this.pending.set(key, { key, due, priority, order: delay === 0 ? this.#order++ : undefined });
      return;
    }
    const rises = priority > pending.priority;
    pending.priority = Math.max(priority, pending.priority);
    if (pending.order !== undefined) {
      if (rises) pending.order = this.#order++;
    } else {
      pending.due = Math.min(pending.due, due);
      if (pending.due <= now) pending.order = this.#order++;
    }
  }

  fail(key: string): number {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    return Math.min(5 * 2 ** failures, 1_000_000);
  }

  pass(now: number): void {
    const due = [...this.pending.values()].filter((pending) => pending.order === undefined && pending.due <= now);
    for (const pending of due.sort((a, b) => a.due - b.due)) pending.order = this.#order++;
  }

  /** Ready keys that are not in progress, next first. */
  ready(): readonly Pending[] {
    return [...this.pending.values()]
      .filter((pending) => pending.order !== undefined && !this.working.has(pending.key))
      .sort((a, b) => b.priority - a.priority || (a.order ?? 0) - (b.order ?? 0));
  }

  /** The next key of each share that has a free worker. */
  candidates(workers: number): readonly string[] {
    const firsts = new Map<string, string>();
    for (const { key } of this.ready()) if (!firsts.has(shareOf(key))) firsts.set(shareOf(key), key);
    const busy = (share: string): number =>
      [...this.working].filter((key) => shareOf(key) === share && !this.dismissed.has(key)).length;
    return [...firsts].filter(([share]) => busy(share) < workers).map(([, key]) => key);
  }
}

const shareOf = (key: string): string => key.slice(0, 1);

function scripts(shares: readonly string[]): fc.Arbitrary<readonly Step[]> {
  const key = fc.tuple(fc.constantFrom(...shares), fc.integer({ min: 0, max: 4 })).map(([share, n]) => `${share}${n}`);
  return fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          key,
          priority: fc.constantFrom(-100, 0, 0, 5),
          afterMs: fc.constantFrom(0, 0, 3, 10, 40),
          rateLimited: fc.boolean(),
        }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), which: fc.nat(), forget: fc.boolean() }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(1, 5, 12, 80) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), key }) },
    ),
    { maxLength: 80, size: 'max' },
  );
}

type Step =
  | {
      readonly do: 'add';
      readonly key: string;
      readonly priority: number;
      readonly afterMs: number;
      readonly rateLimited: boolean;
    }
  | { readonly do: 'take' }
  | { readonly do: 'done'; readonly which: number; readonly forget: boolean }
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'drop'; readonly key: string };

async function play(script: readonly Step[], workers: number): Promise<void> {
  const clock = new FakeClock();
  const queue = new Queue<string>({
    name: 'test',
    keyOf: (key) => key,
    shareOf,
    workers,
    retry: { random: () => 0 },
    clock,
  });
  const model = new Model();
  for (const step of script) {
    if (step.do === 'add') {
      const { key, priority, afterMs, rateLimited } = step;
      const penalty = rateLimited ? model.fail(key) : Infinity;
      model.add(key, clock.now(), priority, afterMs > 0 || !rateLimited ? Math.min(afterMs, penalty) : penalty);
      queue.add(key, { priority, afterMs, rateLimited });
    } else if (step.do === 'take') {
      const stop = new AbortController();
      const next = queue.next(stop.signal);
      stop.abort();
      const taken = await next;
      const candidates = model.candidates(workers);
      if (taken === undefined) {
        assert.deepEqual(candidates, []);
      } else {
        assert.ok(candidates.includes(taken.item), `${taken.item} is not among ${candidates.join()}`);
        assert.equal(taken.priority, model.pending.get(taken.item)?.priority);
        model.pending.delete(taken.item);
        model.working.add(taken.item);
      }
    } else if (step.do === 'done') {
      const key = [...model.working][step.which % Math.max(1, model.working.size)];
      if (key === undefined) continue;
      if (step.forget) {
        queue.forget(key);
        model.failures.delete(key);
      }
      queue.done(key);
      model.working.delete(key);
      model.dismissed.delete(key);
    } else if (step.do === 'wait') {
      await clock.advance(step.milliseconds);
      model.pass(clock.now());
    } else {
      queue.drop((key) => key === step.key);
      // The queue forgets a key that neither waits nor is in progress, and its failures too.
      if (model.pending.delete(step.key) || model.working.has(step.key)) model.failures.delete(step.key);
      if (model.working.has(step.key)) model.dismissed.add(step.key);
    }
    assert.equal(queue.size, model.pending.size);
    assert.equal(queue.working, model.working.size);
  }
}

test('Q1, Q2, Q4, Q5: random adds, takes, ends and waits of one share agree with the model key by key', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(['a']), (script) => play(script, 3)),
    { numRuns: 200 },
  );
});

test('Q1, Q2, C6: random adds, takes, ends and waits of several shares give out only what may be next', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(['a', 'b', 'c']), (script) => play(script, 2)),
    { numRuns: 200 },
  );
});
