/** What is wrong with a cluster (addresses, credentials, rights that it lacks) is for the provider, who can mend it; tenants are told that something is. */
import type { OfferedEntry } from '../../virt/catalog/entry.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import type { CatalogSource } from '../catalogs/source.ts';

const forTenants = 'The cluster does not answer just now, or not to all questions; ask the provider.';

export interface Told {
  readonly unavailable: { readonly cluster: string; readonly message: string }[];
  readonly offered: (of: OfferedEntry) => OfferedEntry;
}

export function toldTo(caller: Caller, source: CatalogSource): Told {
  const unavailable = source.unavailable();
  if (isSystemAdministrator(caller)) return { unavailable: [...unavailable], offered: (of) => of };
  const away = new Set(unavailable.map(({ cluster }) => cluster));
  return {
    unavailable: unavailable.map(({ cluster }) => ({ cluster, message: forTenants })),
    // What an image says of itself is said: it is away by itself.
    offered: ({ entry, offers }) => ({
      entry,
      offers: offers.map((offer) =>
        away.has(offer.cluster) && !offer.available ? { ...offer, message: forTenants } : offer,
      ),
    }),
  };
}
