/**
 * Connects to the cluster of a Machine in the same way as the operator: with the Secret that its KubevirtConfig names.
 * A problem with that is a result, not a failure.
 */
import { createClient } from '@ssvirt/kube/client/create';
import { requestIdentity } from '../../fleet/identity/identity-request.ts';
import { readCredentials } from '../../fleet/kubevirtconfig/credentials.ts';
import { failureOf } from '../../fleet/health/failure.ts';
import {
  kubevirtConfigs,
  localName,
  secretKeyOf,
  type KubevirtConfig,
} from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { resourceName } from '@ssvirt/kube/resource-type';
import type { ClusterReaderOptions, ClusterReader } from '../cluster/cluster-reader.ts';

export type Reached<T> = { readonly found: T } | { readonly unreached: string };

export interface MemberKey {
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  readonly name: string;
}

/** For all requests to the cluster together. */
const defaultDeadlineMs = 15_000;

export async function inMember<T>(
  supervisor: ClusterReaderOptions,
  look: ClusterReader,
  key: MemberKey,
  doing: (asking: ClusterReaderOptions) => Promise<T>,
  deadlineMs = defaultDeadlineMs,
): Promise<Reached<T>> {
  if (key.name === localName) return { found: await doing(supervisor) };
  const config = await look.at(kubevirtConfigs, key);
  if (config === undefined) return { unreached: whyNoConfig(look, key) };
  const signal = AbortSignal.any([supervisor.signal, AbortSignal.timeout(deadlineMs)]);
  const options = { signal, timeoutMs: deadlineMs };
  const { outcome } = await readCredentials(supervisor.client, secretKeyOf(config), options);
  if ('failure' in outcome) return { unreached: outcome.failure.message };
  const client = createClient({ cluster: key.name, source: outcome.source, userAgent: 'ssvirt-machine' });
  try {
    const stranger = whyAnother(config, await requestIdentity(client, options));
    return stranger === undefined ? { found: await doing({ client, signal }) } : { unreached: stranger };
  } catch (error) {
    return { unreached: failureOf(error).message };
  } finally {
    await client.close();
  }
}

function whyNoConfig({ unread }: ClusterReader, { namespace, name }: MemberKey): string {
  return unread.has(resourceName(kubevirtConfigs))
    ? `you have no permission to read ${resourceName(kubevirtConfigs)} in namespace "${namespace}", so the cluster cannot be reached`
    : `there is no KubevirtConfig "${name}" in namespace "${namespace}": create it again, or give --configs-namespace`;
}

/** The contents of a different cluster say nothing about the Machine. */
function whyAnother({ metadata, status }: KubevirtConfig, found: string): string | undefined {
  if (status?.identity === undefined || status.identity === found) return undefined;
  return `the kubeconfig of "${metadata.name ?? ''}" leads to a different cluster than before (kube-system uid ${found}, previously ${status.identity}): see "ssvirt fleet status"`;
}
