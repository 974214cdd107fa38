/** The resource label of a request in metrics: few values, and no names of objects. */

/**
 * `requestResource` returns `pods`, `virtualmachines.kubevirt.io` or `virtualmachines.subresources.kubevirt.io/start`;
 * for a group `/apis/kubevirt.io/v1`; for any other path its first part, such as `/version`.
 */
export function requestResource(path: string): string {
  const [root = '', ...rest] = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const [group, tail] =
    root === 'api' ? ['', rest.slice(1)] : root === 'apis' ? [rest[0] ?? '', rest.slice(2)] : ['', []];
  const [resource, , ...subresource] = isInNamespace(tail) ? tail.slice(2) : tail;
  if (resource === undefined) return `/${[root, ...(root === 'apis' ? rest.slice(0, 2) : [])].join('/')}`;
  return [group === '' ? resource : `${resource}.${group}`, ...subresource].join('/');
}

const ofNamespace: ReadonlySet<string | undefined> = new Set(['status', 'finalize']);

function isInNamespace([first, , third]: readonly string[]): boolean {
  return first === 'namespaces' && third !== undefined && !ofNamespace.has(third);
}
