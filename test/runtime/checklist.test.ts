import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { complaints, points } from './checklist-points.ts';
import { idsIn, page, render, withoutTest } from './checklist.ts';

test('every point of the checklist has a test that bears its id, or a reason', () => {
  assert.deepEqual(
    withoutTest().map(({ id }) => id),
    [],
  );
});

test('the page of the checklist is up to date', () => {
  const text = readFileSync(join(resolve(import.meta.dirname, '../..'), page), 'utf8');
  assert.equal(text, render(), 'run bin/node test/runtime/checklist.ts --write');
});

test('an id is found at the start of a name only', () => {
  const source = "test('F4: a', f); test('F5, F6: b', f); test('c about F7', f); { id: 'MicroTime', name: 'd' }";
  const ids = idsIn(source);
  assert.deepEqual(
    ['F4', 'F5', 'F6', 'F7', 'MicroTime'].map((id) => ids.has(id)),
    [true, true, true, false, true],
  );
});

test('no id occurs twice', () => {
  const ids = [...points, ...complaints].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});
