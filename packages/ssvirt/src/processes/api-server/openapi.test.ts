/**
 * The generated OpenAPI document equals the one in the repository, and describes for each route what a caller must
 * know.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import { openApiText } from './openapi.ts';

interface Described {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

suite('the OpenAPI document', () => {
  let text: string;
  let routes: readonly (readonly [string, Described])[];
  before(async () => {
    text = await openApiText();
    const { paths } = JSON.parse(text) as Document;
    routes = Object.entries(paths).flatMap(([path, methods]) =>
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
