/** `ClusterWork` does the work in one cluster. Each kind has its own workers there, and each cluster has its own. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { explainOverdue } from '../../../db/work-queue/reconciliation-backlog.ts';
import type { ReconciledKind } from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { markDue } from '../../../db/work-queue/reconciliations.ts';
import { readPlaces } from '../../../db/vdcs/vdc-applied.ts';
import { vdcsOfCluster } from '../../../db/vdcs/vdc-work.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { giveUpRights } from '../../../fleet/health/upgrade-rights.ts';
import { ClusterAccess } from '../vdcs/cluster-access.ts';
import { VdcWatch } from '../vdcs/cluster-watch.ts';
import type { TenancyMetrics } from './metrics.ts';
import { otherCluster } from './other-cluster.ts';
import { Reconciler, type KindOfWork } from './reconciler.ts';
import type { TenancySettings } from './settings.ts';
import { Sweep } from '../sweep/sweep.ts';
import { NamespaceSweep } from '../sweep/namespace-sweep.ts';
import { VappsWork } from '../vapps/vapp-work.ts';
import { VdcWorker } from '../vdcs/vdc-work.ts';
import { VmsWork } from '../vms/vms-work.ts';
import { ClaimedWork, type ClaimWorker } from './claim-worker.ts';

export interface ClusterWorkParts {
  readonly db: Kysely<Tables>;
  readonly fleet: Pick<Fleet, 'identityOf' | 'listConfigs'>;
  readonly cluster: Cluster;
  /** Who works on it, for people. */
  readonly holder: string;
  readonly settings: TenancySettings;
  readonly metrics: TenancyMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

export class ClusterWork {
  readonly #parts: ClusterWorkParts;
  readonly #watch: VdcWatch;
  readonly #sweep: Sweep;
  readonly #lines: readonly ClaimedWork[];
  /** The last logged reason why no work is done there. */
  #refused: string | undefined;

  constructor(parts: ClusterWorkParts) {
    const { db, cluster, settings, metrics, clock } = parts;
    const log = parts.log.child({ cluster: cluster.name });
    const labels = { cluster: cluster.name };
    this.#parts = { ...parts, log };
    const orphans = (count: number): void => metrics.orphans.set(labels, count);
    const mayWrite = async (): Promise<boolean> => (await otherCluster(db, parts.fleet, cluster.name)) === undefined;
    const sweeper = new NamespaceSweep({ db, cluster, requestMs: settings.requestMs, log, orphans, mayWrite });
    this.#watch = new VdcWatch({
      db,
      cluster,
      sweeper,
      settings,
      clock,
      log,
      isBusy: (id) => this.#lines.some((line) => line.kind === 'vdc' && line.isBusy(id)),
      drifted: (count) => {
        metrics.drift.inc(labels, count);
        this.wake('vdc');
      },
    });
    this.#sweep = new Sweep({
      ...this.#parts,
      mayWrite,
      orphans: (kind, count) => metrics.orphanedObjects.set({ ...labels, kind }, count),
      swept: (kind) => metrics.swept.inc({ ...labels, kind }),
    });
    const access = new ClusterAccess({ cluster, clock, requestMs: settings.requestMs });
    this.#lines = [
      this.#line(new VdcWorker(this.#watch, access)),
      this.#line(new VappsWork()),
      this.#line(new VmsWork()),
    ];
  }

  get cluster(): Cluster {
    return this.#parts.cluster;
  }

  /** Work of that kind may be due; the default is any kind. */
  wake(kind?: ReconciledKind): void {
    for (const line of this.#lines) if (kind === undefined || line.kind === kind) line.wake();
  }

  /** Runs until the signal is aborted or the cluster leaves. Running attempts are finished first. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, metrics } = this.#parts;
    const either = AbortSignal.any([signal, cluster.signal]);
    await Promise.all([
      this.#watch.run(either),
      this.#sweep.run(either),
      this.#giveUpRights(either),
      ...this.#lines.map((line) => line.run(either)),
    ]);
    metrics.forget(cluster.name);
  }

  #giveUpRights(signal: AbortSignal): Promise<void> {
    const { cluster, clock, log, settings } = this.#parts;
    const rights = { client: cluster.client, account: 'ssvirt-api-server', clock, log, everyMs: settings.boundMs };
    return giveUpRights({ ...rights, unbound: () => this.#unbound() }, signal);
  }

  /**
   * A replica of version 0.1.0 that is being replaced creates namespaces without a RoleBinding. Such a VDC is marked
   * due until it has one.
   */
  async #unbound(): Promise<readonly string[]> {
    const { db, cluster } = this.#parts;
    const places = await readPlaces(db, await vdcsOfCluster(db, cluster.name));
    const unbound = places.filter(({ state, objects }) => state === 'present' && objects['RoleBinding'] === undefined);
    await markDue(
      db,
      'vdc',
      unbound.map(({ id }) => id),
    );
    return unbound.map(({ namespace }) => namespace);
  }

  #line<Seen>(work: KindOfWork<Seen>): ClaimedWork {
    const { settings, cluster } = this.#parts;
    const reconciler = new Reconciler(this.#parts, work);
    const line: ClaimWorker = {
      kind: work.kind,
      workers: settings.workers[work.kind],
      reconcile: (claim, takenAt, signal) => reconciler.reconcile(claim, takenAt, signal),
    };
    return new ClaimedWork(line, {
      ...this.#parts,
      cluster: cluster.name,
      mayWork: (kind) => this.#isTheSame(kind),
      ended: (kind, outcome) => {
        // The vApp of the VM may be waiting for this result.
        if (kind === 'vm' && outcome !== 'waiting') this.wake('vapp');
      },
    });
  }

  /**
   * Whether the cluster still has its recorded identity. If not, no work is claimed, and due work says why it waits.
   */
  async #isTheSame(kind: ReconciledKind): Promise<boolean> {
    const { db, fleet, cluster, log } = this.#parts;
    const why = await otherCluster(db, fleet, cluster.name);
    if (why !== undefined && why !== this.#refused) log.error({ why }, 'cluster identity changed, writes suspended');
    if (why === undefined && this.#refused !== undefined) log.info('cluster identity accepted, writes resumed');
    this.#refused = why;
    if (why === undefined) return true;
    const message = `waits for cluster "${cluster.name}": its identity has changed, which an administrator must accept`;
    await explainOverdue(db, { kind, cluster: cluster.name, sinceMs: 0, message });
    return false;
  }
}
