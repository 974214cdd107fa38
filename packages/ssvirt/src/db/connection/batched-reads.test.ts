import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchedReads } from './batched-reads.ts';

const doubled = (keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key + key]));

test('what is asked for in one turn is asked for once, each key once, and each gets its own answer', async () => {
  const questions: (readonly string[])[] = [];
  const find = batchedReads(async (keys) => {
    questions.push(keys);
    return doubled(keys);
  });
  assert.deepEqual(await Promise.all(['a', 'b', 'a', 'nobody'].map((key) => find(key))), ['aa', 'bb', 'aa', undefined]);
  assert.deepEqual(questions, [['a', 'b', 'nobody']]);
});

test('what comes while a question is under way goes with the next, and is asked again', async () => {
  const questions: { keys: readonly string[]; answer: (found: ReadonlyMap<string, string>) => void }[] = [];
  const find = batchedReads<string>((keys) => new Promise((answer) => questions.push({ keys, answer })));
  const before = find('a');
  await new Promise((done) => setImmediate(done));
  const after = [find('a'), find('b')];
  questions[0]?.answer(new Map([['a', 'as it was']]));
  assert.equal(await before, 'as it was');
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(
    questions.map(({ keys }) => keys),
    [['a'], ['a', 'b']],
  );
  questions[1]?.answer(new Map([['a', 'as it is now']]));
  assert.deepEqual(await Promise.all(after), ['as it is now', undefined]);
});

test('a question that gets no answer holds up no other', async () => {
  const answers: ((found: ReadonlyMap<string, string>) => void)[] = [];
  const find = batchedReads<string>(
    (keys) =>
      new Promise((answer) => {
        if (answers.push(answer) > 1) answer(doubled(keys));
      }),
  );
  const stuck = find('a');
  await new Promise((done) => setImmediate(done));
  assert.equal(await find('b'), 'bb');
  answers[0]?.(doubled(['a']));
  assert.equal(await stuck, 'aa');
});

test('where asking fails, all callers get the failure, and the next ask again', async () => {
  let isDown = true;
  const find = batchedReads(async (keys) => {
    if (isDown) throw new Error('away');
    return doubled(keys);
  });
  const outcomes = await Promise.allSettled([find('a'), find('b')]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isDown = false;
  assert.equal(await find('a'), 'aa');
});
