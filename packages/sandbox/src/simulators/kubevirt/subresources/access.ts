/** Checks whether the caller is authorized: virt-api itself sends a SubjectAccessReview for the parts of the path. */
import type { Client } from '@ssvirt/kube/client/client';
import type { Caller } from '../../serving/contracts.ts';
import { serverWords } from '../../server-words.ts';
import { plain, type SubresourceAnswer } from './answer.ts';

/** Open to everyone whom the API server lets through. */
const openEndpoints: ReadonlySet<string> = new Set([
  '',
  'version',
  'guestfs',
  'healthz',
  'start-cluster-profiler',
  'stop-cluster-profiler',
  'dump-cluster-profiler',
]);

export interface Asked {
  readonly method: string;
  /** The full path, such as `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/vm1/start`. */
  readonly path: string;
  readonly caller: Caller;
}

export interface ResourceAttributes {
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
}

/**
 * Returns the refusal, or undefined. An unknown path is refused like a caller without rights; KubeVirt answers 401 to
 * both.
 */
export async function refusalFor(client: Client, asked: Asked): Promise<SubresourceAnswer | undefined> {
  const attributes = attributesOf(asked);
  if (attributes === undefined) return undefined;
  if (typeof attributes === 'string') return plain(401, attributes);
  try {
    const { allowed, reason } = await review(client, asked.caller, attributes);
    return allowed ? undefined : plain(401, reason);
  } catch (error) {
    return plain(500, serverWords(error));
  }
}

/** `attributesOf` returns the attributes to review, undefined for an open endpoint, or an error text for an unknown path. */
export function attributesOf({
  method,
  path,
}: Pick<Asked, 'method' | 'path'>): ResourceAttributes | string | undefined {
  const parts = path.split('/');
  const [, , group = '', version = '', , namespace = '', resource = '', name = '', subresource = ''] = parts;
  if (parts.length <= 5 && openEndpoints.has(parts[4] ?? '')) return undefined;
  if (parts.length < 9 && parts.length !== 7) return `unknown api endpoint: ${path}`;
  const known = parts.length === 7 ? ['expand-vm-spec'] : ['virtualmachines', 'virtualmachineinstances'];
  if (!known.includes(resource)) return `unknown resource type ${resource}`;
  const verb = verbOf(method, name !== '');
  if (verb === undefined) return `unknown http verb in request: ${method}`;
  return { namespace, verb, group, version, resource, ...(name !== '' && { subresource, name }) };
}

function verbOf(method: string, named: boolean): string | undefined {
  switch (method) {
    case 'POST':
      return 'create';
    case 'GET':
    case 'HEAD':
      return named ? 'get' : 'list';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

async function review(
  client: Client,
  { username, groups, extra }: Caller,
  resourceAttributes: ResourceAttributes,
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: username, groups, extra, resourceAttributes },
    },
  });
  const { status } = body as Review;
  return { allowed: status?.allowed === true, reason: status?.reason ?? '' };
}
