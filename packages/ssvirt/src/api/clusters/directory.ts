/** `ClusterEntry` holds the clusters of the fleet, as far as the API shows them. */
export interface ClusterEntry {
  readonly name: string;
  /** Whether it answers now. */
  readonly available: boolean;
  /** Why not; empty if it does. */
  readonly message: string;
}

export interface ClusterDirectory {
  /** All known clusters, by name. */
  list(): readonly ClusterEntry[];
  get(name: string): ClusterEntry | undefined;
}
