/** `places` are the three ways in which people get virtual machines. */
export const places = ['vm', 'machine', 'order'] as const;
export type VmOrigin = (typeof places)[number];

export const placeWords: Readonly<Record<VmOrigin, string>> = {
  vm: 'virtual machine of a tenant',
  machine: 'Machine',
  order: 'order',
};

/** An object that has the given name. */
export interface OriginMatch {
  readonly place: VmOrigin;
  readonly name: string;
  /** The namespace, or the VDC and vApp. */
  readonly where: string;
  /** How to address it in the next request. */
  readonly id: { readonly urn: string } | { readonly namespace: string };
}

/** `OriginSearch` is the result of searching one place. */
export interface OriginSearch {
  readonly place: VmOrigin;
  /** Where it was searched, or would have been. */
  readonly at: string;
  readonly found: readonly OriginMatch[];
  /** Why it could not be searched. */
  readonly unasked?: string;
}
