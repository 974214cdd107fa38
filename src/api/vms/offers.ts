/** What the cluster of a virtual data center has to make machines of. */
import type { CatalogSource } from '../catalogs/source.ts';
import { ApiError } from '../errors.ts';

export interface Offers {
  readonly source: CatalogSource;
  readonly cluster: string;
}

/** It has not been read (yet), so nothing can be said against what is asked for, and nothing for it. */
export function notKnown(what: string): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `It is not known just now which ${what} the cluster of the virtual data center has. Try again in a while.`,
    { retryAfter: 15 },
  );
}
