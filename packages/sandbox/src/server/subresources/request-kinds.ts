/** Kinds that occur only in requests on subresources: they have a schema and rules, but no path of their own. */
import type { Resource } from '../api/resource.ts';
import { definition } from '../../objects/kinds/builtin.ts';
import { builtinResource } from '../../objects/strategies/builtin.ts';
import { ensureObject, setDefault } from '../../objects/kinds/values/fields.ts';

function requestKind(group: string, version: string, kind: string, name: string): Resource {
  return builtinResource({
    group,
    version,
    name: kind.toLowerCase(),
    singularName: '',
    kind,
    namespaced: true,
    verbs: ['create'],
    definition: name,
  });
}

export const evictionKind = requestKind('policy', 'v1', 'Eviction', 'io.k8s.api.policy.v1.Eviction');

/** Evictions are still accepted in their original version. */
export const oldEvictionKind: Resource = { ...evictionKind, version: 'v1beta1', apiVersion: 'policy/v1beta1' };

const tokenRequest = requestKind(
  'authentication.k8s.io',
  'v1',
  'TokenRequest',
  'io.k8s.api.authentication.v1.TokenRequest',
);
export const DEFAULT_TOKEN_SECONDS = 3600;

export const tokenRequestKind: Resource = {
  ...tokenRequest,
  schema: definition('io.k8s.api.authentication.v1.TokenRequest'),
  strategy: {
    ...tokenRequest.strategy,
    decode: (raw, wantComplaints) => {
      const decoded = tokenRequest.strategy.decode(raw, wantComplaints);
      setDefault(ensureObject(decoded.object, 'spec'), 'expirationSeconds', DEFAULT_TOKEN_SECONDS);
      return decoded;
    },
  },
};
