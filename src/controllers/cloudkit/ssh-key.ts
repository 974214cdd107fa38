/** The Secret with a key that was taken out of the order. */
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { find } from '../../kube/reconcile/create-or-patch.ts';
import { secrets } from '../../fleet/kubevirt-config.ts';
import { desiredVersion } from '../../virt/order/config-version.ts';
import { childNames } from '../../virt/order/names.ts';
import { isOurs, isTakeable, markChild, nameOf, writing } from './children.ts';
import { reconciledVersion, wasWithAap } from '../../virt/order/traces.ts';
import type { Work } from './work.ts';

/**
 * Behind the virtual machine, which does not name it any more. An instance that is there was made with it, and without it one that is still starting would wait
 * for ever: when the instance goes, this is looked at again.
 */
export async function dropSshKeySecret(work: Work): Promise<void> {
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
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    } catch (error) {
      // Gone already, or another: that is seen soon.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  });
}

/** One that AAP has made is in no cache: it is asked for until the version is done in which the controller takes over, however often that begins anew. */
async function unseen(
  { cluster, order, signal }: Work,
  key: { readonly namespace: string; readonly name: string },
): Promise<Awaited<ReturnType<typeof find>>> {
  const isDone = reconciledVersion(order) === desiredVersion(order.spec);
  return isDone || !wasWithAap(order) ? undefined : find(cluster.client, secrets, key, { signal });
}
