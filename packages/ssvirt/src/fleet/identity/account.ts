/** Which account a process has in a cluster, according to that cluster, and what it may do there. */
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

/** `Subject` is a subject of a RoleBinding. */
export type Subject =
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'User'; readonly apiGroup: string; readonly name: string };

export const rbacGroup = 'rbac.authorization.k8s.io';

export const roleBindings: ResourceType<KubeObject> = {
  group: rbacGroup,
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

/** `subjectOf` turns the user name of an authenticated caller into the subject that a RoleBinding names it by. */
export function subjectOf(username: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  return namespace === undefined || name === undefined
    ? { kind: 'User', apiGroup: rbacGroup, name: username }
    : { kind: 'ServiceAccount', namespace, name };
}

/** `ownSubject` asks a cluster who the caller is. Every authenticated caller may ask (`system:basic-user`). */
export async function ownSubject(client: Client, options: RequestOptions = {}): Promise<Subject> {
  const { body } = await client.request({
    ...options,
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const { status } = body as { readonly status?: { readonly userInfo?: { readonly username?: string } } };
  return subjectOf(status?.userInfo?.username ?? '');
}

export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** `mayI` asks a cluster whether the caller has a right. Every authenticated caller may ask. */
export async function mayI(client: Client, access: Access, options: RequestOptions = {}): Promise<boolean> {
  const { body } = await client.request({
    ...options,
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: access },
    },
  });
  return (body as { readonly status?: { readonly allowed?: boolean } }).status?.allowed === true;
}
