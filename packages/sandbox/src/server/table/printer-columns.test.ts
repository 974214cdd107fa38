/** The cells in this file are the recorded answers of kube-apiserver 1.36.3 for the same definition and objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import type { TableColumn } from './printer-columns.ts';
import { customScaleColumns } from './printer-columns.ts';
import { renderTable } from './render.ts';

const created = '2026-01-01T00:00:00Z';
const now = new Date('2026-01-01T00:00:05Z');

const columns: TableColumn[] = [
  { name: 'S', type: 'string', jsonPath: '.spec.s' },
  { name: 'I', type: 'integer', jsonPath: '.spec.i' },
  { name: 'N', type: 'number', jsonPath: '.spec.n' },
  { name: 'B', type: 'boolean', jsonPath: '.spec.b' },
  { name: 'D', type: 'date', jsonPath: '.spec.d', priority: 1, format: 'date-time', description: 'A date' },
  { name: 'All', type: 'string', jsonPath: '.spec.l[*].a' },
  { name: 'Last', type: 'string', jsonPath: '.spec.l[-1:].a' },
  { name: 'One', type: 'string', jsonPath: '.spec.l[1].a' },
  { name: 'Key', type: 'string', jsonPath: '.metadata.annotations.x\\.io/a' },
  { name: 'Rec', type: 'string', jsonPath: '..deep' },
  { name: 'Num', type: 'string', jsonPath: '.spec.l[?(@.n>1)].a' },
  { name: 'Ex', type: 'string', jsonPath: '.spec.l[?(@.n)].a' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const thing = (spec: JsonObject, annotations?: { [key: string]: string }): KubeObject => ({
  apiVersion: 'x.io/v1',
  kind: 'Thing',
  metadata: { name: 'a', creationTimestamp: created, ...(annotations && { annotations }) },
  spec,
});

const rows: { reason: string; object: KubeObject; cells: Json[] }[] = [
  {
    reason: 'shows values of the right type',
    object: thing(
      {
        s: 'text',
        i: 5,
        n: 1.5,
        b: true,
        d: '2024-01-01T00:00:00Z',
        deep: 'd1',
        l: [{ a: 'x', n: 1 }, { a: 'y', n: 2 }, { a: 'z' }],
      },
      { 'x.io/a': 'anno' },
    ),
    cells: ['a', 'text', 5, 1.5, true, '2y1d', 'x', 'z', 'y', 'anno', 'd1', 'y', 'x', '5s'],
  },
  {
    reason: 'prints objects as JSON, cuts fractions and calls out bad dates',
    object: thing({ s: { b: 1, a: ['<x>'] }, i: 5.7, n: 3, b: 'x', d: 'bad', l: [], deep: null }),
    cells: [
      'a',
      '{"a":["\\u003cx\\u003e"],"b":1}',
      5,
      3,
      null,
      '<invalid>',
      null,
      null,
      null,
      null,
      '<no value>',
      null,
      null,
      '5s',
    ],
  },
  {
    reason: 'has null for values of another type, and for what is missing',
    object: thing({ s: null, i: '5', n: 'x', b: null, d: '', l: 'str' }),
    cells: ['a', '<no value>', null, null, null, '<unknown>', null, null, null, null, null, null, null, '5s'],
  },
  {
    reason: 'prints numbers in string columns',
    object: thing({ s: 1.5, i: 1e30, d: 5, l: [{ a: 1 }, { n: 's' }] }),
    cells: ['a', '1.5', -9223372036854775808, null, null, null, '1', null, null, null, null, null, null, '5s'],
  },
  {
    reason: 'prints nulls and objects in lists',
    object: thing({
      s: true,
      l: [
        { a: null, n: 5 },
        { a: { q: 1 }, n: 5 },
      ],
    }),
    cells: [
      'a',
      'true',
      null,
      null,
      null,
      null,
      '<no value>',
      '{"q":1}',
      '{"q":1}',
      null,
      null,
      '<no value>',
      '<no value>',
      '5s',
    ],
  },
];

for (const { reason, object, cells } of rows) {
  test(`the row of a custom resource ${reason}`, () => {
    const table = renderTable({ group: 'x.io', kind: 'Thing', printerColumns: columns }, [object], { now });
    assert.deepEqual(table.rows?.[0]?.cells, cells);
  });
}

test('columns of custom resources are described by their path where the definition says nothing', () => {
  const { columnDefinitions } = renderTable({ group: 'x.io', kind: 'Thing', printerColumns: columns }, [], { now });
  assert.deepEqual(columnDefinitions?.slice(1, 2), [
    {
      name: 'S',
      type: 'string',
      format: '',
      description: 'Custom resource definition column (in JSONPath format): .spec.s',
      priority: 0,
    },
  ]);
  assert.deepEqual(columnDefinitions?.[5], {
    name: 'D',
    type: 'date',
    format: 'date-time',
    description: 'A date',
    priority: 1,
  });
});

test('a custom resource without columns shows its age', () => {
  const table = renderTable({ group: 'x.io', kind: 'Thing', custom: true }, [thing({})], { now });
  assert.deepEqual(
    table.columnDefinitions?.map(({ name, type }) => [name, type]),
    [
      ['Name', 'string'],
      ['Age', 'date'],
    ],
  );
  assert.deepEqual(table.rows?.[0]?.cells, ['a', '5s']);
});

test('the scale of a custom resource shows its replicas', () => {
  const scale = { ...thing({ replicas: 3 }), status: { replicas: 0 } };
  const table = renderTable({ group: 'autoscaling', kind: 'Scale', printerColumns: customScaleColumns }, [scale], {
    now,
  });
  assert.deepEqual(table.rows?.[0]?.cells, ['a', 3, 0, '5s']);
});

test('a list of no custom resources has no rows', () => {
  assert.deepEqual(renderTable({ group: 'x.io', kind: 'Thing', custom: true }, [], { now }).rows, []);
});
