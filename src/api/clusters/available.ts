/** What needs the cluster now is refused while it is known to be away; what can wait is written down instead, and done when it is back. */
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { ClusterDirectory } from './directory.ts';

const retryAfter = 15;

/** Throws SERVICE_UNAVAILABLE. `what` is what cannot be done: "the machine cannot be created". Clusters are named to the provider only. */
export function requireAvailable(caller: Caller, clusters: ClusterDirectory, cluster: string, what: string): void {
  const entry = clusters.get(cluster);
  if (entry?.available === true) return;
  throw unavailable(caller, what, cluster, entry === undefined ? 'it is not in the fleet (any more)' : entry.message);
}

export function unavailable(caller: Caller, what: string, cluster: string, why: string): ApiError {
  const reason = isSystemAdministrator(caller)
    ? `the cluster "${cluster}" is not available: ${withoutStop(why) || 'it does not answer'}`
    : 'the cluster of the virtual data center does not answer just now';
  return new ApiError('SERVICE_UNAVAILABLE', `${upperFirst(what)}: ${reason}. Try again later.`, { retryAfter });
}

/** It may be a whole sentence. */
export function withoutStop(text: string): string {
  return text.replace(/[\s.]+$/, '');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
