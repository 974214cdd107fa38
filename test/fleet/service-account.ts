/** Tokens that can be revoked: of ServiceAccounts, which a cluster refuses once the account is deleted. */
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { MemberCluster } from './sandboxes.ts';

const serviceAccounts: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

export async function issueToken({ client }: MemberCluster, name: string): Promise<string> {
  const key = { namespace: 'kube-system', name };
  await client.create(serviceAccounts, { metadata: key });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = (await client.createSubresource(serviceAccounts, key, 'token', request)) as {
    status: { token: string };
  };
  return answer.status.token;
}

export async function revokeTokens({ client }: MemberCluster, name: string): Promise<void> {
  await client.delete(serviceAccounts, { namespace: 'kube-system', name });
}
