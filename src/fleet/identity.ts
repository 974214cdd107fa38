/**
 * A cluster is the uid of its namespace kube-system: addresses, names and certificates may all stay the same while another cluster takes the
 * place of the first. What follows from what was found is decided here.
 */

export interface IdentityFacts {
  /** From first contact, or undefined before it. */
  readonly recorded: string | undefined;
  readonly found: string;
  /** The value of the annotation by which a person accepts another identity. */
  readonly accepted: string | undefined;
}

export type IdentityVerdict =
  /** First contact: to be recorded. */
  | { readonly kind: 'first'; readonly identity: string }
  | { readonly kind: 'same'; readonly identity: string }
  /** Another cluster, and a person said that it is the right one. */
  | { readonly kind: 'accepted'; readonly identity: string; readonly before: string }
  /** Another cluster: nothing may be written to it or concluded from it. */
  | { readonly kind: 'changed'; readonly recorded: string; readonly found: string };

export function judgeIdentity({ recorded, found, accepted }: IdentityFacts): IdentityVerdict {
  if (recorded === undefined || recorded === '') return { kind: 'first', identity: found };
  if (recorded === found) return { kind: 'same', identity: found };
  // The annotation names a uid: one that was left from an earlier swap accepts nothing new.
  if (accepted === found) return { kind: 'accepted', identity: found, before: recorded };
  return { kind: 'changed', recorded, found };
}

export interface Claim {
  readonly name: string;
  /** Recorded before, not only found now. */
  readonly recorded: boolean;
  readonly createdAt: string;
}

/**
 * Who is the member where several names lead to one cluster: whoever is recorded, then the older, then by name, so that every
 * process comes to the same answer.
 */
export function firstClaim(claims: readonly Claim[]): Claim | undefined {
  const rank = (claim: Claim): string => `${claim.recorded ? 0 : 1} ${claim.createdAt} ${claim.name}`;
  return [...claims].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}
