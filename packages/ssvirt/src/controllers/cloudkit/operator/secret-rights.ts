/**
 * Secrets are read and written with the rights of a RoleBinding that an administrator creates in each tenant namespace.
 * Without it no child of an order is created there: everything that can be refused is checked before the first write.
 */
import { systemClock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import type { UpgradeRights } from '../../../fleet/health/upgrade-rights.ts';
import {
  namespaceFacts,
  secretsProblem,
  tenantsToBind,
  type NamespaceFacts,
} from '../../../kubevirt/order/namespace.ts';
import { conditions } from '../../../kubevirt/order/resource.ts';
import { reconciledVersion } from '../../../kubevirt/order/aap/aap-marks.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { unboundNamespaces } from '../../operator/unbound-namespaces.ts';
import { refused } from './step-halted.ts';
import type { OrderOperatorContext } from './operator.ts';
import type { OrderWork } from '../work.ts';

export async function ensureSecretRights({ caches, identity, signal }: OrderWork): Promise<void> {
  const { tenantNamespace } = identity;
  if (!(await caches.secrets.isOpen(tenantNamespace, signal)))
    throw refused(secretsProblem(tenantNamespace), lookAgainMs);
}

/**
 * `canSeeSecrets` resolves to false if the namespace is gone or being deleted, and so has no Secrets. Throws if the
 * namespace exists and we have no rights there.
 */
export async function canSeeSecrets(work: OrderWork): Promise<boolean> {
  const { caches, identity, signal } = work;
  const { tenantNamespace } = identity;
  if (await caches.secrets.isOpen(tenantNamespace, signal)) return true;
  const found = caches.namespaces.get({ name: tenantNamespace });
  if (found === undefined || isDeleting(found)) return false;
  throw refused(secretsProblem(tenantNamespace), lookAgainMs);
}

/**
 * `haveNoSecrets` says whether an order certainly has no Secrets of ours in a namespace without rights for us. Throws
 * if it may have some.
 */
export async function haveNoSecrets(work: OrderWork): Promise<boolean> {
  const { caches, identity, order, signal } = work;
  const { tenantNamespace, namespace } = identity;
  if (await caches.secrets.isOpen(tenantNamespace, signal)) return false;
  const found = caches.namespaces.get({ name: tenantNamespace });
  // The contents of a namespace are deleted with it, and the garbage collector deletes what an order owns.
  if (found === undefined || isDeleting(found) || tenantNamespace === namespace) return true;
  if (!hasMadeSecrets(order)) return true;
  throw refused(secretsProblem(tenantNamespace), lookAgainMs);
}

/**
 * `upgradeRights` finds the tenant namespaces that have no RoleBinding after an upgrade from 0.1.0. One that does not
 * accept its order never gets a RoleBinding, and does not count.
 */
export function upgradeRights({ caches, config, instruments }: OrderOperatorContext, cluster: Cluster): UpgradeRights {
  return {
    client: cluster.client,
    account: 'ssvirt-cloudkit-operator',
    clock: systemClock,
    log: instruments.log,
    async unbound(signal) {
      const { orders, namespaces } = caches(cluster);
      await Promise.all([orders.synced(signal), namespaces.synced(signal)]);
      const factsOf = (name: string): NamespaceFacts | undefined => {
        const found = namespaces.get({ name });
        return found === undefined ? undefined : namespaceFacts(found);
      };
      const names = tenantsToBind(orders.list(), factsOf, config.namespace);
      return unboundNamespaces(cluster.client, names, roleBindingName, signal);
    },
  };
}

/** The name that `ssvirt order bind-namespace` prints. */
const roleBindingName = 'ssvirt-cloudkit-operator-secrets';

const secretConditions: ReadonlySet<string> = new Set([
  conditions.cloudInitSecret,
  conditions.sshKeySecret,
  conditions.objects,
]);

function hasMadeSecrets(order: OrderWork['order']): boolean {
  if (order.status?.provisionedBy !== 'controller') return false;
  const made = order.status.conditions ?? [];
  return (
    reconciledVersion(order) !== undefined ||
    made.some(({ type, status }) => status === 'True' && secretConditions.has(type))
  );
}
