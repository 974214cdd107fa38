import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, isDryRun, stopOptions, unknownDryRun } from './options.ts';

const read = (text: string): unknown => decode(Buffer.from(text), stopOptions);

for (const [what, text, expected] of [
  ['nothing', '', {}],
  ['white space', ' \n', {}],
  ['JSON', '{"gracePeriod": 5}', { gracePeriod: 5 }],
  ['YAML', 'gracePeriod: 5\ndryRun: [All]\n', { gracePeriod: 5, dryRun: ['All'] }],
  ['null', 'null', {}],
  ['what is not known', '{"other": {}}', { other: {} }],
] as const)
  test(`${what} is read as options`, () => assert.deepEqual(read(text), expected));

for (const [what, text, why] of [
  [
    'a text for a number',
    '{"gracePeriod": "5"}',
    'json: cannot unmarshal string into Go struct field StopOptions.gracePeriod of type int64',
  ],
  [
    'a fraction',
    '{"gracePeriod": 1.5}',
    'json: cannot unmarshal number 1.5 into Go struct field StopOptions.gracePeriod of type int64',
  ],
  [
    'a number among texts',
    '{"dryRun": ["All", 1]}',
    'json: cannot unmarshal number into Go struct field StopOptions.dryRun of type string',
  ],
  ['a list', '[1]', 'json: cannot unmarshal array into Go value of type v1.StopOptions'],
  ['half an object', '{"gracePeriod": 5', 'unexpected end of JSON input'],
] as const)
  test(`${what} is refused in Go's words`, () =>
    assert.throws(() => read(text), {
      code: 400,
      message: `Can not unmarshal Request body to struct, error: ${why}`,
    }));

test('a dry run is asked for by the word All', () => {
  assert.equal(isDryRun({ dryRun: ['All'] }), true);
  assert.equal(isDryRun({ dryRun: [] }), false);
  assert.equal(isDryRun({}), false);
  assert.equal(unknownDryRun({ dryRun: ['All', 'most'] }), 'most');
  assert.equal(unknownDryRun({ dryRun: ['All'] }), undefined);
});
