/** Puts down in the status of a KubevirtConfig which cluster it is. Whoever is first is right: the others learn what was put down. */
import type { Client, RequestOptions } from '../kube/client/client.ts';
import { isConflict } from '../kube/errors.ts';
import type { ObjectKey } from '../kube/object.ts';
import { patchStatus } from '../kube/reconcile/status-patch.ts';
import { kubevirtConfigs } from './kubevirt-config.ts';

const attempts = 5;

/** `before` is what the caller knew: if something else stands there by now, that counts. */
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
      // The version that was read is the lock: two who are first at once get one answer.
      await patchStatus(client, kubevirtConfigs, config, { ...config.status, identity }, options);
      return identity;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}
