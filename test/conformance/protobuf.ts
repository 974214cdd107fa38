/** Bodies in Kubernetes' protobuf encoding, encoded here: as much of the wire format as the cases need. */

/** A field by its number: text, bytes or a message, and non-negative integers. */
export type Field = readonly [number: number, value: string | Buffer | number];

export function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => field(number, value)));
}

/** An entry of a map of strings; the map is a repeated field of these. */
export const mapEntry = (key: string, value: string | Buffer): Buffer => message([1, key], [2, value]);

/** An object with the prefix and the wrapper that name its type. */
export function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, raw])]);
}

function field(number: number, value: string | Buffer | number): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
