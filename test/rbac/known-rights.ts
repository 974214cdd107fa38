/** A kube-apiserver learns of new rights a moment after they are written: a request before that may be refused. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { until } from '../runtime/until.ts';
import type { Manifest } from '../vm-status/manifests.ts';
import { rightsOfRule, roleTitle, titleOf, type Right } from './right.ts';

/**
 * Waits until the server reports that the user has all rights of these roles, each where it is bound. A role that
 * nothing here binds is skipped.
 */
export async function untilKnown(client: Client, user: string, all: readonly Manifest[]): Promise<void> {
  const bindings = all as readonly (Manifest & { readonly roleRef?: { readonly name: string } })[];
  const bound = new Set(bindings.flatMap(({ roleRef }) => roleRef?.name ?? []));
  for (const role of all.filter(({ metadata: { name = '' } }) => bound.has(name)))
    for (const right of (role.rules ?? []).flatMap((rule) => rightsOfRule(roleTitle(role), rule)))
      await until(`${user} may ${titleOf(right)}`, () => may(client, user, right, role.metadata.namespace));
}

async function may(
  client: Client,
  user: string,
  { verb, group, resource: named, name }: Right,
  namespace: string | undefined,
): Promise<boolean> {
  const [resource, subresource] = named.split('/');
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, resourceAttributes: { verb, group, resource, subresource, namespace, name } },
    },
  });
  return (body as { readonly status: { readonly allowed: boolean } }).status.allowed;
}
