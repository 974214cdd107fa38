/** Checks that the rows match the clusters: every VM of ours has its row, every live row has its VM, and both agree. */
import type { Pool } from 'pg';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { instances, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { expectedRow, type ShownInstance, type ShownMachine } from './expected-machine.ts';

export interface AgreeingCluster {
  readonly name: string;
  readonly client: Client;
  /** The namespace of its VDC: everything in it is ours. */
  readonly namespace: string;
}

export interface Disagreement {
  readonly cluster: string;
  readonly name: string;
  readonly what: string;
}

interface Row {
  readonly cluster: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly status: string;
  readonly node: string | null;
  readonly addresses: readonly string[];
  readonly stale: boolean;
}

export async function disagreements(
  pool: Pool,
  clusters: readonly AgreeingCluster[],
): Promise<readonly Disagreement[]> {
  const found = await Promise.all(clusters.map((cluster) => ofCluster(pool, cluster)));
  return found.flat();
}

async function ofCluster(pool: Pool, { name: cluster, client, namespace }: AgreeingCluster): Promise<Disagreement[]> {
  const vms = await list<ShownMachine>(client, virtualMachines, namespace);
  const instancesByName = await list<ShownInstance>(client, instances, namespace);
  const rows = await liveRows(pool, cluster, namespace);
  const names = new Set([...vms.keys(), ...rows.keys()]);
  return [...names].flatMap((name) => {
    const what = difference(vms.get(name), instancesByName.get(name), rows.get(name));
    return what === undefined ? [] : [{ cluster, name, what }];
  });
}

function difference(
  vm: ShownMachine | undefined,
  instance: ShownInstance | undefined,
  rows: readonly Row[] = [],
): string | undefined {
  const [row, second] = rows;
  if (second !== undefined) return `it has ${rows.length} live rows`;
  if (row === undefined) return vm?.metadata.deletionTimestamp === undefined ? 'it has no row' : undefined;
  if (vm === undefined) return `there is no such machine, and its row says ${row.status}`;
  if (row.stale) return 'its row is stale';
  const wanted = expectedRow(vm, instance);
  const differs = [
    ...(row.uid === wanted.uid ? [] : [`uid ${row.uid} and not ${wanted.uid}`]),
    ...(row.generation === wanted.generation ? [] : [`generation ${row.generation} and not ${wanted.generation}`]),
    ...(wanted.status.includes(row.status) ? [] : [`${row.status} and not ${wanted.status.join(' or ')}`]),
    ...(row.node === wanted.node ? [] : [`node ${row.node} and not ${wanted.node}`]),
    ...(row.addresses.join() === wanted.addresses.join()
      ? []
      : [`addresses ${row.addresses.join()} and not ${wanted.addresses.join()}`]),
  ];
  if (differs.length === 0) return undefined;
  return `its row says ${differs.join('; ')}: ${JSON.stringify({ spec: vm.spec?.runStrategy, status: vm.status, instance: instance?.status?.phase })}`;
}

async function list<T extends ShownMachine | ShownInstance>(
  client: Client,
  type: ResourceType<KubeObject>,
  namespace: string,
): Promise<ReadonlyMap<string, T>> {
  const { items } = await client.list(type as ResourceType<T>, { namespace, timeoutMs: 5000 });
  return new Map(items.map((object) => [object.metadata.name ?? '', object]));
}

async function liveRows(pool: Pool, cluster: string, namespace: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { rows } = await pool.query<Row>(
    `SELECT o.cluster, o.name, o.uid, o.generation::float8 AS generation, o.status, o.node,
      array(SELECT unnest(o.ip_addresses) ORDER BY 1) AS addresses, s.stale
    FROM vm_observed o JOIN vm_status s ON s.vm_id = o.vm_id WHERE o.cluster = $1 AND o.namespace = $2 AND o.status <> 'DELETED'`,
    [cluster, namespace],
  );
  return Map.groupBy(rows, ({ name }) => name);
}
