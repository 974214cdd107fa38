/**
 * A number that stands for a text, always the same. It tells names apart and makes addresses; it keeps no secret, and who finds two texts of one number is
 * told of the clash by whoever uses it. (FNV-1a over the UTF-16 units, then mixed so that each bit of the text reaches each bit of the number.)
 */
const mask = (1n << 64n) - 1n;
const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** 16 hexadecimal digits. */
export function fingerprint(...parts: readonly string[]): string {
  // No name has a line break in it, so no two lists of parts are the same text.
  const text = parts.join('\n');
  let number = offset;
  for (let index = 0; index < text.length; index++) number = ((number ^ BigInt(text.charCodeAt(index))) * prime) & mask;
  return mixed(number).toString(16).padStart(16, '0');
}

function mixed(number: bigint): bigint {
  const once = ((number ^ (number >> 33n)) * 0xff51afd7ed558ccdn) & mask;
  const twice = ((once ^ (once >> 33n)) * 0xc4ceb9fe1a85ec53n) & mask;
  return twice ^ (twice >> 33n);
}
