import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedReads } from './shared-reads.ts';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('who asks for the same at the same time shares one read, and who asks for something else does not', async () => {
  const reads = new SharedReads<string>();
  const made: string[] = [];
  const ask = (key: string): Promise<string> =>
    reads.read(key, async () => {
      made.push(key);
      return `${key}${made.length}`;
    });
  assert.deepEqual(await Promise.all([ask('a'), ask('b'), ask('a')]), ['a1', 'b2', 'a1']);
  assert.deepEqual(made, ['a', 'b']);
  assert.equal(await ask('a'), 'a3');
});

test('who comes while it is read gets what is read afterwards', async () => {
  const reads = new SharedReads<string>();
  const answers: ((answer: string) => void)[] = [];
  const ask = (): Promise<string> => reads.read('a', () => new Promise((answer) => answers.push(answer)));
  const before = ask();
  await turn();
  const after = [ask(), ask()];
  answers[0]?.('as it was');
  assert.equal(await before, 'as it was');
  await turn();
  answers[1]?.('as it is now');
  assert.deepEqual(await Promise.all(after), ['as it is now', 'as it is now']);
  assert.equal(answers.length, 2);
});

test('a read that is not answered holds up no other', async () => {
  const reads = new SharedReads<string>();
  const { promise: stuck, resolve: end } = Promise.withResolvers<string>();
  const first = reads.read('a', () => stuck);
  await turn();
  assert.equal(await reads.read('a', async () => 'quick'), 'quick');
  end('late');
  assert.equal(await first, 'late');
});

test('where it fails all who share it get the failure, and the next read again', async () => {
  const reads = new SharedReads<string>();
  const fail = async (): Promise<string> => {
    throw new Error('away');
  };
  const outcomes = await Promise.allSettled([reads.read('a', fail), reads.read('a', fail)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await reads.read('a', async () => 'back'), 'back');
});
