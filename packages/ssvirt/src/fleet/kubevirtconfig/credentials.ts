/**
 * Reads a KubevirtConfig's Secret: returns a connection source, or the reason why there is none. No part of its content
 * appears in messages.
 */
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import { isNotFound } from '@ssvirt/kube/errors';
import { KubeconfigError } from '@ssvirt/kube/kubeconfig/error';
import { strictKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import { keyOf, type ObjectKey } from '@ssvirt/kube/object';
import type { ClusterFailure } from '../health/failure.ts';
import { kubeconfigKey, localName } from './kubevirt-config.ts';
import { secrets, type SecretObject } from '../kinds.ts';
import { reasons, type Reason } from './reasons.ts';

export interface ClusterCredentials {
  /** Which Secret they come from, and in which version: the same version is not read twice. */
  readonly version: string;
  readonly outcome: { readonly source: ConnectionSource } | { readonly failure: ClusterFailure };
}

/** Fields by which a kubeconfig would run a program or read a local file (architecture: only inline credentials). */
const refusedFields =
  /(^|\.)(exec|auth-provider|tokenFile|certificate-authority|client-certificate|client-key|insecure-skip-tls-verify)$/;

export async function readCredentials(
  client: Client,
  key: ObjectKey,
  options: RequestOptions,
): Promise<ClusterCredentials> {
  try {
    return credentialsOf(await client.get(secrets, key, options));
  } catch (error) {
    if (isNotFound(error)) return missingSecret(key);
    const why = error instanceof Error ? error.message : String(error);
    return failed(key, '', reasons.secretUnreadable, `cannot read Secret "${keyOf(key)}": ${why}`);
  }
}

/** `isUnreadable` returns whether the failure has a cause outside of the Secret: a retry may succeed with the same version. */
export function isUnreadable({ outcome }: ClusterCredentials): boolean {
  return 'failure' in outcome && outcome.failure.reason === reasons.secretUnreadable;
}

export function missingSecret(key: ObjectKey): ClusterCredentials {
  const way = `create it with the kubeconfig of the cluster in the key "${kubeconfigKey}"`;
  return failed(key, '', reasons.secretNotFound, `there is no Secret "${keyOf(key)}": ${way}`);
}

/** `reservedName` returns the failure for a KubevirtConfig that must not be a member, whatever its Secret contains. */
export function reservedName(key: ObjectKey): ClusterCredentials {
  const message = `no KubevirtConfig may be called "${localName}", the name of the cluster that the operator runs in: create it under another name`;
  return failed(key, '', reasons.nameReserved, message);
}

export function credentialsOf({ metadata, data }: SecretObject): ClusterCredentials {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const version = metadata.resourceVersion ?? '';
  const encoded = data?.[kubeconfigKey];
  const name = `Secret "${keyOf(key)}"`;
  if (encoded === undefined || encoded === '')
    return failed(
      key,
      version,
      reasons.kubeconfigMissing,
      `${name} has no key "${kubeconfigKey}": put the kubeconfig of the cluster there`,
    );
  try {
    const source = strictKubeconfig(Buffer.from(encoded, 'base64').toString('utf8'));
    return { version: versionOf(key, version), outcome: { source } };
  } catch (error) {
    const reason =
      error instanceof KubeconfigError && refusedFields.test(error.field)
        ? reasons.kubeconfigRefused
        : reasons.kubeconfigInvalid;
    // Only our own error is known to contain nothing of the text.
    const why = error instanceof KubeconfigError ? error.message : 'the kubeconfig cannot be read';
    return failed(key, version, reason, `${name}: ${why}`);
  }
}

export function versionOf(key: ObjectKey, resourceVersion: string): string {
  return `${keyOf(key)}@${resourceVersion}`;
}

function failed(key: ObjectKey, resourceVersion: string, reason: Reason, message: string): ClusterCredentials {
  return { version: versionOf(key, resourceVersion), outcome: { failure: { status: 'False', reason, message } } };
}
