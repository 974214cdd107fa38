/** The generated parts of the chart are up to date. template.suite.ts checks what the chart renders. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { outdatedFiles } from '../../deploy/chart/generate.ts';
import { describedValues } from '../../deploy/chart/readme.ts';
import { valuesSchema } from '../../deploy/chart/values-schema.ts';
import { badValues, matrix } from './matrix.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const values = read('deploy/chart/ssvirt/values.yaml');
const { $schema: _, ...withoutDialect } = valuesSchema();
const check = new Ajv({ allowUnionTypes: true }).compile(withoutDialect);

test('the copies, the schema and the README of the chart are those that `make docs` writes', () => {
  assert.deepEqual(outdatedFiles(), [], 'run make docs manifests');
});

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const chart = parse(read('deploy/chart/ssvirt/Chart.yaml')) as Readonly<Record<string, unknown>>;
  assert.deepEqual([chart['version'], chart['appVersion']], [version, version]);
});

test('the Kustomization of the manifests has all of them', () => {
  const { resources } = parse(read('deploy/manifests/Kustomization')) as { readonly resources: readonly string[] };
  assert.deepEqual(resources, globSync('*.yaml', { cwd: join(root, 'deploy/manifests') }).toSorted());
});

test('pages that name a version name that of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const pages = ['README.md', ...globSync('docs/{tenant,provider,operator}/**/*.md', { cwd: root })];
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/ssvirt[:-](\d+\.\d+\.\d+)|newTag: (\d+\.\d+\.\d+)/g)].map(
      ([, tag, newTag]) => `${page}: ${tag ?? newTag}`,
    ),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((one) => !one.endsWith(`: ${version}`)),
    [],
  );
});

test('the schema takes the defaults and the whole matrix, and refuses what Helm is to refuse', () => {
  assert.ok(check(parse(values)), JSON.stringify(check.errors));
  for (const [name, one] of Object.entries(matrix))
    assert.ok(check(one.values), `${name}: ${JSON.stringify(check.errors)}`);
  const refused = Object.values(badValues).filter((one) => !check(one.values));
  // templates/checks.yaml refuses the rest, which takes several values together.
  assert.equal(refused.length, Object.keys(badValues).length - 5);
});

test('every value has a place in the schema, and every place of the schema a value', () => {
  const places = (schema: unknown, path: readonly string[]): readonly string[] => {
    const { properties } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
    if (properties === undefined) return [path.join('.')];
    return Object.entries(properties).flatMap(([name, one]) => places(one, [...path, name]));
  };
  const found = new Set(places(valuesSchema(), []));
  const all = parse(values) as Readonly<Record<string, unknown>>;
  const has = (path: string): boolean => {
    let here: unknown = all;
    for (const name of path.split('.')) here = (here as Readonly<Record<string, unknown>> | undefined)?.[name];
    return here !== undefined;
  };
  const without = [...found].filter((path) => !/^(config|global)\b|\.resources\.claims$/.test(path) && !has(path));
  assert.deepEqual(without, []);
});

test('every described value says what it is, in a sentence', () => {
  const described = describedValues(values);
  assert.ok(described.length > 80, String(described.length));
  for (const { path, text } of described) assert.match(text, /[.`]$|…$/, path);
});
