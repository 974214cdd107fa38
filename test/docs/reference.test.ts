/** The pages of docs/reference agree with the routes and the definitions. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pages } from '../../deploy/reference/generate.ts';
import { fieldsOf, limitsOf, typeOf } from '../../deploy/reference/schema.ts';
import { matrix } from '../../packages/ssvirt/src/api/auth/access/matrix.ts';
import { partOf } from './field-page.ts';
import { repository, textOf } from './pages.ts';
import { readDefinition } from '../../deploy/reference/crd-page.ts';

const written = pages();

for (const [file, text] of written)
  test(`${file} is what is written from its source (write it with make docs)`, () => {
    assert.ok(readFileSync(join(repository, file), 'utf8') === text, `${file} is out of date: run make docs`);
  });

test('there is no page whose source is gone', () => {
  assert.deepEqual(
    globSync('docs/reference/*.md', { cwd: repository }).toSorted(),
    [...written.keys()].filter((page) => page.startsWith('docs/reference/')).toSorted(),
  );
});

test('every call is on the page, with who may make it', () => {
  const page = written.get('docs/reference/api.md') ?? '';
  const { paths } = JSON.parse(textOf('docs/openapi.json')) as { paths: Record<string, Record<string, unknown>> };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `### ${method.toUpperCase()} ${path}\n`),
  );
  assert.ok(calls.length > 50);
  assert.deepEqual(
    calls.filter((call) => !page.includes(call)),
    [],
  );
  assert.equal(page.match(/^\*\*Who may\*\*: /gm)?.length, calls.length);
  const closed = Object.values(matrix).filter((rule) => rule.access === 'session' && rule.roles.length === 1);
  assert.ok(closed.length > 0);
  assert.match(page, /^\*\*Who may\*\*: System Administrator\./m);
});

test('every field of every definition is on its page', () => {
  for (const file of globSync('deploy/crds/*.yaml', { cwd: repository })) {
    const page = written.get(file.replace('deploy/crds', 'docs/reference').replace('.yaml', '.md')) ?? '';
    const definition = readDefinition(join(repository, file));
    const names = [...partOf(definition, 'spec'), ...partOf(definition, 'status')].map(([name]) => name);
    assert.ok(names.length > 3, file);
    for (const name of names) assert.match(page, new RegExp(`[.\`]${name}(\\[\\])?\``), `${file}: ${name}`);
  }
});

test('a schema is described in few words', () => {
  const schema = {
    type: 'object',
    required: ['sizes'],
    properties: {
      sizes: {
        type: 'array',
        maxItems: 3,
        items: { type: 'object', properties: { gb: { type: 'integer', minimum: 1, maximum: 9 } } },
      },
      mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    },
  };
  assert.deepEqual(
    fieldsOf(schema).map(({ path, schema: inner, required }) => [
      path,
      typeOf(inner),
      required,
      limitsOf(inner).join('; '),
    ]),
    [
      ['sizes', 'list of object', true, 'at most 3 entries'],
      ['sizes[].gb', 'integer', false, '1 to 9'],
      ['mode', 'text', false, 'default `a`; `a`, `b`'],
    ],
  );
});
