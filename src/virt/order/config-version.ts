/**
 * The version of what an order asks for, by the origin's own rule: the spec as Go writes it in JSON, hashed with FNV-1a (64 bits). Only its two fields
 * count, so that orders which AAP has reconciled before are not run again. The text of the parameters counts as it is, with its spaces.
 */
import type { OrderSpec } from './resource.ts';

type Versioned = Pick<OrderSpec, 'templateID' | 'templateParameters' | 'desiredConfigVersion'>;

/** What is asked for now. An empty one is none, as for Go. */
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

/** Go escapes what could end a script in a page of HTML. */
function asGoWrites(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In two halves of 32 bits: parameters may have 786432 characters, and a BigInt for each byte would take long. The prime is 2^40 + 435. */
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
