/**
 * What is wrong with a cluster (addresses, credentials, missing permissions) is shown only to the provider, who can fix
 * it; tenants learn only that something is.
 */
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { isSystemAdministrator, type Caller } from '../../caller.ts';
import type { CatalogSource } from '../catalogs/source.ts';

const forTenants = 'The cluster does not answer at the moment, or only in part; ask the provider.';

export interface RedactedAvailability {
  readonly unavailable: { readonly cluster: string; readonly message: string }[];
  readonly offered: (of: OfferedEntry) => OfferedEntry;
}

export function redactedFor(caller: Caller, source: CatalogSource): RedactedAvailability {
  const unavailable = source.unavailable();
  if (isSystemAdministrator(caller)) return { unavailable: [...unavailable], offered: (of) => of };
  const away = new Set(unavailable.map(({ cluster }) => cluster));
  return {
    unavailable: unavailable.map(({ cluster }) => ({ cluster, message: forTenants })),
    // An image's own message is shown to everyone: it is not about the cluster.
    offered: ({ entry, offers }) => ({
      entry,
      offers: offers.map((offer) =>
        away.has(offer.cluster) && !offer.available ? { ...offer, message: forTenants } : offer,
      ),
    }),
  };
}
