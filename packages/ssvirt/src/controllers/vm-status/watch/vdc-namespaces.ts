/** The namespaces of VDCs by cluster, from the database. */
import type { ObservationStore } from '../../../db/observations/contracts.ts';

export class VdcNamespaces {
  readonly #store: Pick<ObservationStore, 'vdcNamespaces'>;
  #byCluster: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  #asked = 0;
  #answered = 0;

  constructor(store: Pick<ObservationStore, 'vdcNamespaces'>) {
    this.#store = store;
  }

  of(cluster: string): readonly string[] {
    return [...(this.#byCluster.get(cluster) ?? [])];
  }

  has(cluster: string, namespace: string): boolean {
    return this.#byCluster.get(cluster)?.has(namespace) === true;
  }

  all(): ReadonlySet<string> {
    return new Set([...this.#byCluster.values()].flatMap((namespaces) => [...namespaces]));
  }

  /** Resolves to the new namespaces by cluster. An answer that a later one has overtaken is ignored. */
  async refresh(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const turn = ++this.#asked;
    const found = await this.#store.vdcNamespaces();
    if (turn < this.#answered) return new Map();
    this.#answered = turn;
    const fresh = byCluster(found.filter(({ cluster, namespace }) => !this.has(cluster, namespace)));
    this.#byCluster = byCluster(found);
    return fresh;
  }
}

function byCluster(
  found: readonly { readonly cluster: string; readonly namespace: string }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const clusters = new Map<string, Set<string>>();
  for (const { cluster, namespace } of found)
    clusters.set(cluster, (clusters.get(cluster) ?? new Set()).add(namespace));
  return clusters;
}
