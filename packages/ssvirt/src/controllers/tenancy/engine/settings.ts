/** The settings of the work on clusters. Times are in milliseconds. */
import type { ReconciledKind } from '../../../db/work-queue/reconciliations.ts';
import { defaultClusterNamespaces, type ClusterNamespaces } from '../../../kubevirt/vdc/description.ts';

export interface TenancySettings {
  /** How many run at once, for each kind in each cluster. */
  readonly workers: Readonly<Record<ReconciledKind, number>>;
  /** How long a claim lasts. It is renewed if the time left is too short for a request. */
  readonly leaseMs: number;
  /** The limit for one request to a cluster. */
  readonly requestMs: number;
  /** The limit for a whole attempt. */
  readonly attemptMs: number;
  /** The first pause after a failure, and the longest. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** The pause after a refusal: an administrator has to change something first. */
  readonly refusedRetryMs: number;
  /** How long a cluster may take to apply a new RoleBinding. */
  readonly boundMs: number;
  /** How often to check whether something has ended, in addition to watch events. */
  readonly waitMs: number;
  /** The longest pause of work on VMs that waits for a state. Observations of the vm-controller end it earlier. */
  readonly maxWaitMs: number;
  /**
   * A state that the cluster reports as reached counts after this time even if the vm-controller has not reported it.
   */
  readonly confirmMs: number;
  /**
   * How long a VM that had failed before the request may take to recover, and how long a refused disk may take to be
   * accepted.
   */
  readonly failureMs: number;
  /** The limit for a power operation. */
  readonly powerMs: number;
  /** How long the storage of an added disk may take. A disk that the cluster refuses has `failureMs`. */
  readonly diskMs: number;
  /** How often everything is compared again. */
  readonly resyncMs: number;
  /** How often a cluster is searched for orphans. */
  readonly sweepMs: number;
  /** Events of a VDC within this time are handled together. */
  readonly debounceMs: number;
  /** Observations of the vm-controller within this time are handled together. */
  readonly gatherMs: number;
  /** The longest interval between polls of the database for due work. */
  readonly idleMs: number;
  /** Work that was not claimed for this long reports that its cluster has not been reached. */
  readonly overdueMs: number;
  readonly clusterNamespaces: ClusterNamespaces;
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
  clusterNamespaces: defaultClusterNamespaces,
};
