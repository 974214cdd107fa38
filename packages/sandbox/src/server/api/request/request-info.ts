/** `ResourcePath` parses a path by Kubernetes' grammar of API paths. */

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows a subresource (`/portforward/8080`): only aggregated APIs interpret it. */
  readonly rest: string;
  /** The old form of a watch: `/api/v1/watch/pods`. */
  readonly watch: boolean;
}

/** `parseResourcePath` returns undefined when the path is not below a group and version. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts: string[] = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  let group = '';
  if (parts[0] === 'apis') {
    group = parts[1] ?? '';
    parts.splice(0, 2);
  } else if (parts[0] === 'api') parts.splice(0, 1);
  else return undefined;
  const version = parts.shift();
  if (version === undefined || parts.length === 0) return undefined;
  const watch = parts.length > 1 && (parts.at(0) as string) === 'watch';
  if (watch) parts.shift();
  let decoded: string[];
  try {
    decoded = parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
  return { group, version, watch, ...split(decoded) };
}

/** Subresources of a namespace itself; any other third part is a resource inside the namespace. */
const OF_NAMESPACE = new Set(['status', 'finalize']);

function split(
  parts: readonly string[],
): Pick<ResourcePath, 'namespace' | 'resource' | 'name' | 'subresource' | 'rest'> {
  const [first = '', second = '', third] = parts;
  if (first === 'namespaces' && third !== undefined && !OF_NAMESPACE.has(third)) {
    const [, , resource = '', name = '', subresource = '', ...rest] = parts;
    return { namespace: second, resource, name, subresource, rest: rest.join('/') };
  }
  const [resource = '', name = '', subresource = '', ...rest] = parts;
  return { namespace: resource === 'namespaces' ? name : '', resource, name, subresource, rest: rest.join('/') };
}
