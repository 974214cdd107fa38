/**
 * What one cluster answered to the search for the VirtualMachine of a Machine. No answer is not absence: they are two
 * different results.
 */
export type VmSearchResult =
  | { readonly kind: 'absent' }
  /** It has the uid of the Machine: it was created for it. */
  | { readonly kind: 'ours' }
  /** There is one with that name, but nothing says that it belongs to the Machine. */
  | { readonly kind: 'foreign' }
  /** Unknown; `message` says why. */
  | { readonly kind: 'unknown'; readonly message: string };
