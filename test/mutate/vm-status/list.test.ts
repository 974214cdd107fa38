import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { plant } from '../defect.ts';
import { defects } from './defects/index.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the behaviours of the vm-controller that are switched off', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.file}: ${defect.name}`, () => {
      const source = readFileSync(join(root, 'src', defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      assert.ok(existsSync(join(root, defect.noticedBy.file)), `there is no ${defect.noticedBy.file}`);
    });
  }

  test('are at least 50, in every part, each called something else', () => {
    assert.ok(defects.length >= 50);
    const missing = [
      'virt/facts/',
      'virt/status/',
      'db/observations/',
      'db/migrations/',
      'controllers/vm-status/',
      'kube/cache/ledger',
    ].filter((part) => !defects.some(({ file }) => file.startsWith(part)));
    assert.deepEqual(missing, []);
    assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length);
  });
});
