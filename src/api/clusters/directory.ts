/** The clusters of the fleet, as far as tenants and the provider are shown them. */
export interface ClusterEntry {
  readonly name: string;
  /** Whether it answers now. */
  readonly available: boolean;
  /** Why not; empty where it does. */
  readonly message: string;
}

export interface ClusterDirectory {
  /** All that are known, by name. */
  list(): readonly ClusterEntry[];
  get(name: string): ClusterEntry | undefined;
}
