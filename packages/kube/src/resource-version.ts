/**
 * Resource versions are comparable when both are positive decimal integers without leading zeros (KEP-5504). They may
 * exceed the precision of a JavaScript number, so they are compared as text. Only versions of one resource type of one
 * cluster may be compared.
 */

const comparable = /^[1-9][0-9]*$/;

export type Ordering = -1 | 0 | 1;

/** `compareResourceVersions` compares `a` with `b`; undefined when they are not comparable: an aggregated server may use any numbering. */
export function compareResourceVersions(a: string | undefined, b: string | undefined): Ordering | undefined {
  if (a === undefined || b === undefined || !comparable.test(a) || !comparable.test(b)) return undefined;
  if (a === b) return 0;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
