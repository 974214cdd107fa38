import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { plant } from '../defect.ts';
import { hasTest } from '../test-names.ts';
import { defects } from './defects/index.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the mistakes that are planted in the cloudkit-operator', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.file}: ${defect.name}`, () => {
      const source = readFileSync(join(root, 'src', defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      const { file, test: name, control } = defect.noticedBy;
      const tests = readFileSync(join(root, file), 'utf8');
      for (const one of [name, control]) assert.ok(hasTest(tests, one), `there is no test "${one}" in ${file}`);
      assert.notEqual(name, control);
    });
  }

  test('are at least 50, in both parts, each called something else', () => {
    assert.ok(defects.length >= 50);
    const missing = ['controllers/cloudkit/', 'virt/order/'].filter(
      (part) => defects.filter(({ file }) => file.startsWith(part)).length < 10,
    );
    assert.deepEqual(missing, []);
    assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length);
  });
});
