import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { plant } from '../defect.ts';
import { hasTest } from '../test-names.ts';
import { defects } from './defects/index.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the mistakes that are planted in the API server', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.file}: ${defect.name}`, () => {
      const source = readFileSync(join(root, 'src', defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      const { file, test: name, control, writtenIn = file } = defect.noticedBy;
      const tests = [file, writtenIn].map((one) => readFileSync(join(root, one), 'utf8')).join('\n');
      for (const one of [name, control]) assert.ok(hasTest(tests, one), `there is no test "${one}" in ${file}`);
      assert.notEqual(name, control);
    });
  }

  test('are at least 140, in every part, each called something else', () => {
    assert.ok(defects.length >= 140);
    const missing = [
      'api/access/',
      'api/audit/',
      'api/catalogs/',
      'api/catalog-items/',
      'api/console/',
      'api/events/',
      'api/http/',
      'api/instantiation/',
      'api/query/',
      'api/sessions/',
      'api/tokens/',
      'api/users/',
      'api/vapps/',
      'api/vdcs/',
      'api/vms/',
      'controllers/catalog/',
      'controllers/tenancy/machines/',
      'controllers/tenancy/sweep/',
      'controllers/tenancy/vapps/',
      'db/console-tickets',
      'db/lists/',
      'db/reconciliations',
      'db/vapp-',
      'db/vm-',
      'processes/',
      'virt/catalog/',
      'virt/machine/',
      'virt/power/',
      'virt/vdc/',
    ].filter((part) => !defects.some(({ file }) => file.startsWith(part)));
    assert.deepEqual(missing, []);
    assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length);
  });
});
