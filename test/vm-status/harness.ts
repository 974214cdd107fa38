/**
 * The harness for tests of the vm-controller as a process: a database with a log of its writes, a fleet, a tenant,
 * controllers.
 */
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { install, kubevirtConfigDefinition } from '../fleet/definition.ts';
import { configsNamespace, putConfig } from '../fleet/harness.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { until } from '../runtime/until.ts';
import { disagreements, type AgreeingCluster, type Disagreement } from './agreement.ts';
import { Controllers, type ControllersOptions } from './controllers.ts';
import { Tenant } from './tenant.ts';
import { describeWrite, keepWrites, readWrites, type Write } from './write-log.ts';

export interface HarnessCluster extends AgreeingCluster, Credentials {
  stop(): Promise<void>;
}

const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** The namespaces of the Lease and of the KubevirtConfigs; created if they do not exist. */
export const supervisorNamespaces = ['ssvirt-system', configsNamespace] as const;

export interface VmStatusHarness<C extends HarnessCluster> {
  /** The first is the supervisor, and also the member `local`. */
  readonly clusters: readonly C[];
  readonly database: TestDatabase;
  readonly tenant: Tenant;
  readonly controllers: Controllers;
  writes(after?: number): Promise<readonly Write[]>;
  /** Resolves when every row of these clusters (all by default) matches its VM, and every VM has its row. */
  agrees(options?: AgreesOptions<C>): Promise<void>;
  stop(): Promise<void>;
}

export interface AgreesOptions<C> {
  readonly of?: readonly C[];
  readonly deadlineMs?: number;
  /** The actions on a VM, for the report of a disagreement. */
  readonly historyOf?: (cluster: string, name: string) => readonly string[];
}

export interface HarnessOptions extends Pick<ControllersOptions, 'again' | 'settings' | 'silenceMs'> {
  /** Settings of PostgreSQL; with them it is a separate server. */
  readonly postgres?: Readonly<Record<string, string>>;
}

/** Makes the first cluster the supervisor of the others. If this fails, the clusters are not stopped. */
export async function startVmStatusHarness<C extends HarnessCluster>(
  clusters: readonly C[],
  { postgres, ...options }: HarnessOptions = {},
): Promise<VmStatusHarness<C>> {
  const [supervisor, ...members] = clusters;
  if (supervisor === undefined) throw new Error('there is no cluster to be the supervisor');
  const [database] = await Promise.all([
    startTestDatabase(postgres === undefined ? {} : { settings: postgres, ownServer: true }),
    superviseFrom(supervisor, members),
  ]);
  const { pool } = database.database;
  await keepWrites(pool);
  const tenant = await Tenant.create(
    database.database.db,
    clusters.map(({ name }) => name),
  );
  const controllers = await Controllers.open({ supervisor, databaseUrl: database.url, ...options });
  const writes = (after?: number): Promise<readonly Write[]> => readWrites(pool, after);
  return {
    clusters,
    database,
    tenant,
    controllers,
    writes,
    async agrees({ of = clusters, deadlineMs = 60_000, historyOf = () => [] } = {}) {
      let found: readonly Disagreement[] = [];
      const probe = async (): Promise<boolean> => {
        found = await disagreements(pool, of);
        return found.length === 0;
      };
      try {
        await until('the rows say what the clusters have', probe, { deadlineMs, everyMs: 50 });
      } catch (error) {
        throw new Error(report(found, await writes(), controllers, historyOf), { cause: error });
      }
    },
    async stop() {
      await controllers.stop();
      await database.stop();
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    },
  };
}

async function superviseFrom(supervisor: HarnessCluster, members: readonly HarnessCluster[]): Promise<void> {
  await install(supervisor.client, kubevirtConfigDefinition());
  for (const name of supervisorNamespaces) await supervisor.client.create(namespaces, { metadata: { name } });
  for (const member of members) await putConfig(supervisor, member.name, member);
}

/** Each disagreement with the history of its row, and the last log lines of the controllers. */
function report(
  found: readonly Disagreement[],
  writes: readonly Write[],
  { all }: Controllers,
  historyOf: (cluster: string, name: string) => readonly string[],
): string {
  const one = ({ cluster, name, what }: Disagreement): string => {
    const history = writes.filter((write) => write.cluster === cluster && write.name === name).slice(-12);
    const done = historyOf(cluster, name).slice(-12);
    return [`${cluster}/${name}: ${what}`, ...history.map(describeWrite), ...done].join('\n  ');
  };
  const logs = all.map(({ name, log }) => `--- ${name}\n${log.slice(-3000)}`);
  return [`${found.length} machines and their rows do not agree`, ...found.slice(0, 5).map(one), ...logs].join('\n');
}
