import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microTime, parseMicroTime } from './micro-time.ts';

test('MicroTime: L8: a time has exactly six digits after the point', () => {
  assert.equal(microTime(new Date('2026-11-15T10:20:30.761Z')), '2026-11-15T10:20:30.761000Z');
  assert.equal(microTime(new Date('2026-11-15T10:20:30Z')), '2026-11-15T10:20:30.000000Z');
});

const times: readonly (readonly [text: string | undefined, iso: string | undefined])[] = [
  ['2026-11-15T10:20:30.761234Z', '2026-11-15T10:20:30.761Z'],
  ['2026-11-15T10:20:30Z', '2026-11-15T10:20:30.000Z'],
  ['2026-11-15T10:20:30.5Z', '2026-11-15T10:20:30.500Z'],
  ['2026-11-15T12:20:30.000001+02:00', '2026-11-15T10:20:30.000Z'],
  ['2026-13-15T10:20:30Z', undefined],
  ['yesterday', undefined],
  ['', undefined],
  [undefined, undefined],
];

for (const [text, iso] of times) {
  test(`MicroTime: ${text} is read as ${iso}`, () => assert.equal(parseMicroTime(text)?.toISOString(), iso));
}
