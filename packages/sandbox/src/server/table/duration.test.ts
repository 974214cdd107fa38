import assert from 'node:assert/strict';
import { test } from 'node:test';
import { humanDuration, sinceFrom } from './duration.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

const cases: [milliseconds: number, text: string][] = [
  [-2 * second, '<invalid>'],
  [-1999, '0s'],
  [0, '0s'],
  [119 * second + 999, '119s'],
  [2 * minute, '2m'],
  [2 * minute + second, '2m1s'],
  [10 * minute - second, '9m59s'],
  [10 * minute + 30 * second, '10m'],
  [3 * hour - second, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [48 * hour - second, '47h'],
  [48 * hour, '2d'],
  [49 * hour, '2d1h'],
  [8 * day - hour, '7d23h'],
  [8 * day + 5 * hour, '8d'],
  [730 * day - second, '729d'],
  [730 * day, '2y'],
  [731 * day, '2y1d'],
  [8 * 365 * day - day, '7y364d'],
  [8 * 365 * day + day, '8y'],
];

for (const [milliseconds, text] of cases) {
  test(`${milliseconds} ms are shown as ${text}`, () => assert.equal(humanDuration(milliseconds), text));
}

test('the age of what has no timestamp is unknown', () => {
  const since = sinceFrom(new Date('2026-01-01T00:00:30Z'));
  assert.equal(since(undefined), '<unknown>');
  assert.equal(since('2026-01-01T00:00:00Z'), '30s');
  assert.equal(since('2026-01-01T00:00:00.600000Z'), '29s');
});
