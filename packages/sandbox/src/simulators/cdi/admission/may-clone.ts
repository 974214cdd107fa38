/** Checks whether a user may clone from a namespace: either of two rights is enough. */
import type { Client } from '@ssvirt/kube/client/client';
import type { JsonObject } from '../../../values/json.ts';
import type { ReviewRequest } from '../../serving/contracts.ts';
import type { CloneOrigin } from '../origin.ts';

/** `cloneRefusal` returns the reason for the refusal, or undefined if cloning is allowed. */
export async function cloneRefusal(
  client: Client,
  user: ReviewRequest['userInfo'],
  { of: sort, namespace, name }: CloneOrigin,
): Promise<string | undefined> {
  const source = { verb: 'create', group: 'cdi.kubevirt.io', resource: 'datavolumes', subresource: 'source' };
  const plain = { verb: 'create', resource: sort === 'pvc' ? 'pods' : 'persistentvolumeclaims' };
  for (const right of [source, plain])
    if (await isAllowed(client, user, { namespace, name, ...right })) return undefined;
  return `User ${user.username ?? ''} has insufficient permissions in clone source namespace ${namespace}`;
}

async function isAllowed(
  client: Client,
  { username, uid, groups, extra }: ReviewRequest['userInfo'],
  resourceAttributes: JsonObject,
): Promise<boolean> {
  const spec = { user: username, uid, groups, extra, resourceAttributes };
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
  });
  return (body as { readonly status?: { readonly allowed?: boolean } } | undefined)?.status?.allowed === true;
}
