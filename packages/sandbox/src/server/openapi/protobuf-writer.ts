/** Writes the protobuf wire format, limited to the field types of OpenAPI's messages. */

const lengthDelimited = 2;
const fixed64 = 1;
const varint = 0;

export class ProtobufWriter {
  readonly #chunks: Buffer[] = [];

  /** An empty string is omitted, as in proto3. */
  string(field: number, value: string): void {
    if (value !== '') this.#delimited(field, Buffer.from(value));
  }

  /** Writes every item, including empty ones. */
  strings(field: number, values: readonly string[]): void {
    for (const value of values) this.#delimited(field, Buffer.from(value));
  }

  bool(field: number, value: boolean): void {
    if (value) this.#chunks.push(encodeVarint(tag(field, varint)), encodeVarint(1n));
  }

  int64(field: number, value: number): void {
    if (value !== 0)
      this.#chunks.push(encodeVarint(tag(field, varint)), encodeVarint(BigInt.asUintN(64, BigInt(value))));
  }

  double(field: number, value: number): void {
    if (value === 0) return;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#chunks.push(encodeVarint(tag(field, fixed64)), bytes);
  }

  message(field: number, write: (writer: ProtobufWriter) => void): void {
    const nested = new ProtobufWriter();
    write(nested);
    this.#delimited(field, nested.finish());
  }

  finish(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  #delimited(field: number, bytes: Buffer): void {
    this.#chunks.push(encodeVarint(tag(field, lengthDelimited)), encodeVarint(BigInt(bytes.length)), bytes);
  }
}

function tag(field: number, wireType: number): bigint {
  return BigInt((field << 3) | wireType);
}

function encodeVarint(value: bigint): Buffer {
  if (value < 0x80n) return Buffer.of(Number(value));
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
