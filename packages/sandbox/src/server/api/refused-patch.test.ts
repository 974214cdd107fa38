/** The errors for a patch whose result is not an object of the kind. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';

let sandbox: Sandbox;
const THINGS = '/apis/example.com/v1/namespaces/default/things';

before(async () => {
  sandbox = await startSandbox();
  const spec = { type: 'object', properties: { size: { type: 'integer' } } };
  const definition = await sandbox.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  assert.equal(definition.code, 201, definition.body);
  const deadline = Date.now() + 10_000;
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size: 1 } };
  // The resource is served shortly after the definition is accepted.
  while ((await sandbox.call('POST', THINGS, thing)).code !== 201)
    assert.ok(Date.now() < deadline, 'not served in time');
});
after(() => sandbox.stop());

const PATCHES: readonly { type: string; body: JsonObject | JsonObject[] }[] = [
  { type: 'merge', body: { spec: { colour: { of: 'sky' } } } },
  { type: 'json', body: [{ op: 'add', path: '/spec/colour', value: { of: 'sky' } }] },
];

for (const { type, body } of PATCHES) {
  test(`a refused ${type} patch is reported with the object that it made, unknown fields included`, async () => {
    const headers = { 'Content-Type': `application/${type === 'json' ? 'json-patch' : 'merge-patch'}+json` };
    const path = `${THINGS}/a?fieldValidation=Strict`;
    const answer = await sandbox.call('PATCH', path, body as JsonObject, headers);
    const { message } = JSON.parse(answer.body) as { message: string };
    assert.equal(answer.code, 422, answer.body);
    assert.match(message, /"spec\\":\{\\"colour\\":\{\\"of\\":\\"sky\\"\},\\"size\\":1\}/);
    assert.match(message, /strict decoding error: unknown field "spec\.colour"$/);
  });
}
