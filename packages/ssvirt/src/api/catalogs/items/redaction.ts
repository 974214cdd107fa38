/**
 * What is wrong with a cluster (addresses, credentials, missing permissions) is shown only to the provider, who can fix
 * it; tenants learn only that something is.
 */
import type { UsableClusters } from '../../../db/catalogs/listed-items.ts';
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { isSystemAdministrator, type Caller } from '../../caller.ts';
import type { CatalogSource } from '../catalogs/source.ts';

const forTenants = 'The cluster does not answer at the moment, or only in part; ask the provider.';

export interface RedactedAvailability {
  readonly unavailable: { readonly cluster: string; readonly message: string }[];
  readonly offered: (of: OfferedEntry) => OfferedEntry;
}

const noVdcThere = 'None of your virtual data centers can use it; ask the provider for one in another cluster.';

/** `usable` are the clusters of the caller's VDCs: what only others offer is of no use to the caller. */
export function redactedFor(caller: Caller, source: CatalogSource, usable: UsableClusters): RedactedAvailability {
  const unavailable = source.unavailable();
  if (isSystemAdministrator(caller)) return { unavailable: [...unavailable], offered: (of) => usableIn(of, usable) };
  const away = new Set(unavailable.map(({ cluster }) => cluster));
  return {
    unavailable: unavailable.map(({ cluster }) => ({ cluster, message: forTenants })),
    // An image's own message is shown to everyone: it is not about the cluster.
    offered: ({ entry, offers }) => {
      const redacted = offers.map((offer) =>
        away.has(offer.cluster) && !offer.available ? { ...offer, message: forTenants } : offer,
      );
      return usableIn({ entry, offers: redacted }, usable);
    },
  };
}

function usableIn({ entry, offers }: OfferedEntry, usable: UsableClusters): OfferedEntry {
  if (usable === 'all') return { entry, offers };
  return {
    entry,
    offers: offers.map((offer) =>
      offer.available && !usable.has(offer.cluster) ? { ...offer, available: false, message: noVdcThere } : offer,
    ),
  };
}
