/** What one cluster said when it was asked for the virtual machine of a Machine. Silence is not absence: they are two answers. */
export type Sighting =
  | { readonly kind: 'absent' }
  /** It bears the uid of the Machine: it was made for it. */
  | { readonly kind: 'ours' }
  /** There is one of that name, and nothing says that it is the Machine's. */
  | { readonly kind: 'foreign' }
  /** Nobody knows; `message` says why. */
  | { readonly kind: 'unknown'; readonly message: string };
