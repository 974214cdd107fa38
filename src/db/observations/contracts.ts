/** What the vm-controller tells the database, and what it is told back. */

import type { VmStatus } from '../statuses.ts';

export type { VmStatus } from '../statuses.ts';

export interface ObservedDisk {
  readonly name: string;
  readonly claim?: string;
  readonly bytes?: number;
}

/** One VirtualMachine as it is now. */
export interface VmObservation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /**
   * Its row says DELETED, and the cluster, asked for it, that it is there: the cluster was restored from a backup, and the row lives again. Otherwise what is
   * said of a machine that is gone is late, and changes nothing.
   */
  readonly returned?: boolean;
  /** The label `vapp.ssvirt.io/vapp-id`, where it is a uuid; of the VM, or of the TemplateInstance that made it. */
  readonly vappId?: string;
  /** The name of the TemplateInstance that made it: a vApp of that name in the same VDC is its vApp. */
  readonly vappName?: string;
  readonly status: Exclude<VmStatus, 'DELETED'>;
  /**
   * The fault is not old enough to count as a failure; a row that says FAILED for the same reason keeps saying so, since a restart
   * of the controller does not make a fault younger.
   */
  readonly debouncing: boolean;
  readonly busy: boolean;
  readonly restartRequired: boolean;
  readonly faultReason?: string;
  readonly fault?: string;
  /** What is not known leaves the column as it is. */
  readonly cpuCount?: number;
  readonly memoryMb?: number;
  readonly guestOs?: string;
  readonly ipAddresses: readonly string[];
  readonly node?: string;
  readonly hostName?: string;
  readonly disks: readonly ObservedDisk[];
}

/** That VirtualMachine is gone. */
export interface VmDeletion {
  readonly cluster: string;
  readonly uid: string;
}

/** A TemplateInstance as it is now. */
export interface VappObservation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly vappId?: string;
  readonly creation: 'running' | 'done' | 'failed';
  readonly fault?: string;
}

/** The right to write: `epoch` is the one that `LeaderStore.raise` gave. */
export interface WriterTerm {
  readonly name: string;
  readonly epoch: number;
}

/**
 * - `created`, `bound`: a row was made, or an unbound one was taken, for this VirtualMachine
 * - `updated`: the row says something else now
 * - `unchanged`: it said that already
 * - `unmanaged`: there is no row for it, and none is to be made
 * - `locked`: somebody holds the row; try again
 * - `older`: the row has been written by a later write (or epoch) than this one
 */
export type Outcome = 'created' | 'bound' | 'updated' | 'unchanged' | 'unmanaged' | 'locked' | 'older';

export interface WriteResult {
  readonly outcome: Outcome;
  readonly vmId?: string;
  readonly oldStatus?: VmStatus;
  /** As written: FAILED may have been kept. */
  readonly newStatus?: VmStatus;
}

export interface VmBatch {
  /** Each (cluster, namespace, name) at most once. */
  readonly observations: readonly VmObservation[];
  readonly deletions: readonly VmDeletion[];
}

export interface VmBatchResult {
  /** In the order of the batch. */
  readonly observations: readonly WriteResult[];
  readonly deletions: readonly WriteResult[];
}

/** The epoch is not the newest any more: nothing was written, and nothing may be written. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** A live row that is bound to a VirtualMachine of a cluster. */
export interface BoundVm {
  readonly vmId: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface ClusterState {
  readonly name: string;
  readonly identity?: string;
  readonly state: 'synced' | 'stale' | 'frozen';
  readonly message: string;
  readonly unreadableNamespaces: readonly string[];
  /** A person has accepted this identity where it is the fleet's to know: on the KubevirtConfig. */
  readonly accepted?: boolean;
}

export interface RecordedCluster extends Omit<ClusterState, 'accepted'> {
  readonly acceptedIdentity?: string;
}

export interface ObservationStore {
  /**
   * One statement, fenced, ordered by `sequence` within the epoch, idempotent: sent twice it changes nothing, and one that was overtaken changes
   * nothing either. It never waits for the row of a single machine. Throws `Fenced`, or what PostgreSQL says.
   */
  write(term: WriterTerm, sequence: number, batch: VmBatch, signal?: AbortSignal): Promise<VmBatchResult>;
  writeVapps(
    term: WriterTerm,
    sequence: number,
    vapps: readonly VappObservation[],
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]>;
  /** In pages, ordered by vm_id; those of one namespace where it is given. */
  boundVms(
    cluster: string,
    options?: { readonly namespace?: string; readonly pageSize?: number },
  ): AsyncIterable<readonly BoundVm[]>;
  clusters(): Promise<readonly RecordedCluster[]>;
  /** Written where it differs; the identity is kept where none is given. Takes over an identity that was accepted, here or there. Throws `Fenced`. */
  writeCluster(term: WriterTerm, state: ClusterState): Promise<void>;
  /** The clock of the database, in seconds since 1970. */
  clock(): Promise<number>;
  /**
   * The cluster was reached, which was begun at that time of the database, and all that was known of it by then is written. False where it is not
   * `synced`: then nothing is. Throws `Fenced`.
   */
  contacted(
    term: WriterTerm,
    contact: { readonly cluster: string; readonly began: number; readonly countsForMs: number },
  ): Promise<boolean>;
  /** The namespaces of live VDCs, all clusters. */
  vdcNamespaces(): Promise<readonly { readonly cluster: string; readonly namespace: string }[]>;
}

export interface LeaderStore {
  /**
   * Makes this process the writer: resolves to its epoch, greater than every one before. Refused (undefined) where a later leader, by the epoch of
   * its Lease, has been there and its heartbeat is not older than `staleAfterMs`: a Lease that was deleted and made anew under a clock that
   * went back must not keep everybody out for ever.
   */
  raise(leader: {
    readonly name: string;
    readonly leaseEpoch: number;
    readonly holder: string;
    readonly staleAfterMs: number;
  }): Promise<number | undefined>;
  /** By PostgreSQL's clock. Throws `Fenced`. */
  beat(term: WriterTerm, holder: string, details: Readonly<Record<string, unknown>>): Promise<void>;
  lastBeat(name: string): Promise<Heartbeat | undefined>;
}

export interface Heartbeat {
  readonly epoch: number;
  readonly holder: string;
  readonly ageMs: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface SyncFailure {
  readonly cluster: string;
  readonly namespace: string;
  readonly vmName: string;
  readonly vmId?: string;
  readonly errorType: string;
  readonly message: string;
  readonly attempts: number;
}

export interface SyncFailureStore {
  /** One open row for each machine: counted up where there is one. Throws `Fenced`. */
  record(term: WriterTerm, failure: SyncFailure): Promise<void>;
  /** The machine is written again, or gone. */
  resolve(term: WriterTerm, key: Pick<SyncFailure, 'cluster' | 'namespace' | 'vmName'>): Promise<void>;
  open(): Promise<readonly SyncFailure[]>;
}
