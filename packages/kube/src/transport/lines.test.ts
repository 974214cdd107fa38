import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lines } from './lines.ts';

/** Splits the bytes at the given places. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('T6: lines come out whole wherever they were cut, inside characters too', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), (texts, cuts) => {
      const lines = new Lines();
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
      const out = pieces(bytes, cuts).flatMap((piece) => [...lines.take(piece)].map((one) => one.toString()));
      assert.deepEqual(out, texts);
      assert.equal(lines.unfinished, 0);
    }),
  );
});

test('T6: a line without an end is counted, not given', () => {
  const lines = new Lines();
  assert.deepEqual([...lines.take(Buffer.from('a\nhal'))].map(String), ['a']);
  assert.equal(lines.unfinished, 3);
  assert.deepEqual([...lines.take(Buffer.from('f'))], []);
  assert.equal(lines.unfinished, 4);
  assert.deepEqual([...lines.take(Buffer.from('\n\nx'))].map(String), ['half', '']);
  assert.equal(lines.unfinished, 1);
});

test('T6: a line of many pieces is joined once', () => {
  const lines = new Lines();
  const piece = Buffer.alloc(1024, 'x');
  for (let index = 0; index < 20_000; index++) assert.equal([...lines.take(piece)].length, 0);
  const [line] = lines.take(Buffer.from('\n'));
  assert.equal(line?.length, 20_000 * 1024);
});
