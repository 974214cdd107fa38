/**
 * Resource versions can be compared where both are positive decimal integers without leading zeros (KEP-5504); they are longer than a
 * JavaScript number is exact, so they are compared as text. Only versions of one resource type of one cluster may be compared.
 */

const comparable = /^[1-9][0-9]*$/;

export type Ordering = -1 | 0 | 1;

/** How `a` stands to `b`, or undefined where nobody can tell: an aggregated server may number as it likes. */
export function compareResourceVersions(a: string | undefined, b: string | undefined): Ordering | undefined {
  if (a === undefined || b === undefined || !comparable.test(a) || !comparable.test(b)) return undefined;
  if (a === b) return 0;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
