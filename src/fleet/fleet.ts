/**
 * The set of clusters that virtual machines run on. Everything that touches a cluster asks the fleet for it, by name: `local`, the process's own
 * cluster, where it serves KubeVirt, and one for each KubevirtConfig. Clusters come and go while the process runs; one that is down stays.
 */
import type { Client } from '../kube/client/client.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { Runnable } from '../kube/manager/runnable.ts';
import type { KubevirtConfig } from './kubevirt-config.ts';
import type { PlaceableMachine } from './machine-client.ts';
import type { Assessment } from './observation.ts';

/** What works for every cluster: a controller. */
export interface Engageable {
  /** Returns at once, does nothing for a cluster that it has already, and ends its work when `cluster.signal` is aborted. */
  engage(cluster: Cluster): void;
}

export interface Fleet extends Runnable {
  /** Where the KubevirtConfigs are. It is a member only where it serves KubeVirt. */
  readonly local: Cluster;
  /** The member of that name, once it has proven which cluster it is; it need not answer just now. */
  cluster(name: string): Cluster | undefined;
  clusters(): readonly Cluster[];
  /** The uid of the cluster's namespace kube-system, recorded at first contact. */
  identityOf(name: string): string | undefined;
  /** Whether the cluster of that name has been asked, whatever came of it. Before that, nothing can be said of it; of one that is unknown nothing more will be. */
  isAsked(name: string): boolean;
  /** How a KubevirtConfig stands, as this process sees it. */
  stateOf(name: string): Assessment | undefined;

  listConfigs(): readonly KubevirtConfig[];
  /** For those who keep watches of a cluster: why they do not deliver, undefined where they do. It is part of how the cluster stands. */
  noteWatches(name: string, trouble: string | undefined): void;
  /** Throws a FleetError that says what is wrong where there is none. */
  getClientForConfig(name: string): Client;
  /**
   * That of the cluster on which a Machine runs or is to run: by its status, its field, its annotation, the default, the only one there is, or where
   * its virtual machine is found. Rejects with a FleetError that says why there is none.
   */
  getClientForMachine(machine: PlaceableMachine, signal?: AbortSignal): Promise<Client>;
  /** Asks the cluster now; resolves to its identity, rejects with a FleetError. */
  validateConnection(name: string, signal?: AbortSignal): Promise<string>;
  /** Asks all at once; only those that fail are in the answer. */
  healthCheck(signal?: AbortSignal): Promise<ReadonlyMap<string, FleetError>>;

  /** Writes down again how all members are: for a process that has just begun to lead. */
  refresh(): void;

  /** Engages it with every member, now and later. The function ends that for later ones. */
  serve(target: Engageable): () => void;
  onDisengage(listener: (cluster: Cluster) => void): () => void;
}

export type FleetErrorKind =
  /** No KubevirtConfig, and no member, of that name: drop the work. */
  | 'ClusterNotFound'
  /** There is one, and it cannot be used now: try again later. */
  | 'ClusterUnavailable'
  /** Nothing says which cluster is meant, or too much does: somebody has to decide. */
  | 'NotPlaced';

export class FleetError extends Error {
  override readonly name = 'FleetError';
  readonly kind: FleetErrorKind;
  /** Empty where no single one is meant. */
  readonly cluster: string;

  constructor(kind: FleetErrorKind, cluster: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.cluster = cluster;
  }
}
