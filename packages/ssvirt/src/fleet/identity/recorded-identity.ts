/**
 * Records the identity of a cluster in the status of its KubevirtConfig. The first writer wins: later ones get the
 * recorded value.
 */
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { isConflict } from '@ssvirt/kube/errors';
import type { ObjectKey } from '@ssvirt/kube/object';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { kubevirtConfigs } from '../kubevirtconfig/kubevirt-config.ts';

const attempts = 5;

/** `before` is the value that the caller knew: if another value is recorded by now, that one is returned. */
export async function recordIdentity(
  client: Client,
  key: ObjectKey,
  identity: string,
  before: string | undefined,
  options: RequestOptions,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const config = await client.get(kubevirtConfigs, key, options);
    const there = config.status?.identity;
    if (there === identity) return there;
    if (there !== undefined && there !== '' && there !== before) return there;
    try {
      // The resource version that was read is the lock: two concurrent first writers get one result.
      await patchStatus(client, kubevirtConfigs, config, { ...config.status, identity }, options);
      return identity;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}
