import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { definition } from '../../objects/kinds/builtin.ts';
import { decodeMessage, readEnvelope } from './decode.ts';
import { ProtobufError } from './wire.ts';

const CONFIG_MAP = definition('io.k8s.api.core.v1.ConfigMap');

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...varint(Math.floor(number / 128))];
}

/** A field that contains bytes, a string or a message. */
function field(number: number, ...content: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

const META = 1;
const DATA = 2;

describe('a message becomes the JSON that it stands for', () => {
  test('texts, lists, maps and numbers', () => {
    const meta = field(META, field(1, 'a'), Buffer.from([7 * 8, 3]), field(14, 'x/one'), field(14, 'x/two'));
    const message = Buffer.concat([meta, field(DATA, field(1, 'k'), field(2, 'v')), field(DATA, field(1, 'empty'))]);
    assert.deepEqual(decodeMessage(message, CONFIG_MAP), {
      metadata: { name: 'a', generation: 3, finalizers: ['x/one', 'x/two'] },
      data: { k: 'v', empty: '' },
    });
  });

  test('a key may have any name', () => {
    const message = field(DATA, field(1, '__proto__'), field(2, 'v'));
    assert.deepEqual(Object.entries(decodeMessage(message, CONFIG_MAP)['data'] as object), [['__proto__', 'v']]);
  });

  test('a large list or map takes no more time than its size', { timeout: 10_000 }, () => {
    const finalizers = field(META, Buffer.alloc(400_000, field(14, '')));
    const { metadata } = decodeMessage(finalizers, CONFIG_MAP) as { metadata: { finalizers: string[] } };
    assert.equal(metadata.finalizers.length, 200_000);
    const entries = Array.from({ length: 20_000 }, (_, i) => field(DATA, field(1, `k${i}`), field(2, 'v')));
    assert.equal(Object.keys(decodeMessage(Buffer.concat(entries), CONFIG_MAP)['data'] as object).length, 20_000);
  });
});

const REFUSED: readonly (readonly [reason: string, message: Buffer, words: RegExp])[] = [
  ['a number where a text should be', Buffer.from([1 * 8, 1]), /^proto: wrong wireType = 0 for field Metadata$/],
  ['a text where a number should be', field(META, field(7, 'x')), /^proto: wrong wireType = 2 for field Generation$/],
  ['a number that never ends', field(META, Buffer.from([7 * 8, ...Array<number>(12).fill(255)])), /integer overflow/],
  ['a field that is cut off', field(DATA, field(1, 'k')).subarray(0, 3), /unexpected EOF/],
  ['a year of six digits', field(META, field(8, Buffer.from([8, ...varint(9e12)]))), /year outside of range/],
  ['owners of fields that are no JSON', field(META, field(17, field(7, field(1, '{oops')))), /invalid character 'o'/],
];

describe('what is no such message is refused', () => {
  for (const [reason, message, words] of REFUSED) {
    test(reason, () => {
      assert.throws(
        () => decodeMessage(message, CONFIG_MAP),
        (error: unknown) => {
          assert.ok(error instanceof ProtobufError, String(error));
          assert.match(error.message, words);
          return true;
        },
      );
    });
  }

  test('nesting without end', () => {
    let schema: Buffer = Buffer.alloc(0);
    for (let i = 0; i < 2000; i++) schema = field(27, schema);
    const crd = definition('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    assert.throws(() => decodeMessage(schema, crd), /exceeded max depth/);
  });

  test('bytes without the prefix', () => {
    assert.throws(() => readEnvelope(Buffer.from('{}')), /does not appear to be a protobuf message/);
  });
});
