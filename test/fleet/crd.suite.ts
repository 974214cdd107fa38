/** The definition of KubevirtConfig on a real kube-apiserver, which limits the cost of CEL rules. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { after, before, describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { kubevirtConfigDefinition, install } from './definition.ts';
import { definitionCases } from './definition-cases.ts';
import { fixedSource } from './sandboxes.ts';

describe('KubevirtConfig on a real kube-apiserver', () => {
  let cluster: Cluster;
  let client: Client;
  before(async () => {
    cluster = await startRealCluster();
    client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'fleet-test' });
    await install(client, kubevirtConfigDefinition());
  });
  after(async () => {
    await client?.close();
    await cluster?.stop();
  });
  for (const { name, run } of definitionCases) test(name, () => run(client));
});
