/** The servers that the kubectl suite runs against. */
import { startRealCluster, findBinaries } from '../cluster/real.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { notRun } from '../not-run.ts';

export interface Server {
  readonly name: string;
  readonly skip?: string;
  /** Answers with the path of a kubeconfig. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

export async function servers(): Promise<Server[]> {
  const given = process.env['SSVIRT_KUBECTL_KUBECONFIG'];
  if (given !== undefined && given !== '') {
    return [{ name: given, start: () => Promise.resolve(given), stop: () => Promise.resolve() }];
  }
  return [await real()];
}

async function real(): Promise<Server> {
  const name = 'a real kube-apiserver';
  const found = (await findBinaries(false)) !== undefined;
  return {
    ...launched(name, startRealCluster),
    ...(found
      ? {}
      : { skip: notRun(`test/kubectl against ${name}`, 'needs etcd, kube-apiserver and controller manager') }),
  };
}

function launched(name: string, launch: () => Promise<Cluster>): Server {
  let cluster: Cluster | undefined;
  return {
    name,
    start: async () => {
      cluster = await launch();
      return cluster.adminKubeconfig;
    },
    stop: async () => {
      await cluster?.stop();
    },
  };
}
