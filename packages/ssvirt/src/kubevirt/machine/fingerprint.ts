/**
 * A deterministic 64-bit hash of a text. It distinguishes names and generates MAC addresses. It protects no secret:
 * collisions can be constructed, and each user of the hash reports them. (FNV-1a over the UTF-16 units, then mixed so
 * that each bit of the text affects each bit of the number.)
 */
const mask = (1n << 64n) - 1n;
const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** 16 hexadecimal digits. */
export function fingerprint(...parts: readonly string[]): string {
  // No name contains a line break, so no two lists of parts become the same text.
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
