import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topics } from './cases/index.ts';
import { readGolden } from './golden.ts';
import { leftOut } from './left-out.ts';
import { rows } from './rows.ts';

const names = Object.values(topics)
  .flat()
  .map(({ name }) => name);

test('every row has a case with its name, or a reason why not', () => {
  const missing = rows.filter(
    (row) => !names.some((name) => name.startsWith(row)) && !leftOut.some((entry) => entry.row === row),
  );
  assert.deepEqual(missing, []);
});

test('what is left out names a row', () => {
  assert.deepEqual(
    leftOut.filter((entry) => !rows.includes(entry.row)),
    [],
  );
});

test('no two cases have one name', () => {
  assert.equal(new Set(names).size, names.length);
});

test('every case has a recording, and every recording a case', async () => {
  for (const [topic, cases] of Object.entries(topics)) {
    const golden = await readGolden(topic);
    assert.deepEqual(Object.keys(golden).toSorted(), cases.map(({ name }) => name).toSorted(), topic);
  }
});
