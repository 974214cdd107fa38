/** The three doors through which people get virtual machines. */
export const places = ['vm', 'machine', 'order'] as const;
export type Place = (typeof places)[number];

export const placeWords: Readonly<Record<Place, string>> = {
  vm: 'virtual machine of a tenant',
  machine: 'Machine',
  order: 'order',
};

/** Something of the name that was asked for. */
export interface Candidate {
  readonly place: Place;
  readonly name: string;
  /** Namespace, or virtual data center and vApp. */
  readonly where: string;
  /** By which it is asked for again. */
  readonly id: { readonly urn: string } | { readonly namespace: string };
}

/** What one door said. */
export interface Sought {
  readonly place: Place;
  /** Where it was looked for, or would have been. */
  readonly at: string;
  readonly found: readonly Candidate[];
  /** Why it could not be asked. */
  readonly unasked?: string;
}
