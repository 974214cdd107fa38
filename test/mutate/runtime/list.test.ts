import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { cases } from '../../runtime/cases/index.ts';
import { points } from '../../runtime/checklist-points.ts';
import { idsIn } from '../../runtime/checklist.ts';
import { plant } from '../defect.ts';
import { defects } from './defects/index.ts';

const root = resolve(import.meta.dirname, '../../..');
const ids = new Set(defects.map(({ id }) => id));

/** The ids of the tests that a file runs, be they in it or in a neighbour; those of sandbox.test.ts stand in its cases. */
function idsOf(file: string): ReadonlySet<string> {
  if (file === 'test/runtime/sandbox.test.ts') return new Set(cases.map(({ id }) => id));
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const neighbours = [...source.matchAll(/from '(\.\/[\w-]+\.ts)'/g)].map(([, name = '']) =>
    readFileSync(join(dirname(path), name), 'utf8'),
  );
  return idsIn([source, ...neighbours].join('\n'));
}

describe('the behaviours of the runtime that are switched off', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.id}: ${defect.name}`, () => {
      const source = readFileSync(join(root, 'src', defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      assert.ok(defect.tests.length > 0);
      for (const file of defect.tests) {
        assert.ok(existsSync(join(root, file)), `there is no ${file}`);
        assert.ok(idsOf(file).has(defect.id), `no test in ${file} has the id ${defect.id}`);
      }
    });
  }

  test('are points of the checklist, each called something else', () => {
    const known = new Set(points.map(({ id }) => id));
    assert.deepEqual(
      [...ids].filter((id) => !known.has(id)),
      [],
    );
    assert.equal(new Set(defects.map(({ id, name }) => `${id}: ${name}`)).size, defects.length);
  });

  test('are of all points that have tests', () => {
    const missing = points.filter(({ id, leftOut }) => leftOut === undefined && !ids.has(id));
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });
});
