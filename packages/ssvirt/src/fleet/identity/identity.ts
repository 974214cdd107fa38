/**
 * The identity of a cluster is the uid of its namespace kube-system: addresses, names and certificates may stay the
 * same while another cluster takes its place. This module decides what follows from an observed identity.
 */

export interface IdentityFacts {
  /** From first contact; undefined before it. */
  readonly recorded: string | undefined;
  readonly found: string;
  /** The value of the annotation by which a person accepts another identity. */
  readonly accepted: string | undefined;
}

export type IdentityDecision =
  /** First contact: the identity must be recorded. */
  | { readonly kind: 'first'; readonly identity: string }
  | { readonly kind: 'same'; readonly identity: string }
  /** Another cluster, and a person has accepted it. */
  | { readonly kind: 'accepted'; readonly identity: string; readonly before: string }
  /** Another cluster: nothing may be written to it or concluded from it. */
  | { readonly kind: 'changed'; readonly recorded: string; readonly found: string };

export function judgeIdentity({ recorded, found, accepted }: IdentityFacts): IdentityDecision {
  if (recorded === undefined || recorded === '') return { kind: 'first', identity: found };
  if (recorded === found) return { kind: 'same', identity: found };
  // The annotation names a uid: one that is left from an earlier swap accepts nothing new.
  if (accepted === found) return { kind: 'accepted', identity: found, before: recorded };
  return { kind: 'changed', recorded, found };
}

export interface IdentityHolder {
  readonly name: string;
  /** The identity was already recorded, not only found now. */
  readonly recorded: boolean;
  readonly createdAt: string;
}

/**
 * Decides which name becomes the member if several names refer to one cluster: the recorded one, then the older one,
 * then by name. So every process decides the same.
 */
export function firstClaim(claims: readonly IdentityHolder[]): IdentityHolder | undefined {
  const rank = (claim: IdentityHolder): string => `${claim.recorded ? 0 : 1} ${claim.createdAt} ${claim.name}`;
  return [...claims].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}
