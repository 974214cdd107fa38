/** The few forms of ASN.1 DER that a certificate is made of. */

const wrap = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), length(content.length), content]);

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const hex = bytes.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
}

export const der = {
  sequence: (...items: Buffer[]): Buffer => wrap(0x30, Buffer.concat(items)),
  set: (...items: Buffer[]): Buffer => wrap(0x31, Buffer.concat(items)),
  /** A positive integer; the caller's first byte is below 0x80. */
  integer: (bytes: Buffer): Buffer => wrap(0x02, bytes),
  boolean: (value: boolean): Buffer => wrap(0x01, Buffer.from([value ? 0xff : 0])),
  bits: (bytes: Buffer, unused = 0): Buffer => wrap(0x03, Buffer.concat([Buffer.from([unused]), bytes])),
  octets: (bytes: Buffer): Buffer => wrap(0x04, bytes),
  utf8: (text: string): Buffer => wrap(0x0c, Buffer.from(text)),
  time: (when: Date): Buffer => wrap(0x18, Buffer.from(`${when.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`)),
  /** An explicit `[n]` around another form. */
  tagged: (n: number, content: Buffer): Buffer => wrap(0xa0 | n, content),
  /** An implicit primitive `[n]`, as in the names of a SubjectAlternativeName. */
  implicit: (n: number, content: Buffer): Buffer => wrap(0x80 | n, content),
  oid: (dotted: string): Buffer => {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return wrap(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
  },
};

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
