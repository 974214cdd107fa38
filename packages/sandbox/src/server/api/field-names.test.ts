/** Field names that are also inherited properties in JavaScript are treated as any other field name. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

type Step = readonly [what: string, method: string, path: string, body: string, type?: string];

/**
 * NAME is replaced by the name of the field. The bodies are text, because `{ __proto__: … }` has another meaning in a
 * literal.
 */
const STEPS: readonly Step[] = [
  ['create', 'POST', MAPS, '{"metadata":{"name":"m"},"data":{"NAME":"1","a":"1"}}'],
  ['remove by merge patch', 'PATCH', `${MAPS}/m`, '{"data":{"NAME":null}}', MERGE],
  ['add by merge patch', 'PATCH', `${MAPS}/m`, '{"data":{"NAME":"2"}}', MERGE],
  ['change by strategic patch', 'PATCH', `${MAPS}/m`, '{"data":{"NAME":"3"}}', STRATEGIC],
  ['remove by JSON patch', 'PATCH', `${MAPS}/m`, '[{"op":"remove","path":"/data/NAME"}]', JSON_PATCH],
  ['remove again', 'PATCH', `${MAPS}/m`, '[{"op":"remove","path":"/data/NAME"}]', JSON_PATCH],
  ['add by strategic patch', 'PATCH', `${MAPS}/m`, '{"data":{"NAME":"4"}}', STRATEGIC],
  ['drop by update', 'PUT', `${MAPS}/m`, '{"metadata":{"name":"m"},"data":{"a":"2"}}'],
  ['apply', 'PATCH', `${MAPS}/m?fieldManager=one`, '{"apiVersion":"v1","kind":"ConfigMap","data":{"NAME":"5"}}', APPLY],
  [
    'conflict',
    'PATCH',
    `${MAPS}/m?fieldManager=two`,
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"NAME":"6"}}',
    APPLY,
  ],
  [
    'apply another',
    'PATCH',
    `${MAPS}/m?fieldManager=two`,
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"b":"7"}}',
    APPLY,
  ],
  [
    'apply no more',
    'PATCH',
    `${MAPS}/m?fieldManager=one`,
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"c":"8"}}',
    APPLY,
  ],
  ['unknown', 'POST', `${MAPS}?fieldValidation=Strict`, '{"metadata":{"name":"u"},"NAME":{"x":1}}'],
  ['custom', 'POST', WIDGETS, '{"metadata":{"name":"w"},"free":{"NAME":{"NAME":[1]},"x":1}}'],
  ['custom, patched', 'PATCH', `${WIDGETS}/w`, '{"free":{"NAME":{"NAME":null,"y":2}}}', MERGE],
];

const typed = (body: string, path: string): string =>
  body.startsWith('{"metadata"') && path.startsWith(WIDGETS)
    ? `{"apiVersion":"example.com/v1","kind":"Widget",${body.slice(1)}`
    : body;

/** The server's answer to each step, without what differs by time. */
async function play(sandbox: Sandbox, name: string): Promise<string[]> {
  const said: string[] = [];
  for (const [what, method, path, body, type] of STEPS) {
    const sent = JSON.parse(typed(body, path).replaceAll('NAME', name)) as JsonObject;
    const answer = await sandbox.call(method, path, sent, type === undefined ? {} : { 'Content-Type': type });
    said.push(`${what}: ${answer.code} ${normal(answer.body, name)}`);
  }
  for (const path of [`${MAPS}/m`, `${WIDGETS}/w`]) await sandbox.call('DELETE', path);
  return said;
}

function normal(text: string, name: string): string {
  const volatile = /"(?:uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g;
  // The pieces are sorted, because the position of a field depends on its name.
  return text
    .replaceAll(name, 'NAME')
    .replaceAll(volatile, '')
    .split(/(?=[,{}])/)
    .toSorted()
    .join('');
}

describe('a field of any name', { timeout: 180_000 }, () => {
  let sandbox: Sandbox;
  let plain: string[];

  before(async () => {
    sandbox = await startSandbox();
    await sandbox.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } }],
      },
    });
    await eventually(
      'widgets',
      async () => (await sandbox.call('GET', WIDGETS)).code,
      (code) => code === 200,
    );
    plain = await play(sandbox, 'plainName');
  });
  after(() => sandbox.stop());

  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    test(name, async () => {
      assert.deepEqual(await play(sandbox, name), plain);
    });
  }
});

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};
