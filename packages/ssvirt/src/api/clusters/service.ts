/** The clusters of the fleet: what this process knows of them, and what the vm-controller has recorded. */
import type { Kysely } from 'kysely';
import { listClusterRows, type ClusterRow } from '../../db/clusters/clusters.ts';
import { BadListRequest, type ListPage, type ListRequest } from '../../db/lists/contracts.ts';
import type { Tables } from '../../db/schema/schema.ts';
import type { ClusterDirectory, ClusterEntry } from './directory.ts';

export interface ShownCluster {
  readonly name: string;
  /** Undefined if the cluster is no longer in the fleet. */
  readonly entry: ClusterEntry | undefined;
  /** Undefined if neither the vm-controller nor a virtual data center has used the cluster. */
  readonly row: ClusterRow | undefined;
}

/** The fleet is small, so the list is sorted by name and has no filters. */
export async function clustersPage(
  db: Kysely<Tables>,
  directory: ClusterDirectory,
  { page, pageSize, filter, sort }: ListRequest,
): Promise<ListPage<ShownCluster>> {
  if (filter !== undefined) throw new BadListRequest('filter: clusters cannot be filtered; leave it out.');
  if (sort !== undefined && sort.field !== 'name')
    throw new BadListRequest(
      `sortAsc, sortDesc: clusters cannot be sorted by "${sort.field.slice(0, 60)}"; sort by name.`,
    );
  const rows = new Map((await listClusterRows(db)).map((row) => [row.name, row]));
  const entries = new Map(directory.list().map((entry) => [entry.name, entry]));
  const names = [...new Set([...entries.keys(), ...rows.keys()])].sort();
  if (sort?.direction === 'desc') names.reverse();
  const shown = names.slice((page - 1) * pageSize, page * pageSize);
  return { rows: shown.map((name) => ({ name, entry: entries.get(name), row: rows.get(name) })), total: names.length };
}

/** Undefined if there is no cluster of that name. */
export async function cluster(
  db: Kysely<Tables>,
  directory: ClusterDirectory,
  name: string,
): Promise<ShownCluster | undefined> {
  const row = (await listClusterRows(db)).find((one) => one.name === name);
  const entry = directory.get(name);
  return row === undefined && entry === undefined ? undefined : { name, entry, row };
}
