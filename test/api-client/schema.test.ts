/** The types of the API client are those of the OpenAPI document; schema.suite.ts writes them once more. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const repository = resolve(import.meta.dirname, '../..');

test('the API client was generated from docs/openapi.json as it is now', () => {
  const document = readFileSync(join(repository, 'docs/openapi.json'));
  const [header] = readFileSync(join(repository, 'packages/api-client/src/schema.ts'), 'utf8').split('\n', 1);
  const hash = createHash('sha256').update(document).digest('hex');
  assert.ok(
    header?.includes(`SHA-256 is ${hash}.`),
    'packages/api-client/src/schema.ts is from another document: run make docs',
  );
});
