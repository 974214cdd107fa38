/**
 * Requests that need the cluster at once are refused while it is known to be unavailable. Others are recorded and done
 * when it is back.
 */
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { ClusterDirectory } from './directory.ts';

const retryAfter = 15;

/**
 * Throws SERVICE_UNAVAILABLE. `what` is a clause such as "the VM cannot be created". Only the provider sees names of
 * clusters.
 */
export function requireAvailable(caller: Caller, clusters: ClusterDirectory, cluster: string, what: string): void {
  const entry = clusters.get(cluster);
  if (entry?.available === true) return;
  throw unavailable(caller, what, cluster, entry === undefined ? 'it is not a member of the fleet' : entry.message);
}

export function unavailable(caller: Caller, what: string, cluster: string, why: string): ApiError {
  const reason = isSystemAdministrator(caller)
    ? `the cluster "${cluster}" is not available: ${withoutStop(why) || 'it does not answer'}`
    : 'the cluster of the virtual data center does not answer at the moment';
  return new ApiError('SERVICE_UNAVAILABLE', `${upperFirst(what)}: ${reason}. Try again later.`, { retryAfter });
}

/** `withoutStop` removes the full stop of a text that may be a sentence. */
export function withoutStop(text: string): string {
  return text.replace(/[\s.]+$/, '');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
