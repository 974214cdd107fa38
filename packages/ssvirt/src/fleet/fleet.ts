/**
 * `Fleet` is the set of clusters that VMs run on. Code that needs a cluster asks the fleet for it by name: `local`, the
 * process's own cluster, if it serves KubeVirt, and one per KubevirtConfig. Clusters come and go while the process
 * runs; a cluster that is down stays a member.
 */
import type { Client } from '@ssvirt/kube/client/client';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { KubevirtConfig } from './kubevirtconfig/kubevirt-config.ts';
import type { PlaceableMachine } from './placement/place-machine.ts';
import type { MemberAssessment } from './health/observation.ts';

/** Something that works for every cluster, such as a controller. */
export interface Engageable {
  /** Returns at once, ignores a cluster that it already has, and ends its work when `cluster.signal` is aborted. */
  engage(cluster: Cluster): void;
}

export interface Fleet extends Runnable {
  /** The cluster with the KubevirtConfigs. It is a member only if it serves KubeVirt. */
  readonly local: Cluster;
  /** Returns the member once it has proven its identity, even if it does not answer just now. */
  cluster(name: string): Cluster | undefined;
  clusters(): readonly Cluster[];
  /** The uid of the cluster's namespace kube-system, recorded at first contact. */
  identityOf(name: string): string | undefined;
  /**
   * Whether a request to the cluster of that name has completed, with any result. Before that nothing is known about
   * it. For an unknown name nothing will ever be known.
   */
  isAsked(name: string): boolean;
  /** The state of a KubevirtConfig as this process sees it. */
  stateOf(name: string): MemberAssessment | undefined;

  listConfigs(): readonly KubevirtConfig[];
  /**
   * Reports why watches of a cluster deliver nothing, or undefined if they deliver. It becomes part of the cluster's
   * state.
   */
  noteWatches(name: string, trouble: string | undefined): void;
  /** Throws a FleetError with the reason if there is no such client. */
  getClientForConfig(name: string): Client;
  /**
   * Returns the client of the cluster on which a Machine runs or will run: by its status, its field, its annotation,
   * the default, the only cluster, or the cluster where its VM is found. Rejects with a FleetError that has the reason.
   */
  getClientForMachine(machine: PlaceableMachine, signal?: AbortSignal): Promise<Client>;
  /** Sends a request to the cluster now; resolves to its identity, rejects with a FleetError. */
  validateConnection(name: string, signal?: AbortSignal): Promise<string>;
  /** Sends a request to all clusters at once; the result has only those that fail. */
  healthCheck(signal?: AbortSignal): Promise<ReadonlyMap<string, FleetError>>;

  /** Writes the status of all members again, for a process that has just begun to lead. */
  refresh(): void;

  /** Engages `target` with every member, now and later. The returned function stops that for later ones. */
  serve(target: Engageable): () => void;
  onDisengage(listener: (cluster: Cluster) => void): () => void;
}

export type FleetErrorKind =
  /** There is no KubevirtConfig or member of that name: drop the work. */
  | 'ClusterNotFound'
  /** The cluster exists but cannot be used now: retry later. */
  | 'ClusterUnavailable'
  /** No cluster or more than one cluster is meant: a person must decide. */
  | 'NotPlaced';

export class FleetError extends Error {
  override readonly name = 'FleetError';
  readonly kind: FleetErrorKind;
  /** Empty if no single cluster is meant. */
  readonly cluster: string;

  constructor(kind: FleetErrorKind, cluster: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.cluster = cluster;
  }
}
