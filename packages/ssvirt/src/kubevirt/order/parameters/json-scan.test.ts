import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { scanJson } from './json-scan.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Fragments of JSON, so that random texts are nearly valid. */
const pieces = '{ } [ ] , : "a" " \\ \\u00e9 \\x 1 - 0 .5 e+3 true nul null é'.split(' ');
const piece = fc.constantFrom(...pieces, ' ', '\n', '\t');
const nearlyJson = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((some) => some.join('')),
  fc
    .tuple(fc.json(), fc.nat(), fc.nat(3), piece)
    .map(([text, at, gone, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + gone)),
  fc.string({ unit: 'binary' }),
);

suite('the scan of a JSON text', () => {
  test('finds a fault in exactly those texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearlyJson), (text) => {
        const scan = scanJson(text);
        assert.equal('fault' in scan, !isJson(text));
        if ('fault' in scan) assert.ok(scan.fault.at <= text.length);
      }),
      { numRuns: 3000 },
    );
  });

  test('finds the names of the outermost object and the values as they are written', () => {
    const entries = fc.array(
      fc.tuple(
        fc.string({ unit: 'binary' }).map((name) => name.toWellFormed()),
        fc.json(),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(entries, (pairs) => {
        const text = `{ ${pairs.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(' , ')}\n}`;
        assert.deepEqual(scanJson(text), { entries: pairs.map(([name, written]) => ({ name, written })) });
      }),
    );
  });

  const faults: readonly (readonly [string, number, RegExp])[] = [
    ['', 0, /a value/],
    ["{'a': 1}", 1, /a name in double quotes, or "}"/],
    ['{"a" 1}', 5, /a colon/],
    ['{"a": 1,}', 8, /a name in double quotes$/],
    ['[1,]', 3, /a value/],
    ['{"a": [1}', 8, /a comma, or the end/],
    ['{"a": 1} x', 9, /nothing more/],
    ['{"a": "b', 8, /the rest of a text/],
    ['{"a": "b\nc"}', 8, /line breaks as \\n/],
    ['{"a": "\\x"}', 7, /the rest of a text/],
    ['{"a": 01}', 7, /a comma/],
    ['{"a": NaN}', 6, /a value/],
    ['cpu_cores: 2', 0, /a value/],
  ];
  for (const [text, at, expected] of faults)
    test(`says where ${JSON.stringify(text)} is wrong`, () => {
      const scan = scanJson(text);
      assert.ok('fault' in scan);
      assert.equal(scan.fault.at, at);
      assert.match(scan.fault.expected, expected);
    });

  test('goes as deep as a text is long', () => {
    const depth = 300_000;
    const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    assert.equal('entries' in scanJson(deep), true);
    assert.deepEqual(scanJson('['.repeat(depth)), { fault: { at: depth, expected: 'a value or "]"' } });
  });
});
