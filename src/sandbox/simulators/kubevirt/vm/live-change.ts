/** What a change of the template means for a VMI that runs. */
import type { JsonPatchOperation } from '../../../../kube/client/client.ts';

export type LiveChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'patch'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly kind: 'restart'; readonly message: string }
  /** Not now: it is tried again. */
  | { readonly kind: 'refuse'; readonly message: string };

export const none: LiveChange = { kind: 'none' };
export const restart = (message: string): LiveChange => ({ kind: 'restart', message });
export const refuse = (message: string): LiveChange => ({ kind: 'refuse', message });
