/**
 * Two replicas of the API server as processes, a cluster, a real database, and between them a stage that can hold their
 * work.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import type { Tables, VdcId } from '../../../packages/ssvirt/src/db/schema/schema.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../../cluster/cluster.ts';
import { startTestDatabase, type TestDatabase } from '../../database/harness.ts';
import { makeVapp, makeVm } from '../../database/rows.ts';
import { installKubeVirt } from '../../fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../fleet/sandboxes.ts';
import { makeCertificates, type Asked, type Told } from '../../processes/api-server.ts';
import { until } from '../../runtime/until.ts';
import { disagreements } from './agreement.ts';
import { Replica } from './replica.ts';
import { Stage } from './stage.ts';

const password = 'a password for tests only';

export interface Vdc {
  readonly name: string;
  readonly id: VdcId;
  readonly namespace: string;
}

export interface HarnessOptions {
  /** The database server is separate, and commits survive its crash. */
  readonly durable?: boolean;
  /** Prepares the cluster before the replicas start; by default installs the definitions of KubeVirt. */
  readonly furnish?: (cluster: MemberCluster) => Promise<void>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export class ReplicaHarness {
  readonly stage: Stage;
  readonly cluster: MemberCluster;
  readonly database: TestDatabase;
  readonly replicas: readonly [Replica, Replica];
  readonly #folder: ThrowAwayFolder;
  #headers: Readonly<Record<string, string>> = {};
  #organization = '';

  private constructor(
    parts: { readonly folder: ThrowAwayFolder; readonly cluster: MemberCluster; readonly database: TestDatabase },
    replicas: readonly [Replica, Replica],
    stage: Stage,
  ) {
    this.#folder = parts.folder;
    this.cluster = parts.cluster;
    this.database = parts.database;
    this.replicas = replicas;
    this.stage = stage;
  }

  static async start({ durable = false, furnish = installKubeVirt }: HarnessOptions = {}): Promise<ReplicaHarness> {
    const [folder, cluster, database] = await Promise.all([
      throwAwayFolder('ssvirt-replicas-'),
      startMemberCluster('own'),
      startTestDatabase({ fsync: durable }),
    ]);
    await furnish(cluster);
    const passwordFile = join(folder.path, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const certificates = await makeCertificates(folder.path);
    const stage = new Stage();
    const open = (name: string): Promise<Replica> =>
      Replica.open({
        name,
        folder: folder.path,
        cluster,
        databaseUrl: database.url,
        certificates,
        passwordFile,
        director: stage,
      });
    const replicas = [await open('first'), await open('second')] as const;
    const harness = new ReplicaHarness({ folder, cluster, database }, replicas, stage);
    try {
      for (const replica of replicas) replica.start();
      await Promise.all(replicas.map((replica) => replica.ready()));
      await harness.#furnish();
    } catch (error) {
      await harness.stop();
      throw error;
    }
    return harness;
  }

  get db(): Kysely<Tables> {
    return this.database.database.db;
  }

  get vdcsPath(): string {
    return `/api/admin/org/${this.#organization}/vdcs`;
  }

  /** Sends a request as the first administrator. */
  ask(replica: Replica, method: Method, path: string, { headers = {}, body }: Asked = {}): Promise<Told> {
    return replica.caller.ask(method, path, {
      headers: { ...this.#headers, ...headers },
      ...defined({ body }),
    });
  }

  /** Creates VDCs, and resolves when they exist. */
  async made(count: number): Promise<readonly Vdc[]> {
    const names = Array.from({ length: count }, () => newName());
    await Promise.all(
      names.map(async (name, i) => {
        const replica = this.replicas[i % 2] as Replica;
        const body = { name, vmQuota: 3 };
        const { status, body: told } = await this.ask(replica, 'POST', this.vdcsPath, { body });
        if (status !== 202) throw new Error(`cannot make a virtual data center: ${status} ${JSON.stringify(told)}`);
      }),
    );
    await this.agree(names);
    const rows = await this.db
      .selectFrom('vdcs')
      .select(['name', 'id', 'namespace'])
      .where('name', 'in', names)
      .execute();
    return names.map((name) => rows.find((row) => row.name === name) as Vdc);
  }

  /** Creates two VMs in the cluster and one row. */
  async addMachines({ id, namespace }: Vdc): Promise<void> {
    const vapp = await makeVapp(this.db, { vdc_id: id });
    await makeVm(this.db, { vapp_id: vapp.id, cluster: 'local', namespace });
    for (const name of ['one', 'two'])
      await this.cluster.client.create(virtualMachines, { metadata: { namespace, name } });
  }

  /** Resolves when rows and cluster agree about these VDCs, and no work is left for them. */
  async agree(names: readonly string[]): Promise<void> {
    let found: readonly string[] = [];
    const isAgreed = async (): Promise<boolean> => {
      found = await disagreements(this.db, this.cluster, names);
      return found.length === 0;
    };
    await until('rows and cluster agree', isAgreed, { deadlineMs: 120_000, everyMs: 200 }).catch((error: unknown) => {
      const logs = this.replicas.map(({ name, log }) => `${name}:\n${log.slice(-3000)}`).join('\n');
      throw new Error(`rows and cluster do not agree:\n${found.join('\n')}\n${logs}`, { cause: error });
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.cluster.stop();
    await this.database.stop();
    await this.#folder.remove();
  }

  async #furnish(): Promise<void> {
    const [first] = this.replicas;
    this.#headers = await first.caller.logIn('administrator@System', password);
    const { status, body } = await this.ask(first, 'POST', '/cloudapi/1.0.0/orgs', { body: { name: 'tenant' } });
    if (status !== 201) throw new Error(`cannot make an organisation: ${status} ${JSON.stringify(body)}`);
    this.#organization = String(body['id']);
    const { rows } = await sql<{ readonly id: string }>`
      SELECT id FROM organizations UNION SELECT id FROM users UNION SELECT id FROM sessions UNION SELECT id FROM installation
    `.execute(this.db);
    for (const { id } of rows) this.stage.known.add(id);
  }
}

/** The names of the created objects also contain it, so it identifies the requests for them. */
export function newName(kind = 'vdc'): string {
  return `${kind}-${randomBytes(5).toString('hex')}`;
}
