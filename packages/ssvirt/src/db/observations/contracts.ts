/** What the vm-controller writes to the database, and the results it gets. */

import type { VmStatus } from '../vms/statuses.ts';

export type { VmStatus } from '../vms/statuses.ts';

export interface ObservedDisk {
  readonly name: string;
  readonly claim?: string;
  readonly bytes?: number;
}

/** One VirtualMachine in its present state. */
export interface VmObservation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /**
   * The row is DELETED, but the cluster was asked and has the VM: the cluster was restored from a backup, and the row
   * becomes live again. Without this flag an observation of a deleted VM is late and changes nothing.
   */
  readonly returned?: boolean;
  /** The label `vapp.ssvirt.io/vapp-id` when it is a uuid; of the VM, or of the TemplateInstance that created it. */
  readonly vappId?: string;
  /** The name of the TemplateInstance that created the VM: a vApp of that name in the same VDC is its vApp. */
  readonly vappName?: string;
  readonly status: Exclude<VmStatus, 'DELETED'>;
  /**
   * The fault is too recent to count as a failure. A row that is FAILED for the same reason stays FAILED, because a
   * restart of the controller does not make a fault younger.
   */
  readonly debouncing: boolean;
  readonly busy: boolean;
  readonly restartRequired: boolean;
  readonly faultReason?: string;
  readonly fault?: string;
  /** The word of the current trouble; its start is recorded. */
  readonly trouble?: string;
  /** An absent value leaves the column unchanged. */
  readonly cpuCount?: number;
  readonly memoryMb?: number;
  readonly guestOs?: string;
  readonly ipAddresses: readonly string[];
  readonly node?: string;
  readonly hostName?: string;
  readonly disks: readonly ObservedDisk[];
}

/** The VirtualMachine no longer exists. */
export interface VmDeletion {
  readonly cluster: string;
  readonly uid: string;
}

/** `VappObservation` is a TemplateInstance in its present state. */
export interface VappObservation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly vappId?: string;
  readonly creation: 'running' | 'done' | 'failed';
  readonly fault?: string;
}

/** A VM that had a trouble when it was last written. */
export interface TroubledVm {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly trouble: string;
  /** By the database's clock. */
  readonly ageMs: number;
}

/** The right to write: `epoch` is the result of `LeaderStore.raise`. */
export interface WriterTerm {
  readonly name: string;
  readonly epoch: number;
}

/**
 * - `created`, `bound`: a row was created, or an unbound one was taken, for this VirtualMachine
 * - `updated`: the row was changed
 * - `unchanged`: the row already had these values
 * - `unmanaged`: it has no row, and none may be created
 * - `locked`: another transaction holds the row; try again
 * - `older`: the row was written by a later write (or epoch) than this one
 */
export type WriteOutcome = 'created' | 'bound' | 'updated' | 'unchanged' | 'unmanaged' | 'locked' | 'older';

export interface WriteResult {
  readonly outcome: WriteOutcome;
  readonly vmId?: string;
  readonly oldStatus?: VmStatus;
  /** The status as written: FAILED may have been kept. */
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

/** The epoch is no longer the newest: nothing was written, and this term must not write again. */
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
  /** A person accepted this identity on the KubevirtConfig, which only the fleet reads. */
  readonly accepted?: boolean;
}

export interface RecordedCluster extends Omit<ClusterState, 'accepted'> {
  readonly acceptedIdentity?: string;
}

export interface ObservationStore {
  /**
   * One statement: fenced, ordered by `sequence` within the epoch, and idempotent. A statement that is sent twice or
   * was overtaken by a later one changes nothing. It never waits for the row of a single VM. Throws `Fenced` or
   * PostgreSQL's error.
   */
  write(term: WriterTerm, sequence: number, batch: VmBatch, signal?: AbortSignal): Promise<VmBatchResult>;
  writeVapps(
    term: WriterTerm,
    sequence: number,
    vapps: readonly VappObservation[],
    signal?: AbortSignal,
  ): Promise<readonly WriteOutcome[]>;
  /** In pages, ordered by vm_id; limited to one namespace if it is given. */
  boundVms(
    cluster: string,
    options?: { readonly namespace?: string; readonly pageSize?: number },
  ): AsyncIterable<readonly BoundVm[]>;
  /** Of all clusters, for a new leader: a trouble does not become younger because the leader changed. */
  troubledVms(): Promise<readonly TroubledVm[]>;
  clusters(): Promise<readonly RecordedCluster[]>;
  /**
   * Writes only differences. Keeps the identity when none is given, and takes over an identity that was accepted here
   * or on the KubevirtConfig. Throws `Fenced`.
   */
  writeCluster(term: WriterTerm, state: ClusterState): Promise<void>;
  /** The database's clock, in seconds since 1970. */
  clock(): Promise<number>;
  /**
   * Records a contact with the cluster that began at `began`, by the database's clock; everything known by then has
   * been written. Resolves to false and records nothing when the cluster is not `synced`. Throws `Fenced`.
   */
  contacted(
    term: WriterTerm,
    contact: { readonly cluster: string; readonly began: number; readonly countsForMs: number },
  ): Promise<boolean>;
  /** Records the details of a cluster, with the time. Throws `Fenced`. */
  writeClusterDetails(term: WriterTerm, cluster: string, details: object): Promise<void>;
  /** The namespaces of live VDCs in all clusters. */
  vdcNamespaces(): Promise<readonly { readonly cluster: string; readonly namespace: string }[]>;
}

export interface LeaderStore {
  /**
   * Makes this process the writer; resolves to its epoch, which is greater than every earlier one. Resolves to
   * undefined when a leader with a later Lease epoch was here and its heartbeat is not older than `staleAfterMs`. The
   * age matters because a Lease that was deleted and created again under a clock that went back must not lock out every
   * process forever.
   */
  raise(leader: {
    readonly name: string;
    readonly leaseEpoch: number;
    readonly holder: string;
    readonly staleAfterMs: number;
  }): Promise<number | undefined>;
  /** Uses PostgreSQL's clock. Throws `Fenced`. */
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

export interface FailureToRecord extends SyncFailure {
  /** The time since the first of these attempts. */
  readonly firstAgoMs: number;
}

export interface SyncFailureStore {
  /** Keeps one open row per VM and increments its count. Throws `Fenced`. */
  record(term: WriterTerm, failure: FailureToRecord): Promise<void>;
  /** The VM was written again, or is gone. */
  resolve(term: WriterTerm, key: Pick<SyncFailure, 'cluster' | 'namespace' | 'vmName'>): Promise<void>;
  open(): Promise<readonly SyncFailure[]>;
}
