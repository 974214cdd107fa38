/** The page of metrics agrees with the registries; metrics.suite.ts checks the registries of the running processes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page, pageFile } from '../../deploy/metrics/generate.ts';

test('docs/metrics.md is what the registries say (write it with make docs)', async () => {
  assert.equal(readFileSync(pageFile, 'utf8'), await page());
});
