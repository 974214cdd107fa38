/**
 * A supervisor and clusters with KubeVirt simulated: in this process if they are small, otherwise each in a separate
 * one.
 */
import { createClient } from '../../../packages/kube/src/client/create.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { namespaces } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import type { Cluster, Credentials } from '../../cluster/cluster.ts';
import { startSandbox } from '../../cluster/sandbox.ts';
import { install, kubevirtConfigDefinition } from '../../fleet/definition.ts';
import { configsNamespace, putConfig } from '../../fleet/harness.ts';
import { fixedSource } from '../../fleet/sandboxes.ts';
import { definitionOf } from '../definitions.ts';
import { OperatorHarness, team } from '../harness.ts';

export interface StandingCluster extends Credentials {
  readonly name: string;
  readonly client: Client;
}

export interface Clusters {
  readonly supervisor: StandingCluster;
  readonly members: readonly StandingCluster[];
  stop(): Promise<void>;
}

const nodesFor = (machines: number): number => Math.max(2, Math.ceil(machines / 60));

export async function clustersHere(names: readonly string[], machines: number): Promise<Clusters> {
  const nodes = { count: nodesFor(machines), cpu: '2000', memory: '8Ti' };
  const harness = await OperatorHarness.start({ clusters: names, dials: { speed: 100, nodes } });
  const { supervisor } = harness;
  return { supervisor, members: names.map((name) => harness.member(name)), stop: () => harness.stop() };
}

const flags = ['--bare=false', '--parts', 'kubevirt,nodes,storage,cdi', '--speed', '60'];

export async function clustersApart(names: readonly string[], machines: number): Promise<Clusters> {
  const nodes = ['--nodes', String(nodesFor(machines)), '--node-cpu', '2000', '--node-memory', '8Ti'];
  const started = await Promise.allSettled([
    startSandbox(),
    ...names.map(() => startSandbox({ args: [...flags, ...nodes] })),
  ]);
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const all = running.map((cluster, i) => standing(i === 0 ? 'supervisor' : (names[i - 1] ?? ''), cluster));
  const stop = async (): Promise<void> => {
    await Promise.all(all.map(({ client }) => client.close()));
    await Promise.all(running.map((cluster) => cluster.stop()));
  };
  const [supervisor, ...members] = all;
  if (supervisor === undefined || members.length < names.length) {
    await stop();
    throw new Error('cannot start the clusters', {
      cause: started.find((one) => one.status === 'rejected')?.reason,
    });
  }
  await furnish(supervisor.client);
  for (const member of members) await putConfig(supervisor, member.name, member);
  return { supervisor, members, stop };
}

function standing(name: string, { url, ca, token }: Cluster): StandingCluster {
  const source = fixedSource({ url, ca, token });
  return { name, url, ca, token, client: createClient({ cluster: name, source, userAgent: 'machine-chaos' }) };
}

async function furnish(client: Client): Promise<void> {
  await install(client, kubevirtConfigDefinition(), definitionOf('machines'), definitionOf('networkconfigurations'));
  for (const name of [configsNamespace, team]) await client.create(namespaces, { metadata: { name } });
}
