/** The effect of a template change on a running VMI. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';

export type LiveChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'patch'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly kind: 'restart'; readonly message: string }
  /** Not possible now; it is retried. */
  | { readonly kind: 'refuse'; readonly message: string };

export const none: LiveChange = { kind: 'none' };
export const restart = (message: string): LiveChange => ({ kind: 'restart', message });
export const refuse = (message: string): LiveChange => ({ kind: 'refuse', message });
