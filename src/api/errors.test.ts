import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { errorCodes } from './errors.ts';

test('docs/api-errors.md lists every code with its status, and no other', async () => {
  const page = await readFile(new URL('../../docs/api-errors.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `([A-Z_]+)` *\| (\d{3}) *\| ([^|]+) \| ([^|]+) \|$/gm);
  const listed = [...rows].map(([, code, status]) => [code, Number(status)]);
  assert.deepEqual(Object.fromEntries(listed), errorCodes);
  assert.equal(listed.length, Object.keys(errorCodes).length);
});
