/** The types of the API client are those of the OpenAPI document; schema.suite.ts writes them once more. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readDocument, releasedFile } from '../../deploy/api-client/released.ts';

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

test('the API that must not break is that of the latest release', () => {
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  const [, version] = /^## \[(\d[^\]]*)\] - \d{4}-/m.exec(changelog) ?? [];
  assert.equal(
    readDocument(releasedFile).info.version,
    version,
    'write it with: bin/node deploy/api-client/released.ts',
  );
});
