/** Deletes the Secret of an SSH key that was removed from the order. */
import { defined } from '@ssvirt/base/values/defined';
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { secrets } from '../../../fleet/kinds.ts';
import { desiredVersion } from '../../../kubevirt/order/config-version.ts';
import { childNames } from '../../../kubevirt/order/names.ts';
import { isOurs, isTakeable, markChild, nameOf, writing } from '../children.ts';
import { reconciledVersion, wasWithAap } from '../../../kubevirt/order/aap/aap-marks.ts';
import type { OrderWork } from '../work.ts';

/**
 * Runs after the VM was applied, which no longer names the Secret. A running instance was created with the Secret, and
 * one that is still starting would wait for it for ever. When the instance is gone, the order is reconciled again.
 */
export async function dropSshKeySecret(work: OrderWork): Promise<void> {
  const { caches, cluster, identity, signal } = work;
  const names = childNames(identity);
  const namespace = identity.tenantNamespace;
  const key = { namespace, name: names.sshKeySecret };
  const old = caches.secrets.get(key) ?? (await unseen(work, key));
  if (old === undefined || !isTakeable(work, old) || old.metadata.deletionTimestamp !== undefined) return;
  const instance = caches.instances.get({ namespace, name: names.vm });
  if (instance?.sshKeySecrets.includes(names.sshKeySecret) === true) {
    if (!isOurs(work, old)) await markChild(work, secrets, old);
    return;
  }
  const { uid, resourceVersion } = old.metadata;
  await writing(work, `delete ${nameOf(secrets, key)}`, async () => {
    try {
      await cluster.client.delete(secrets, key, {
        signal,
        ...defined({ uid, resourceVersion }),
      });
    } catch (error) {
      // Already gone, or replaced: a watch event follows soon.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  });
}

/**
 * A Secret that AAP created is in no cache. It is read from the server until the version in which the controller takes
 * over is finished, however often that starts again.
 */
async function unseen(
  { cluster, order, signal }: OrderWork,
  key: { readonly namespace: string; readonly name: string },
): Promise<Awaited<ReturnType<typeof find>>> {
  const isDone = reconciledVersion(order) === desiredVersion(order.spec);
  return isDone || !wasWithAap(order) ? undefined : find(cluster.client, secrets, key, { signal });
}
