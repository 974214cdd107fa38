/** The page of metrics is what the registries say; that these are those of the running processes is seen in metrics.suite.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page, pageFile } from '../../deploy/metrics/generate.ts';

test('docs/metrics.md is what the registries say (write it with make docs)', async () => {
  assert.equal(readFileSync(pageFile, 'utf8'), await page());
});
