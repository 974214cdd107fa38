/** The real generator writes the types of the API client as they are checked in. It downloads packages from the npm registry. */
// needs: npm
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';

const repository = resolve(import.meta.dirname, '../..');
let folder: ThrowAwayFolder;

before(async () => {
  folder = await throwAwayFolder('ssvirt-api-client-');
});

after(() => folder?.remove());

test('packages/api-client/src/schema.ts is what the generator writes from docs/openapi.json', () => {
  const file = join(folder.path, 'schema.ts');
  execFileSync(process.execPath, ['deploy/api-client/generate.ts', file], { cwd: repository, stdio: 'pipe' });
  const written = readFileSync(join(repository, 'packages/api-client/src/schema.ts'), 'utf8');
  assert.ok(readFileSync(file, 'utf8') === written, 'packages/api-client/src/schema.ts differs: run make docs');
});
