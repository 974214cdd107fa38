/** What the cluster of a virtual data center offers for creating VMs. */
import type { CatalogSource } from '../catalogs/catalogs/source.ts';
import { ApiError } from '../errors.ts';

export interface Offers {
  readonly source: CatalogSource;
  readonly cluster: string;
}

/** The cluster's list has not been read yet, so the request can be neither accepted nor refused. */
export function notKnown(what: string): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The ${what} of the cluster of the virtual data center are unknown at the moment. Try again later.`,
    { retryAfter: 15 },
  );
}
