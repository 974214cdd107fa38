import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readDefinitions, replaced, type Definition } from './install-definitions.ts';

const folder = mkdtempSync(join(tmpdir(), 'ssvirt-definitions-'));
after(() => rmSync(folder, { recursive: true }));

function definition(name: string, group = 'example.ssvirt.io'): Definition {
  const spec = { group, names: { plural: name, kind: 'Thing' }, versions: [{ name: 'v1', served: true }] };
  return { kind: 'CustomResourceDefinition', metadata: { name: `${name}.${group}` }, spec };
}

test('definitions are found in every document of every file, and other objects are left out', () => {
  const yaml = (name: string): string => JSON.stringify(definition(name));
  writeFileSync(join(folder, 'b.yaml'), `${yaml('one')}\n---\nkind: ConfigMap\n---\n${yaml('two')}\n---\n`);
  writeFileSync(
    join(folder, 'a.json'),
    JSON.stringify({ kind: 'List', items: [definition('three'), { kind: 'Secret' }] }),
  );
  writeFileSync(join(folder, 'README.md'), 'kind: CustomResourceDefinition');
  const names = readDefinitions(folder).map(({ spec }) => spec.names.plural);
  assert.deepEqual(names, ['three', 'one', 'two']);
});

test('what cannot be used is named', () => {
  const missing = join(folder, 'missing');
  assert.throws(() => readDefinitions(missing), {
    name: 'DefinitionsError',
    message: `cannot read "${missing}": no such file or directory`,
  });
  const empty = mkdtempSync(join(folder, 'empty-'));
  assert.throws(() => readDefinitions(empty), /contains no CustomResourceDefinition: choose a folder with YAML files/);
  writeFileSync(join(empty, 'broken.yaml'), 'a: [');
  assert.throws(() => readDefinitions(empty), /^DefinitionsError: cannot read ".*broken\.yaml": /);
});

test('definitions that are given take the place of ours by name', () => {
  const [ours, other, theirs] = [definition('a'), definition('b'), definition('a')];
  const all = replaced([ours, other], [theirs]);
  assert.deepEqual(all, [other, theirs]);
  assert.equal(all[1], theirs);
});
