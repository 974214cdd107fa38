import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations, type Written } from './history.ts';

const w = (writer: string, epoch: number, counter: number): Written => ({ writer, epoch, counter });

const rows: readonly { reason: string; history: readonly Written[]; expected: readonly RegExp[] }[] = [
  { reason: 'one leader after another', history: [w('a', 1, 1), w('a', 1, 2), w('b', 2, 3)], expected: [] },
  {
    reason: 'an older leader comes back',
    history: [w('a', 1, 1), w('b', 2, 2), w('a', 1, 3)],
    expected: [/epoch 1 after 2/],
  },
  { reason: 'two leaders of one epoch', history: [w('a', 1, 1), w('b', 1, 2)], expected: [/shares its epoch/] },
  { reason: 'a lost update', history: [w('a', 1, 1), w('a', 1, 2), w('a', 1, 2)], expected: [/counter 2 after 2/] },
  { reason: 'no history', history: [], expected: [] },
];

for (const { reason, history, expected } of rows) {
  test(`the checker of the history: ${reason}`, () => {
    const found = violations(history);
    assert.equal(found.length, expected.length, found.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern);
  });
}
