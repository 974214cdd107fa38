/** The entry as the cluster of the virtual data center has it: a VM can be created from it only there. */
import type { CatalogEntry, OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import type { Caller } from '../../caller.ts';
import { redactedFor } from '../../catalogs/items/redaction.ts';
import type { CatalogSource } from '../../catalogs/catalogs/source.ts';
import { unavailable, withoutStop } from '../../clusters/available.ts';
import { conflict } from '../../errors.ts';

export interface InstantiationTarget {
  readonly source: CatalogSource;
  readonly cluster: string;
  /** The name of the virtual data center. */
  readonly name: string;
  /** Its namespace in the cluster. */
  readonly namespace: string;
}

export function entryAt(
  caller: Caller,
  { source, cluster, name }: InstantiationTarget,
  item: OfferedEntry,
): CatalogEntry {
  const { entry } = item;
  const offer = redactedFor(caller, source, 'all')
    .offered(item)
    .offers.find((one) => one.cluster === cluster);
  const here = offer === undefined ? undefined : source.entryIn(cluster, entry);
  const isAway = source.unavailable().some((away) => away.cluster === cluster);
  if (offer === undefined || here === undefined) {
    if (isAway) throw unavailable(caller, `"${entry.name}" cannot be used`, cluster, 'its catalog cannot be read');
    throw conflict(
      `The ${entry.kind} "${entry.name}" is not available in the virtual data center "${name}"; choose another item or another virtual data center.`,
    );
  }
  if (offer.available) return here;
  if (isAway) throw unavailable(caller, `"${entry.name}" cannot be used`, cluster, offer.message);
  throw conflict(
    `The ${entry.kind} "${entry.name}" cannot be used now: ${withoutStop(offer.message) || 'it is not ready'}.`,
  );
}
