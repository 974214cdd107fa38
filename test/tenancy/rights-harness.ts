/** A replica whose own cluster is a kube-apiserver, with the rights and policies of deploy/rbac and no others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { vdcTypes } from '../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import { createFleet } from '../../packages/ssvirt/src/fleet/create-fleet.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { connectCluster, type ConnectedCluster } from '../../packages/kube/src/connect-cluster.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startTestDatabase } from '../database/harness.ts';
import { install, kubevirtConfigDefinition } from '../fleet/definition.ts';
import { configsNamespace, installKubeVirt, testReflector, testTimes } from '../fleet/harness.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { untilKnown } from '../rbac/known-rights.ts';
import { until } from '../runtime/until.ts';
import { installManifests, manifests } from '../vm-status/manifests.ts';
import { countsMachines } from './counts-vms.ts';
import { MachineHarness, machineSettings } from './vm-harness.ts';

const home = 'ssvirt-system';
const account = 'ssvirt-api-server';
/** The user of the API server. */
export const user = `system:serviceaccount:${home}:${account}`;

export interface Audited {
  readonly verb: string;
  readonly objectRef?: { readonly resource: string; readonly namespace?: string };
  readonly responseStatus?: { readonly code: number };
}

export class RightsHarness {
  readonly #folder: ThrowAwayFolder;
  readonly #cluster: Cluster;
  /** An administrator's. */
  readonly client: Client;
  readonly #local: ConnectedCluster;
  readonly harness: MachineHarness<{ readonly client: Client }>;

  private constructor(
    folder: ThrowAwayFolder,
    cluster: Cluster,
    client: Client,
    local: ConnectedCluster,
    harness: MachineHarness<{ readonly client: Client }>,
  ) {
    this.#folder = folder;
    this.#cluster = cluster;
    this.client = client;
    this.#local = local;
    this.harness = harness;
  }

  static async start(): Promise<RightsHarness> {
    const folder = await throwAwayFolder('ssvirt-tenancy-');
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
    };
    writeFileSync(join(folder.path, 'policy.json'), JSON.stringify(policy));
    const serverFlags = [
      `--audit-policy-file=${join(folder.path, 'policy.json')}`,
      `--audit-log-path=${join(folder.path, 'audit.log')}`,
    ];
    const cluster = await startRealCluster({ serverFlags });
    const client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'tenancy-test' });
    await install(client, kubevirtConfigDefinition());
    await installKubeVirt({ client });
    for (const name of [home, configsNamespace]) await client.create(vdcTypes.Namespace, { metadata: { name } });
    await until('the cluster counts machines', () => countsMachines(client), { deadlineMs: 90_000 });
    const all = manifests('api-server.yaml');
    await installManifests(client, all);
    await untilKnown(client, user, all);
    await installManifests(client, manifests('policies.yaml'));
    const { body } = await client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    });
    const { token } = (body as { readonly status: { readonly token: string } }).status;
    const parts = { log: pino({ level: 'silent' }), component: account, reflector: testReflector };
    const metrics = createMetrics(new Registry());
    const local = connectCluster({ ...parts, name: 'local', source: fixedSource({ ...cluster, token }), metrics });
    const fleets = {
      supervisor: { client },
      fleet: () => {
        const options = { ...parts, local, namespace: configsNamespace, userAgent: account, times: testTimes };
        const fleet = createFleet({ ...options, metrics: createMetrics(new Registry()), reports: () => false });
        const stopping = new AbortController();
        const ended = fleet.run({ signal: stopping.signal });
        const end = async (): Promise<void> => {
          stopping.abort();
          await ended;
        };
        return { fleet, end };
      },
      stop: () => Promise.resolve(),
    };
    const harness = new MachineHarness<{ readonly client: Client }>(fleets, await startTestDatabase());
    harness.replica(machineSettings);
    return new RightsHarness(folder, cluster, client, local, harness);
  }

  /** The requests of the API server. */
  audited(): readonly Audited[] {
    return readFileSync(join(this.#folder.path, 'audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Audited);
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.#local.close();
    await this.client.close();
    await this.#cluster.stop();
    await this.#folder.remove();
  }
}
