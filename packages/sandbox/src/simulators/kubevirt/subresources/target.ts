/** What a path of the API group addresses. */

export type Target =
  | { readonly scope: 'cluster'; readonly name: string }
  | { readonly scope: 'namespace'; readonly namespace: string }
  | ObjectTarget
  | { readonly scope: 'nowhere' };

export interface ObjectTarget {
  readonly scope: 'object';
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly parts: readonly string[];
}

/** `targetOf` parses the part after `/apis/group/version`. */
export function targetOf(path: string): Target {
  const [first = '', namespace = '', resource = '', name = '', ...parts] = path.split('/').slice(4);
  if (namespace === '') return { scope: 'cluster', name: first };
  if (first !== 'namespaces') return { scope: 'nowhere' };
  if (name === '') return resource === 'expand-vm-spec' ? { scope: 'namespace', namespace } : { scope: 'nowhere' };
  return { scope: 'object', namespace, resource, name, parts };
}
