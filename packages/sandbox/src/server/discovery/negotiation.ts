/** Which form of discovery a client requests by its Accept header. */
import { acceptClauses } from './accept.ts';

export type DiscoveryForm = 'aggregated' | 'legacy';

export const aggregatedMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * The first supported clause wins; undefined means 406. kube-apiserver 1.36 no longer serves v2beta1, so clauses with
 * it are skipped.
 */
export function discoveryForm(accept: string | undefined): DiscoveryForm | undefined {
  if (accept === undefined || accept.trim() === '') return 'legacy';
  for (const { type, parameters } of acceptClauses(accept)) {
    if (!jsonTypes.has(type)) continue;
    const as = parameters['as'];
    if (as === undefined) return 'legacy';
    const { g, v } = parameters;
    if (as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2') return 'aggregated';
  }
  return undefined;
}

const jsonTypes = new Set(['application/json', 'application/*', '*/*']);
