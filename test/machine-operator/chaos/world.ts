/** All objects, in all clusters, at one time. */
import {
  claims,
  dataVolumes,
  instances,
  networkAttachments,
  secrets,
  virtualMachines,
} from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, type Machine } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { keyOf, type KubeObject, type Unstructured } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';

/** By `namespace/name`, in the namespaces of the Machines. */
export type Found = ReadonlyMap<string, Unstructured>;

export interface ClusterWorld {
  readonly name: string;
  readonly vms: Found;
  readonly instances: Found;
  readonly claims: Found;
  readonly dataVolumes: Found;
  readonly attachments: Found;
  readonly secrets: Found;
}

export interface World {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly clusters: readonly ClusterWorld[];
}

/** The reachable clusters. */
export interface ChaosContext {
  readonly supervisor: { readonly client: Client };
  readonly members: readonly { readonly name: string; readonly client: Client }[];
}

export async function lookAtWorld(
  { supervisor, members }: ChaosContext,
  namespaces: readonly string[],
): Promise<World> {
  const [found, ...clusters] = await Promise.all([
    all<Machine>(supervisor.client, machines, namespaces),
    ...members.map(({ name, client }) => lookAtCluster(name, client, namespaces)),
  ]);
  return { machines: found, clusters };
}

async function lookAtCluster(name: string, client: Client, namespaces: readonly string[]): Promise<ClusterWorld> {
  const kind = (type: ResourceType<KubeObject>): Promise<Found> => all(client, type as ResourceType, namespaces);
  return {
    name,
    vms: await kind(virtualMachines),
    instances: await kind(instances),
    claims: await kind(claims),
    dataVolumes: await kind(dataVolumes),
    attachments: await kind(networkAttachments),
    secrets: await kind(secrets),
  };
}

async function all<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespaces: readonly string[],
): Promise<ReadonlyMap<string, T>> {
  // One list costs the server less than many small ones.
  const { items } = await client.list(type);
  const there = items.filter(({ metadata }) => namespaces.includes(metadata.namespace ?? ''));
  return new Map(there.map((item) => [keyOf(item.metadata), item] as const));
}
