import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MICRO_TIME, readTime, TIME, TimeError, type TimeLayout } from './go-time.ts';

const read: readonly (readonly [text: string, layout: TimeLayout, time: string | undefined])[] = [
  ['2024-02-29T01:02:03Z', TIME, '2024-02-29T01:02:03Z'],
  ['2023-12-31T01:02:03Z', TIME, '2023-12-31T01:02:03Z'],
  ['2024-02-01T1:00:00Z', TIME, '2024-02-01T01:00:00Z'],
  ['2024-02-01T01:00:00.999999999+02:30', TIME, '2024-01-31T22:30:00Z'],
  ['2024-02-01T01:00:00,5Z', TIME, '2024-02-01T01:00:00Z'],
  ['0001-01-01T00:00:00Z', TIME, undefined],
  ['0000-01-01T00:00:00Z', TIME, '0000-01-01T00:00:00Z'],
  ['2024-02-01T01:00:00.123456Z', MICRO_TIME, '2024-02-01T01:00:00.123456Z'],
  ['2024-04-30T01:00:00.123456-01:00', MICRO_TIME, '2024-04-30T02:00:00.123456Z'],
];

for (const [text, layout, time] of read) {
  test(`${text} is ${time ?? 'no time at all'}`, () => assert.equal(readTime(text, layout), time));
}

const whole = 'as "2006-01-02T15:04:05Z07:00": cannot parse';
const refused: readonly (readonly [text: string, why: string])[] = [
  ['x\u00e9"\\\n', String.raw`parsing time "x\xc3\xa9\"\\\x0a" ${whole} "x\xc3\xa9\"\\\x0a" as "2006"`],
  ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
  ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ['2024-04-31T00:00:00Z', 'parsing time "2024-04-31T00:00:00Z": day out of range'],
  ['2024-01-00T00:00:00Z', 'parsing time "2024-01-00T00:00:00Z": day out of range'],
  ['2024-02-01T24:00:00Z', 'parsing time "2024-02-01T24:00:00Z": hour out of range'],
  ['2024-02-01', `parsing time "2024-02-01" ${whole} "" as "T"`],
  ['2024-02-01T01:00:00', `parsing time "2024-02-01T01:00:00" ${whole} "" as "Z07:00"`],
  ['2024-02-01T01:00:00+25:00', 'parsing time "2024-02-01T01:00:00+25:00": time zone offset hour out of range'],
  ['2024-02-01T01:00:00+24:61', 'parsing time "2024-02-01T01:00:00+24:61": time zone offset minute out of range'],
  ['2024-01-01T00:00:00Z\u00e9', String.raw`parsing time "2024-01-01T00:00:00Z\xc3\xa9": extra text: "\xc3\xa9"`],
];

for (const [text, why] of refused) {
  test(`Go says: ${why}`, () => {
    assert.throws(() => readTime(text, TIME), new TimeError(why));
  });
}
