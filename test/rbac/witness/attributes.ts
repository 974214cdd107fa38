/** The attributes of a request in terms of rights, as a kube-apiserver derives them from method, path and query. */
import { defined } from '@ssvirt/base/values/defined';

export interface Attributes {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `virtualmachines/start`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

const writes: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
/** Not names of resources within a namespace but parts of the namespace itself. */
const ofNamespaces = new Set(['status', 'finalize']);

/** Undefined if the request is for no resource: discovery, health, versions. */
export function attributesOf(method: string, url: string): Attributes | undefined {
  const { pathname, searchParams } = new URL(url, 'https://cluster');
  const [root, ...rest] = pathname.split('/').filter((part) => part !== '');
  if (root !== 'api' && root !== 'apis') return undefined;
  const [group = '', ...afterGroup] = root === 'api' ? ['', ...rest] : rest;
  const [, ...parts] = afterGroup;
  if (parts.length === 0) return undefined;
  const place = placeOf(parts);
  const named = place.name ?? /^metadata\.name=([^,]+)$/.exec(searchParams.get('fieldSelector') ?? '')?.[1];
  return {
    verb: verbOf(method, place.name !== undefined, searchParams),
    group,
    resource: place.resource,
    ...defined({ namespace: place.namespace, name: named }),
  };
}

interface Place {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

function placeOf(parts: readonly string[]): Place {
  const [first = '', second, third] = parts;
  const within = first === 'namespaces' && second !== undefined && third !== undefined && !ofNamespaces.has(third);
  const [resource = '', name, subresource] = within ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : undefined;
  return {
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...defined({ namespace }),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
  };
}

function verbOf(method: string, named: boolean, query: URLSearchParams): string {
  if (method === 'GET' || method === 'HEAD') {
    if (isTrue(query.get('watch'))) return 'watch';
    return named ? 'get' : 'list';
  }
  if (method === 'DELETE' && !named) return 'deletecollection';
  return writes[method] ?? method.toLowerCase();
}

const isTrue = (value: string | null): boolean => value !== null && !['', '0', 'false'].includes(value);
