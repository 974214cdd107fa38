/** A request to an API server as the fault proxy sees it, in Kubernetes' terms. */
import type { IncomingMessage } from 'node:http';

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  /** A watch with sendInitialEvents. */
  | 'watch-list'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'other';

export interface SeenRequest {
  readonly method: string;
  readonly verb: Verb;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The plural, such as `widgets`; empty for paths that are not resources. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly token: string | undefined;
  readonly userAgent: string | undefined;
  readonly accept: string | undefined;
}

const writes: ReadonlySet<Verb> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

export function isWrite({ verb }: SeenRequest): boolean {
  return writes.has(verb);
}

export function isStream({ verb }: SeenRequest): boolean {
  return verb === 'watch' || verb === 'watch-list';
}

export function seenRequest({ method = 'GET', url = '/', headers }: IncomingMessage): SeenRequest {
  const { pathname, searchParams } = new URL(url, 'https://proxy');
  const place = placeOf(pathname);
  return {
    method,
    verb: place.resource === '' ? 'other' : verbOf(method, place.name, searchParams),
    path: pathname,
    query: searchParams,
    ...place,
    token: /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],
    userAgent: headers['user-agent'],
    accept: headers.accept,
  };
}

type Place = Pick<SeenRequest, 'resource' | 'namespace' | 'name' | 'subresource'>;

function placeOf(path: string): Place {
  const parts = path.split('/').filter((part) => part !== '');
  const rest = parts[0] === 'api' ? parts.slice(2) : parts[0] === 'apis' ? parts.slice(3) : [];
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name, subresource] = inNamespace ? rest.slice(2) : rest;
  return { resource, namespace: inNamespace ? rest[1] : undefined, name, subresource };
}

function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb {
  switch (method) {
    case 'GET':
      if (['true', '1'].includes(query.get('watch') ?? ''))
        return query.get('sendInitialEvents') === 'true' ? 'watch-list' : 'watch';
      return name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return 'other';
  }
}
