/**
 * Merges several kubeconfigs. As in kubectl, the first one that defines a name wins; entries of one name are never
 * combined.
 */
import type { Kubeconfig } from './document.ts';

export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    clusters: firstWins(kubeconfigs.map(({ clusters }) => clusters)),
    users: firstWins(kubeconfigs.map(({ users }) => users)),
    contexts: firstWins(kubeconfigs.map(({ contexts }) => contexts)),
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  };
}

function firstWins<E>(maps: readonly ReadonlyMap<string, E>[]): ReadonlyMap<string, E> {
  const merged = new Map<string, E>();
  for (const [name, entry] of maps.flatMap((map) => [...map])) if (!merged.has(name)) merged.set(name, entry);
  return merged;
}

export function isEmpty({ clusters, users, contexts }: Kubeconfig): boolean {
  return clusters.size === 0 && users.size === 0 && contexts.size === 0;
}
