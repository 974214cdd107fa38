/**
 * The generated OpenAPI document equals the one in the repository, and describes for each route what a caller must
 * know.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import { openApiText } from './openapi.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>;
}

interface Described {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

suite('the OpenAPI document', () => {
  let text: string;
  let document: Document;
  let routes: readonly (readonly [string, Described])[];
  before(async () => {
    text = await openApiText();
    document = JSON.parse(text) as Document;
    routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => [`${method} ${path}`, route] as const),
    );
  });

  test('is docs/openapi.json; otherwise run make docs', () => {
    const kept = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
    assert.ok(kept === text, 'docs/openapi.json differs from the routes: run make docs');
  });

  test('has a tag, a summary and the shape of errors for each route', () => {
    assert.ok(routes.length > 50, `only ${routes.length} routes`);
    for (const [name, { tags, summary, responses }] of routes) {
      assert.equal(tags?.length, 1, name);
      assert.match(summary ?? '', /^[A-Z].*[^.]$/, name);
      assert.ok('default' in responses, name);
    }
  });

  test('gives each operation an id of its own, from which clients name their functions', () => {
    const ids = routes.map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      ids.filter((id) => !/^[a-z]+[A-Za-z]*$/.test(id)),
      [],
    );
  });

  test('describes each tag that routes have, and no other', () => {
    const used = new Set(routes.flatMap(([, { tags = [] }]) => tags));
    assert.deepEqual(new Set(document.tags.map(({ name }) => name)), used);
    for (const { name, description } of document.tags) assert.match(description, /^[A-Z].*[^.]$/, name);
  });

  test('names the schema of each body', () => {
    const bodies = routes.flatMap(([name, { requestBody = {}, responses }]) =>
      [requestBody, ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.entries(content).map(([type, { schema }]) => ({ name, type, schema })),
      ),
    );
    const json = bodies.filter(({ type, schema }) => type === 'application/json' && schema['type'] !== 'null');
    assert.ok(json.length > 150, `${json.length} bodies`);
    assert.deepEqual(
      json.filter(({ schema }) => !JSON.stringify(schema).includes('#/components/schemas/')),
      [],
    );
  });

  test('has an example of each request body, and each is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'document', ...document });
    const bodies = JSON.stringify(routes.map(([, { requestBody }]) => requestBody ?? null));
    const names = new Set([...bodies.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name));
    const withExample = Object.entries(document.components.schemas).filter(
      ([, { examples }]) => examples !== undefined,
    );
    assert.deepEqual(new Set(withExample.map(([name]) => name)), names);
    for (const [name, { examples = [] }] of withExample)
      for (const example of examples) {
        const isValid = ajv.validate({ $ref: `document#/components/schemas/${name}` }, example);
        assert.ok(isValid, `${name}: ${ajv.errorsText()}`);
      }
  });

  test('says which routes need a session, which a password, and which nothing', () => {
    const need = (scheme: string): readonly string[] =>
      routes.filter(([, { security }]) => security?.some((one) => scheme in one)).map(([name]) => name);
    const open = routes.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    assert.deepEqual(need('login'), ['post /cloudapi/1.0.0/sessions', 'post /cloudapi/1.0.0/sessions/provider']);
    assert.deepEqual(open, [
      'get /api/v1/health',
      'get /api/v1/version',
      'get /api/versions',
      'get /health/controller',
      'get /healthz',
      'post /oauth/provider/token',
      'post /oauth/tenant/{org}/token',
      'get /readyz',
    ]);
    assert.equal(need('session').length + need('login').length + open.length, routes.length);
  });
});
