/** The first request to a cluster: which cluster is it? */
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import { namespaces } from '../kinds.ts';

/** `requestIdentity` returns the uid of the cluster's namespace kube-system. */
export async function requestIdentity(client: Client, options: RequestOptions): Promise<string> {
  const { metadata } = await client.get(namespaces, { name: 'kube-system' }, options);
  // The value is recorded and shown to people, so it must look like a uid, whichever server answers.
  if (typeof metadata?.uid === 'string' && /^[\w.:-]{1,128}$/.test(metadata.uid)) return metadata.uid;
  throw new KubeError('Malformed', `cannot identify cluster "${client.cluster}": its namespace kube-system has no uid`);
}
