import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Schema } from './schema.ts';
import { duplicateFields, strictError, strictFields, strictWarnings } from './strict.ts';
import { duplicateYamlKeys } from './strict-yaml.ts';

describe('duplicate fields of a custom resource are found in the order of the text', () => {
  const cases: [name: string, text: string, found: string[]][] = [
    ['none', '{"a":1,"b":[{"a":1},{"a":2}],"c":{}}', []],
    [
      'nested and outer',
      '{"spec":{"a":"1","a":"2"},"spec":{"a":"3"}}',
      ['duplicate field "spec.a"', 'duplicate field "spec"'],
    ],
    [
      'in lists, once for each path',
      '{"spec":{"list":[{"b":"1","b":"2"},{"b":"1","b":"2"}],"list":[{"b":"3","b":"4"}]}}',
      ['duplicate field "spec.list[0].b"', 'duplicate field "spec.list[1].b"', 'duplicate field "spec.list"'],
    ],
    ['written differently', '{ "a" : 1 ,\n "\\u0061" : [ ] , "b":"}\\"" }', ['duplicate field "a"']],
    ['with odd names', '{"a\\"b":1,"a\\"b":2}', ['duplicate field "a\\"b"']],
    ['not an object', '5', []],
  ];
  for (const [name, text, found] of cases) test(name, () => assert.deepEqual(duplicateFields(text), found));
});

const text: Schema = { type: 'string' };
const labels: Schema = { type: 'object', additionalProperties: text };
const configMap: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', properties: { name: text, labels } },
    data: labels,
    list: { type: 'array', items: { type: 'object', properties: { a: text } } },
    raw: { type: 'object' },
  },
};

describe('built-in kinds are searched for unknown fields as well', () => {
  const cases: [name: string, text: string, found: string[]][] = [
    [
      'both, in order',
      '{"kind":"ConfigMap","metadata":{"name":"x","foo":1,"labels":{"a":"b","a":"c"}},"data":{"a":"1","a":"2"},"zz":1,"zz":2,"kind":"ConfigMap"}',
      [
        'unknown field "metadata.foo"',
        'duplicate field "metadata.labels.a"',
        'duplicate field "data.a"',
        'unknown field "zz"',
        'duplicate field "kind"',
      ],
    ],
    ['nothing inside of unknown fields', '{"foo":{"x":1,"x":2}}', ['unknown field "foo"']],
    ['nothing inside of free-form objects', '{"raw":{"x":1,"x":{"y":[1,{"z":"]"}]}},"bar":1}', ['unknown field "bar"']],
    ['in lists', '{"list":[{"a":"1"},{"b":1}]}', ['unknown field "list[1].b"']],
  ];
  for (const [name, body, found] of cases) test(name, () => assert.deepEqual(strictFields(body, configMap), found));
});

test('YAML names the line of the key that is there already', () => {
  const yaml = 'kind: Meta\nmetadata:\n  name: x\nspec:\n  a: "1"\n  a: "2"\n  zz: 1\n';
  const complaints = duplicateYamlKeys(yaml);
  assert.deepEqual(complaints, ['yaml: unmarshal errors:\n  line 6: key "a" already set in map']);
  assert.deepEqual(strictWarnings([...complaints, 'unknown field "spec.zz"']), [
    'line 6: key "a" already set in map',
    'unknown field "spec.zz"',
  ]);
  assert.deepEqual(duplicateYamlKeys('a: 1\nb: 2\n'), []);
});

test('all complaints make one error', () => {
  assert.equal(
    strictError(['duplicate field "a"', 'unknown field "b"']),
    'strict decoding error: duplicate field "a", unknown field "b"',
  );
});
