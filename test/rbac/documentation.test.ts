/** The documented rights are the granted ones, and nothing grants more than its words say. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { page, pageFile } from '../../deploy/rights/generate.ts';
import { starred } from './granted.ts';

const files = globSync('*.yaml', { cwd: join(import.meta.dirname, '../../deploy/rbac') });

/** The formatter pads tables. */
const plain = (text: string): string =>
  text.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ').replaceAll(/-{3,}/g, '---');

test('docs/provider/rights.md has every rule of deploy/rbac', () => {
  assert.equal(plain(readFileSync(pageFile, 'utf8')), plain(page()), 'run make docs');
});

test('every file of deploy/rbac is on the page, and none grants anything by a star', () => {
  assert.equal(files.length, 8);
  for (const file of files) assert.ok(page().includes(`deploy/rbac/${file}`), file);
  assert.deepEqual(starred(...files), []);
});
