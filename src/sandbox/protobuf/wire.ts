/** Protobuf's wire format, as far as reading goes. */

export interface WireField {
  readonly number: number;
  /** A varint or fixed number as bigint, or the bytes of a length-delimited field. */
  readonly value: bigint | Buffer;
}

export class ProtobufError extends Error {}

export function* readFields(bytes: Buffer): Generator<WireField> {
  let offset = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[offset++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  };
  const take = (length: number): Buffer => {
    if (offset + length > bytes.length) throw new ProtobufError('unexpected EOF');
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  while (offset < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: take(8).readBigUInt64LE() };
        break;
      case 2:
        yield { number, value: take(Number(varint())) };
        break;
      case 5:
        yield { number, value: BigInt(take(4).readUInt32LE()) };
        break;
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag & 7}`);
    }
  }
}
