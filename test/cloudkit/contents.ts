/** Everything in a cluster that an order could consist of, with any creator. */
import {
  claims,
  configMaps,
  dataVolumes,
  instances,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { keyOf, type KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';

const kinds: readonly ResourceType<KubeObject>[] = [
  secrets,
  configMaps,
  dataVolumes,
  claims,
  virtualMachines,
  instances,
  services,
];

/** In all namespaces: `Secret tenant-a/web-cloud-init`. Objects in deletion are excluded. */
export async function contentsOf(client: Client): Promise<readonly string[]> {
  const found = await Promise.all(
    kinds.map(async (type) => {
      const { items } = await client.list(type);
      const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      return staying.map(({ metadata }) => `${type.kind} ${keyOf(metadata)}`);
    }),
  );
  return found.flat().toSorted();
}

/** What exists now and did not before. */
export async function newsSince(client: Client, before: readonly string[]): Promise<readonly string[]> {
  return (await contentsOf(client)).filter((one) => !before.includes(one));
}
