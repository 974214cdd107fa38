import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, headers, type View } from './view.ts';
import { columns } from './columns.ts';
import { data } from './print.ts';

interface Thing {
  readonly name: string;
  readonly size?: number;
  readonly isOn: boolean;
}

const view: View<Thing> = {
  plural: 'things',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'SIZE', cell: ({ size }) => size },
    { header: 'ON', cell: ({ isOn }) => isOn, wide: true },
  ],
};

test('wide shows more, nothing is a dash, and words of others cannot steer a terminal', () => {
  assert.deepEqual(headers(view, 'table'), ['NAME', 'SIZE']);
  assert.deepEqual(cells(view, 'wide', { name: 'a', isOn: true }), ['a', '-', 'yes']);
  assert.deepEqual(cells(view, 'table', { name: 'a', size: 0, isOn: false }), ['a', '0']);
  assert.deepEqual(
    columns(
      [
        ['NAME', 'SIZE'],
        ['\u001b[2Jevil\n', '1'],
      ],
      '',
    ),
    ['NAME       SIZE', ' [2Jevil   1'],
  );
});

test('JSON and YAML carry what is there and nothing else', () => {
  const thing = { name: 'a\u001b', list: [1] };
  assert.deepEqual(JSON.parse(data('json', thing)), thing);
  assert.equal(data('yaml', { name: 'x'.repeat(200) }), `name: ${'x'.repeat(200)}\n`);
});

test('columns stand below each other whatever is in them, as a terminal shows it', () => {
  const rows = [
    ['NAME', 'ON'],
    ['日本語', 'yes'],
    ['e\u0301te\u0301', 'no'],
    ['😀!', 'yes'],
    ['ＡＢ', 'no'],
    ['한글', 'no'],
  ];
  assert.deepEqual(columns(rows, ''), [
    'NAME    ON',
    '日本語  yes',
    'e\u0301te\u0301     no',
    '😀!     yes',
    'ＡＢ    no',
    '한글    no',
  ]);
});
