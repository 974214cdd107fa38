/**
 * A supervisor and clusters with KubeVirt simulated, each behind its own proxy, which can cut it off, and operators as
 * processes that know only the proxies.
 */
import { namespaces, secrets } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { networkConfigurations } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { kubeconfigText } from '../../cluster/cluster.ts';
import { putSecret } from '../../fleet/harness.ts';
import { FaultProxy } from '../../runtime/fault-proxy.ts';
import { team } from '../harness.ts';
import { clustersApart, clustersHere, type Clusters, type StandingCluster } from './clusters.ts';
import { Operators, type OperatorsOptions } from './operators.ts';
import { networks, textsOf } from './supplies.ts';

export const clusterNames = ['east', 'north', 'west'] as const;
/** Both have Machines with the same names. */
export const teams = [team, 'team-b'] as const;

export interface ChaosHarnessOptions extends Partial<Omit<OperatorsOptions, 'supervisor'>> {
  readonly machines: number;
  /** Whether each cluster is a separate process. */
  readonly apart?: boolean;
}

/** A cluster, and the operators' route to it. */
export interface Place {
  readonly name: string;
  /** Bypasses the proxy, as users of that cluster do. */
  readonly client: Client;
  readonly proxy: FaultProxy;
}

export class ChaosHarness {
  readonly #clusters: Clusters;
  readonly operators: Operators;
  readonly supervisor: Place;
  readonly members: readonly Place[];
  readonly #tokens = new Map<string, string>();

  private constructor(clusters: Clusters, operators: Operators, supervisor: Place, members: readonly Place[]) {
    this.#clusters = clusters;
    this.operators = operators;
    this.supervisor = supervisor;
    this.members = members;
  }

  static async start({ machines, apart = false, ...options }: ChaosHarnessOptions): Promise<ChaosHarness> {
    const clusters = await (apart ? clustersApart : clustersHere)(clusterNames, machines);
    const proxied = async (cluster: StandingCluster): Promise<Place> => ({
      name: cluster.name,
      client: cluster.client,
      proxy: await FaultProxy.start(cluster),
    });
    const supervisor = await proxied(clusters.supervisor);
    const members = await Promise.all(clusters.members.map(proxied));
    const { url, ca } = supervisor.proxy;
    const credentials = { url, ca, token: supervisor.proxy.issueToken() };
    const operators = await Operators.open({ supervisor: credentials, ...options });
    const harness = new ChaosHarness(clusters, operators, supervisor, members);
    for (const member of members) await harness.rotate(member);
    await supply(supervisor.client);
    return harness;
  }

  member(name: string): Place {
    const found = this.members.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no cluster ${name}`);
    return found;
  }

  /** Writes a new token into the Secret; the one before is refused from now on. */
  async rotate({ name, proxy }: Place): Promise<void> {
    const before = this.#tokens.get(name);
    const token = proxy.issueToken();
    this.#tokens.set(name, token);
    await putSecret(this.supervisor, name, kubeconfigText({ url: proxy.url, ca: proxy.ca, token }));
    if (before !== undefined) proxy.expireToken(before);
  }

  /** Writes a useless Secret, until it is rotated. */
  async break({ name, proxy }: Place, how: 'nonsense' | 'token'): Promise<void> {
    const text =
      how === 'nonsense' ? 'no kubeconfig' : kubeconfigText({ url: proxy.url, ca: proxy.ca, token: 'nobody-s' });
    await putSecret(this.supervisor, name, text);
  }

  async stop(): Promise<void> {
    await this.operators.stop();
    for (const { proxy } of [this.supervisor, ...this.members]) await proxy.stop();
    await this.#clusters.stop();
  }
}

/** Accepts requests, and never answers; watch events do not arrive. */
export function hang({ proxy }: Place): void {
  proxy.add({ fault: { kind: 'silence' } });
  proxy.strike({ kind: 'silence-in-stream' });
}

/** Held requests are lost with their connections. */
export function heal({ proxy }: Place): void {
  proxy.clear();
  proxy.cutAll();
}

async function supply(client: Client): Promise<void> {
  for (const namespace of teams) {
    if (namespace !== team) await client.create(namespaces, { metadata: { name: namespace } });
    for (const [name, spec] of networks)
      await client.create(networkConfigurations, { metadata: { namespace, name }, spec });
    for (const [name, text] of textsOf(namespace)) {
      const data = { userdata: Buffer.from(text).toString('base64') };
      await client.create(secrets, { metadata: { namespace, name }, data });
    }
  }
}
