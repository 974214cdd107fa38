/** The first question to a cluster: which one are you? */
import type { Client, RequestOptions } from '../kube/client/client.ts';
import { ApiError } from '../kube/errors.ts';
import { namespaces } from './kubevirt-config.ts';

/** The uid of the cluster's namespace kube-system. */
export async function askIdentity(client: Client, options: RequestOptions): Promise<string> {
  const { metadata } = await client.get(namespaces, { name: 'kube-system' }, options);
  // What is put down and shown to people must be a uid, whoever answers.
  if (typeof metadata?.uid === 'string' && /^[\w.:-]{1,128}$/.test(metadata.uid)) return metadata.uid;
  throw new ApiError('Malformed', `cannot identify cluster "${client.cluster}": its namespace kube-system has no uid`);
}
