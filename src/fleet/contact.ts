/** The first question to a cluster: which one are you? */
import type { Client, RequestOptions } from '../kube/client/client.ts';
import { ApiError } from '../kube/errors.ts';
import { namespaces } from './kubevirt-config.ts';

/** The uid of the cluster's namespace kube-system. */
export async function askIdentity(client: Client, options: RequestOptions): Promise<string> {
  const { metadata } = await client.get(namespaces, { name: 'kube-system' }, options);
  if (typeof metadata?.uid === 'string' && metadata.uid !== '') return metadata.uid;
  throw new ApiError('Malformed', `cannot identify cluster "${client.cluster}": its namespace kube-system has no uid`);
}
