/** How the work on clusters goes on. Times are milliseconds. */
import type { ReconciledKind } from '../../db/reconciliations.ts';
import { defaultSurroundings, type VdcSurroundings } from '../../virt/vdc/description.ts';

export interface TenancySettings {
  /** At a time, of each kind in each cluster. */
  readonly workers: Readonly<Record<ReconciledKind, number>>;
  /** A claim lasts this long, and is renewed where there is not enough room in it for a request. */
  readonly leaseMs: number;
  /** A request to a cluster has this long. */
  readonly requestMs: number;
  /** An attempt has this long in all. */
  readonly attemptMs: number;
  /** The first pause after a failure, and the longest. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** After a refusal: somebody has to change something first. */
  readonly refusedRetryMs: number;
  /** How long a cluster may take to know of a RoleBinding that was just made. */
  readonly boundMs: number;
  /** How often it is looked whether something has ended, beside what the watches tell. */
  readonly waitMs: number;
  /** The longest pause of work on machines that waits for a state: what the vm-controller sees wakes it before. */
  readonly maxWaitMs: number;
  /** A state that the cluster says is reached counts after this, should the vm-controller not say so too. */
  readonly confirmMs: number;
  /** A machine that had failed before it was asked to run has this long to come out of that, and a disk that is refused to be taken. */
  readonly failureMs: number;
  /** A power operation has this long. */
  readonly powerMs: number;
  /** A disk that is added has this long to be there; one that the cluster refuses has `failureMs`. */
  readonly diskMs: number;
  /** Everything is compared again this often. */
  readonly resyncMs: number;
  /** How often a cluster is looked through for what nobody wants. */
  readonly sweepMs: number;
  /** Events of a virtual data center within this time are looked at once. */
  readonly debounceMs: number;
  /** What the vm-controller has seen within this time is taken together. */
  readonly gatherMs: number;
  /** The database is asked at least this often whether something is due. */
  readonly idleMs: number;
  /** Work that nobody has taken for this long waits for a cluster that nobody reaches. */
  readonly overdueMs: number;
  readonly surroundings: VdcSurroundings;
}

export const defaultTenancySettings: TenancySettings = {
  workers: { vdc: 4, vapp: 8, vm: 16 },
  leaseMs: 30_000,
  requestMs: 5_000,
  attemptMs: 60_000,
  retryMs: 1_000,
  maxRetryMs: 60_000,
  refusedRetryMs: 60_000,
  boundMs: 5_000,
  waitMs: 2_000,
  maxWaitMs: 10_000,
  confirmMs: 10_000,
  failureMs: 30_000,
  powerMs: 900_000,
  diskMs: 900_000,
  resyncMs: 600_000,
  sweepMs: 600_000,
  debounceMs: 250,
  gatherMs: 200,
  idleMs: 15_000,
  overdueMs: 10_000,
  surroundings: defaultSurroundings,
};
