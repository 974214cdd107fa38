import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufWriter } from './protobuf-writer.ts';
import { openApiV2Protobuf } from './v2-protobuf.ts';

type Field = [number: number, value: bigint | Buffer];

/** A minimal reader for the written bytes. */
function fields(bytes: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (count: number): Buffer => bytes.subarray(at, (at += count));
  while (at < bytes.length) {
    const tag = Number(varint());
    const wireType = tag & 7;
    if (wireType === 0) found.push([tag >> 3, varint()]);
    else found.push([tag >> 3, take(wireType === 1 ? 8 : Number(varint()))]);
  }
  return found;
}

/** Follows field numbers to a nested message or a value. */
function dig(bytes: Buffer, ...path: number[]): bigint | Buffer | undefined {
  let value: bigint | Buffer | undefined = bytes;
  for (const field of path) {
    if (!Buffer.isBuffer(value)) return undefined;
    value = fields(value).find(([number]) => number === field)?.[1];
  }
  return value;
}

test('the wire format is that of the protobuf specification', () => {
  const writer = new ProtobufWriter();
  writer.int64(1, 150);
  writer.string(2, 'testing');
  writer.message(3, (nested) => nested.int64(1, 150));
  writer.bool(4, true);
  writer.double(5, 1);
  writer.int64(6, -1);
  writer.string(7, '');
  const expected = [
    '089601',
    '120774657374696e67',
    '1a03089601',
    '2001',
    '29000000000000f03f',
    '30ffffffffffffffffff01',
  ];
  assert.equal(writer.finish().toString('hex'), expected.join(''));
});

test('a document is written in the fields of gnostic’s messages', () => {
  const bytes = openApiV2Protobuf({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: {
      '/a/{name}': {
        patch: {
          operationId: 'patchA',
          parameters: [{ name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true }],
          responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/A' } } },
          'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'A' },
        },
      },
    },
    definitions: {
      A: {
        type: 'object',
        required: ['spec'],
        properties: { spec: { type: 'array', items: { type: 'string', maxLength: 300 } } },
        'x-kubernetes-patch-strategy': 'merge',
      },
    },
  });
  const textAt = (...path: number[]): string | undefined => dig(bytes, ...path)?.toString();
  assert.equal(textAt(1), '2.0');
  assert.equal(textAt(2, 2), '1.36');
  assert.equal(textAt(8, 2, 1), '/a/{name}');
  const patch = [8, 2, 2, 8];
  assert.equal(textAt(...patch, 5), 'patchA');
  assert.equal(textAt(...patch, 8, 1, 2, 3, 4), 'fieldValidation');
  assert.equal(textAt(...patch, 9, 1, 2, 1, 2, 1, 1), '#/definitions/A');
  assert.equal(textAt(...patch, 13, 2, 2), '{"group":"","version":"v1","kind":"A"}\n');
  const schema = [9, 1, 2];
  assert.equal(textAt(9, 1, 1), 'A');
  assert.equal(textAt(...schema, 22, 1), 'object');
  assert.equal(textAt(...schema, 19), 'spec');
  assert.equal(dig(bytes, ...schema, 25, 1, 2, 23, 1, 11), 300n);
  assert.equal(textAt(...schema, 31, 1), 'x-kubernetes-patch-strategy');
});
