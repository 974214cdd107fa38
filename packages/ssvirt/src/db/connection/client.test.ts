import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { timeOf } from './client.ts';

test('a time is read as the driver would read it, whatever its form', () => {
  const parse = pg.types.getTypeParser(1184, 'text') as (text: string) => Date | number;
  const texts = [
    '2026-11-16 11:22:33+00',
    '2026-11-16 11:22:33.1+00',
    '2026-11-16 11:22:33.123+00',
    '2026-11-16 11:22:33.123999+00',
    '2026-11-16 11:22:33.000001+00',
    '1969-12-31 23:59:59.999+00',
    '0099-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999999+00',
    '12026-11-16 11:22:33+00',
    '0044-03-15 12:00:00+00 BC',
    '2026-11-16 11:22:33+02',
    '2026-11-16 11:22:33.5+05:30',
    'infinity',
    '-infinity',
  ];
  for (const text of texts) assert.deepEqual(timeOf(text), parse(text), text);
});
