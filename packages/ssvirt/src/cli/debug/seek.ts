/**
 * Searches all places for an object with the given name. A place that cannot be searched does not affect the others.
 */
import type { Command } from 'commander';
import { clusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { asFailure } from '../cluster/failures.ts';
import { machines } from '../machine/shown-machine.ts';
import { orders } from '../order/shown-order.ts';
import { CliFailure } from '../output/failure.ts';
import { places, type VmOrigin, type OriginSearch } from './place.ts';
import { seekInCluster } from './seek-cluster.ts';
import { seekTenant } from './seek-tenant.ts';

export interface SeekOptions {
  readonly kind?: VmOrigin;
  readonly namespace?: string;
}

/** `NAMESPACE/NAME` cannot be a tenant's VM, and a URN cannot be an object in a cluster. */
export async function seek(command: Command, given: string): Promise<readonly OriginSearch[]> {
  const { kind, namespace: said } = command.opts<SeekOptions>();
  const [before = '', after] = given.split('/', 2);
  const name = after ?? given;
  const namespace = after === undefined ? said : before;
  const isUrn = given.startsWith('urn:');
  const asked = places.filter((place) => kind === undefined || place === kind);
  const inClusters = asked.filter((place) => place !== 'vm' && !isUrn) as readonly Exclude<VmOrigin, 'vm'>[];
  const seeking = [
    ...(asked.includes('vm') && after === undefined ? [seekTenant(command, given).then((one) => [one])] : []),
    ...(inClusters.length === 0 ? [] : [seekInClusters(command, inClusters, { name, namespace })]),
  ];
  return (await Promise.all(seeking)).flat();
}

async function seekInClusters(
  command: Command,
  asked: readonly Exclude<VmOrigin, 'vm'>[],
  { name, namespace }: { readonly name: string; readonly namespace: string | undefined },
): Promise<readonly OriginSearch[]> {
  const types = { machine: machines, order: orders };
  try {
    return await connected(clusterChoice(command), 'vm-debug', (cluster) =>
      Promise.all(asked.map((place) => seekInCluster(cluster, { place, type: types[place], name, namespace }))),
    );
  } catch (error) {
    const failure = asFailure(error);
    if (!(failure instanceof CliFailure)) throw failure;
    const at = 'the cluster of the kubeconfig';
    return asked.map((place) => ({ place, at, found: [], unasked: failure.message }));
  }
}
