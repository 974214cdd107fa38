/** VDCs in a real database and a cluster of the sandbox, with the tenancy controllers of one replica between them. */
import { randomUUID } from 'node:crypto';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createTenancy } from '../../packages/ssvirt/src/controllers/tenancy/engine/tenancy.ts';
import type { TenancySettings } from '../../packages/ssvirt/src/controllers/tenancy/engine/settings.ts';
import { requestReconciliation } from '../../packages/ssvirt/src/db/work-queue/reconciliations.ts';
import type { New } from '../../packages/ssvirt/src/db/connection/rows.ts';
import type {
  JsonObject,
  Tables,
  TaskId,
  TaskTable,
  VdcId,
  VdcTable,
} from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createTask } from '../../packages/ssvirt/src/db/tasks/tasks.ts';
import { inTransaction } from '../../packages/ssvirt/src/db/connection/transaction.ts';
import { updateVdc, type Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { vdcTypes } from '../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import { childNames, type VdcKind } from '../../packages/ssvirt/src/kubevirt/vdc/objects.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { makeVdc } from '../database/rows.ts';
import { installKubeVirt, startFleetHarness, type FleetHarness } from '../fleet/harness.ts';
import type { MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

type Task = Selectable<TaskTable>;

export interface Asked {
  readonly vdc: Vdc;
  readonly task: TaskId;
}

/** Short enough for a test; a request still has time on a busy host. */
export const testSettings: Partial<TenancySettings> = {
  leaseMs: 8_000,
  requestMs: 2_000,
  retryMs: 50,
  maxRetryMs: 200,
  refusedRetryMs: 200,
  waitMs: 50,
  debounceMs: 20,
  gatherMs: 20,
  idleMs: 1_000,
  overdueMs: 200,
};

export interface Replica {
  readonly registry: Registry;
  readonly fleet: Fleet;
  stop(): Promise<void>;
}

/** A cluster with fleets on it. */
export interface Fleets<C> extends Pick<FleetHarness, 'fleet' | 'stop'> {
  readonly supervisor: C;
}

interface ReconcileRequest {
  readonly message: string;
  readonly failures: number;
  readonly attempt: number;
  readonly owner: string | null;
}

export class TenancyHarness<C extends Pick<MemberCluster, 'client'> = MemberCluster, F extends Fleets<C> = Fleets<C>> {
  readonly fleets: F;
  readonly database: TestDatabase;
  readonly lines: readonly Record<string, unknown>[];
  readonly #log: Logger;
  readonly #replicas: Replica[] = [];

  constructor(fleets: F, database: TestDatabase) {
    this.fleets = fleets;
    this.database = database;
    const lines: Record<string, unknown>[] = [];
    this.lines = lines;
    this.#log = pino(
      { level: 'debug', base: null },
      { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
  }

  static async start(): Promise<TenancyHarness<MemberCluster, FleetHarness>> {
    const [fleets, database] = await Promise.all([startFleetHarness(), startTestDatabase()]);
    await installKubeVirt(fleets.supervisor);
    return new TenancyHarness(fleets, database);
  }

  get db(): Kysely<Tables> {
    return this.database.database.db;
  }

  get cluster(): C {
    return this.fleets.supervisor;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /** Starts another replica that works on the same rows. */
  replica(settings: Partial<TenancySettings> = {}): Replica {
    const registry = new Registry();
    const { fleet, end } = this.fleets.fleet();
    const { runnables, engageable } = createTenancy({
      database: this.database.database,
      fleet,
      holder: `replica-${randomUUID().slice(0, 8)}`,
      log: this.#log,
      registry,
      settings: { ...testSettings, ...settings },
    });
    fleet.serve(engageable);
    const stopping = new AbortController();
    const ended = Promise.all(runnables.map((one) => one.run({ signal: stopping.signal })));
    const replica: Replica = {
      registry,
      fleet,
      async stop() {
        stopping.abort();
        await ended;
        await end();
      },
    };
    this.#replicas.push(replica);
    return replica;
  }

  /** As an API request does: row, task and reconcile request in one transaction. */
  create(vdc: Partial<New<VdcTable>> = {}): Promise<Asked> {
    return this.db.transaction().execute(async (tx) => {
      const made = await makeVdc(tx, vdc);
      return { vdc: made, task: await ask(tx, made, 'vdcCreate') };
    });
  }

  update(
    vdc: Vdc,
    change: Parameters<typeof updateVdc>[2],
    details: JsonObject = {},
    db: Kysely<Tables> = this.db,
  ): Promise<Asked> {
    const operation = change.desired_state === 'absent' ? 'vdcDelete' : 'vdcUpdate';
    return inTransaction(db, async (tx) => {
      const changed = (await updateVdc(tx, vdc.id, change)) ?? vdc;
      return { vdc: changed, task: await ask(tx, changed, operation, details) };
    });
  }

  remove(vdc: Vdc, force = false, db: Kysely<Tables> = this.db): Promise<Asked> {
    return this.update(vdc, { desired_state: 'absent' }, { force }, db);
  }

  /** Creates a VDC, and resolves when it exists. */
  async made(vdc: Partial<New<VdcTable>> = {}): Promise<Vdc> {
    const asked = await this.create(vdc);
    await this.ended(asked.task, 'success');
    return asked.vdc;
  }

  task(id: TaskId): Promise<Task> {
    return this.db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  async ended(id: TaskId, status: Task['status']): Promise<Task> {
    let task: Task | undefined;
    const hasEnded = async (): Promise<boolean> => {
      task = await this.task(id);
      if (task.ended_at === null)
        throw new Error(
          `it is ${JSON.stringify(task)}, and its work is ${JSON.stringify(await this.work(task.owner_id))}`,
        );
      return true;
    };
    await until(`the task is ${status}`, hasEnded, { deadlineMs: 60_000 });
    if (task?.status !== status) throw new Error(`the task ended otherwise: ${JSON.stringify(task)}`);
    return task;
  }

  row(id: VdcId): Promise<Selectable<VdcTable>> {
    return this.db.selectFrom('vdcs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  /** The reconcile request of a VDC, vApp or VM. */
  async work(id: string): Promise<ReconcileRequest | undefined> {
    const { rows } = await sql<ReconcileRequest>`
      SELECT message, failures, attempt, owner, due_at FROM reconciliations WHERE entity_id = ${id}
    `.execute(this.db);
    return rows[0];
  }

  /** Undefined if there is none. */
  async find(vdc: Vdc, kind: VdcKind): Promise<Unstructured | undefined> {
    const type = vdcTypes[kind] as ResourceType;
    const key = kind === 'Namespace' ? { name: vdc.namespace } : { namespace: vdc.namespace, name: childNames[kind] };
    return this.cluster.client.get(type, key).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  async stop(): Promise<void> {
    for (const replica of this.#replicas) await replica.stop();
    await this.fleets.stop();
    await this.database.stop();
  }
}

export function specOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return ((object as Unstructured | undefined)?.['spec'] ?? {}) as Readonly<Record<string, unknown>>;
}

async function ask(db: Kysely<Tables>, vdc: Vdc, operation: string, details: JsonObject = {}): Promise<TaskId> {
  const { id } = await createTask(db, {
    organization_id: vdc.organization_id,
    owner_kind: 'vdc',
    owner_id: vdc.id,
    operation,
    details,
  });
  await requestReconciliation(db, 'vdc', vdc.id, vdc.cluster);
  return id;
}
