/** Checks rights by asking the API server, as OpenShift's own components do. */
import type { Client } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import type { Requester } from './kinds.ts';

export interface TemplateAccess {
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

/** `refusalOf` returns undefined if the request is allowed, else the refusal in the API server's words. */
export async function refusalOf(
  client: Client,
  { username = '', uid, groups = [], extra = {} }: Requester,
  resourceAttributes: TemplateAccess,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const user = { user: username, groups, extra, ...(uid === undefined ? {} : { uid }) };
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { ...user, resourceAttributes },
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const { allowed = false, reason = '' } = (body as Review).status ?? {};
  const { group, resource, name } = resourceAttributes;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return allowed ? undefined : `${qualified} ${JSON.stringify(name)} is forbidden: ${reason}`;
}

/** `wordsOf` returns the API server's message, without the text that our client adds about the request. */
export function wordsOf(error: unknown): string {
  if (error instanceof KubeError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** True if the server's decision is final: a retry would get the same answer. */
export function isDecided(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code !== undefined && error.code < 500 && error.code !== 429;
}
