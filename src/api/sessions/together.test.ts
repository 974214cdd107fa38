import assert from 'node:assert/strict';
import { test } from 'node:test';
import { together } from './together.ts';

const doubled = (keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key + key]));

test('what is asked for in one turn is asked for once, each key once, and each gets its own answer', async () => {
  const questions: (readonly string[])[] = [];
  const find = together(async (keys) => {
    questions.push(keys);
    return doubled(keys);
  });
  assert.deepEqual(await Promise.all(['a', 'b', 'a', 'nobody'].map((key) => find(key))), ['aa', 'bb', 'aa', undefined]);
  assert.deepEqual(questions, [['a', 'b', 'nobody']]);
});

test('what is asked for later is asked for anew, though the answer to the first is not there yet', async () => {
  const answers: ((found: ReadonlyMap<string, string>) => void)[] = [];
  const find = together<string>(() => new Promise((answer) => answers.push(answer)));
  const before = find('a');
  await new Promise((done) => setImmediate(done));
  const after = find('a');
  await new Promise((done) => setImmediate(done));
  assert.equal(answers.length, 2);
  answers[1]?.(new Map([['a', 'as it is now']]));
  assert.equal(await after, 'as it is now');
  answers[0]?.(new Map([['a', 'as it was']]));
  assert.equal(await before, 'as it was');
});

test('where asking fails, all who asked are told, and the next ask again', async () => {
  let isDown = true;
  const find = together(async (keys) => {
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
