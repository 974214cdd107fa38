/** `WireField` reads protobuf's wire format. */

export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** A varint or fixed-size number as bigint, or the bytes of a length-delimited field. */
  readonly value: bigint | Buffer;
}

export class ProtobufError extends Error {}

export function* readFields(bytes: Buffer): Generator<WireField> {
  let offset = 0;
  const varint = (): bigint => {
    const read = readVarint(bytes, offset);
    offset = read.end;
    return read.value;
  };
  const take = (length: number): Buffer => {
    if (offset + length > bytes.length) throw new ProtobufError('unexpected EOF');
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  while (offset < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const wireType = tag & 7;
    switch (wireType) {
      case 0:
        yield { number, wireType, value: varint() };
        break;
      case 1:
        yield { number, wireType, value: take(8).readBigUInt64LE() };
        break;
      case 2:
        yield { number, wireType, value: take(Number(varint())) };
        break;
      case 5:
        yield { number, wireType, value: BigInt(take(4).readUInt32LE()) };
        break;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }
}

/** Numbers in sequence, without tags. */
export function* readPacked(bytes: Buffer): Generator<bigint> {
  for (let offset = 0; offset < bytes.length;) {
    const { value, end } = readVarint(bytes, offset);
    yield value;
    offset = end;
  }
}

function readVarint(bytes: Buffer, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) throw new ProtobufError('unexpected EOF');
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: start + i + 1 };
  }
  throw new ProtobufError('proto: integer overflow');
}
