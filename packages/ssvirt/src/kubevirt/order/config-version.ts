/**
 * The config version of an order, by the rule of the original operator: the spec as Go serializes it to JSON, hashed
 * with FNV-1a (64 bits). Only its two fields count, so that orders that AAP has already reconciled are not run again.
 * The text of the parameters counts verbatim, including spaces.
 */
import type { OrderSpec } from './resource.ts';

type Versioned = Pick<OrderSpec, 'templateID' | 'templateParameters' | 'desiredConfigVersion'>;

/** `desiredVersion` returns the version that is requested now. An empty one counts as absent, as in Go. */
export function desiredVersion(spec: Versioned): string {
  return spec.desiredConfigVersion || configVersion(spec);
}

export function configVersion({ templateID, templateParameters }: Versioned): string {
  const spec = {
    ...(templateID ? { templateID: templateID.toWellFormed() } : {}),
    ...(templateParameters ? { templateParameters: templateParameters.toWellFormed() } : {}),
  };
  return fnv1a(Buffer.from(asGoWrites(JSON.stringify(spec))));
}

/** `isComputed` returns whether the version has the form of a computed one. A person may have chosen it nevertheless. */
export function isComputed(version: string): boolean {
  return /^[0-9a-f]{16}$/.test(version);
}

/** Go escapes characters that could end a script in an HTML page. */
function asGoWrites(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Computes with two halves of 32 bits: parameters may have 786432 characters, and a BigInt per byte would be slow. The
 * prime is 2^40 + 435.
 */
function fnv1a(bytes: Uint8Array): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    const product = low * 435;
    high = (high * 435 + Math.floor(product / 2 ** 32) + low * 256) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
