/**
 * Secrets are read and written with the rights of a RoleBinding in each namespace of Machines. In a member the operator
 * creates it, in namespaces that it created or that were opened to it. In the supervisor an administrator creates it,
 * in namespaces whose Machines need Secrets.
 */
import { isKind } from '@ssvirt/kube/errors';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { NotOurs } from '@ssvirt/kube/reconcile/apply-child';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { mayI, ownSubject, roleBindings } from '../../../fleet/identity/account.ts';
import { localName } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';
import type { UpgradeRights } from '../../../fleet/health/upgrade-rights.ts';
import { roleBindingName, secretsProblem, wantedRoleBinding } from '../../../kubevirt/machine/role-binding.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { unboundNamespaces } from '../../operator/unbound-namespaces.ts';
import { asked, problem } from '../step-halted.ts';
import { isAllowed, mayBeBound } from './namespace.ts';
import type { MachineOperatorContext } from '../operator.ts';
import { byCluster } from '../supervisor.ts';
import type { MachineWork } from '../work.ts';

/**
 * `upgradeRights` finds the namespaces of Machines that have no RoleBinding after an upgrade from 0.1.0. In the
 * supervisor only those that need Secrets count.
 */
export function upgradeRights(
  { supervisor, caches, instruments }: MachineOperatorContext,
  cluster: Cluster,
): UpgradeRights {
  return {
    client: cluster.client,
    account: 'ssvirt-machine-operator',
    clock: systemClock,
    log: instruments.log,
    async unbound(signal) {
      const { namespaces, roleBindings: known } = caches(cluster);
      await Promise.all([supervisor.machines.synced(signal), namespaces.synced(signal)]);
      const isLocal = cluster.name === localName;
      const those = isLocal
        ? supervisor.machines.list().filter(({ spec }) => spec.cloudInit !== undefined)
        : supervisor.machines.byIndex(byCluster, cluster.name);
      const names = [...new Set(those.map(({ metadata }) => metadata.namespace ?? ''))].filter((name) =>
        mayBeBound(namespaces.get({ name }), isLocal ? undefined : supervisor.identity),
      );
      if (known !== undefined) {
        await known.synced(signal);
        return names.filter((namespace) => known.get({ namespace, name: roleBindingName }) === undefined);
      }
      return unboundNamespaces(cluster.client, names, roleBindingName, signal);
    },
  };
}

const boundMs = 5_000;
const boundPollMs = 100;

/** `bindNamespace` creates the RoleBinding in a member, and restores it after a change. */
export async function bindNamespace(work: MachineWork): Promise<void> {
  const { caches, identity, member, operator, signal } = work;
  if (caches.roleBindings === undefined) return;
  const key = { namespace: identity.namespace, name: roleBindingName };
  const what = `write RoleBinding "${key.namespace}/${key.name}"`;
  const subject = await asked('namespace', member.name, 'ask who we are', () =>
    operator.subjectIn(member, () => ownSubject(member.client, { signal })),
  );
  const child = {
    type: roleBindings,
    desired: wantedRoleBinding(identity, subject),
    live: caches.roleBindings.get(key),
    projected: true,
  };
  const apply = (): ReturnType<typeof operator.applier.apply> =>
    operator.applier.apply(member.client, child, { signal });
  await asked('namespace', member.name, what, async () => {
    try {
      if ((await apply()).outcome !== 'applied') return;
    } catch (error) {
      // The roleRef of a RoleBinding is immutable. One of our name with another roleRef is deleted and created again.
      if (error instanceof NotOurs || !isKind(error, 'Invalid')) throw error;
      await member.client.delete(roleBindings, key, { signal });
      await operator.applier.apply(member.client, { ...child, live: undefined }, { signal });
    }
    await untilKnown(work);
  });
}

/** Waits until the cluster applies new rights, which takes a moment. */
async function untilKnown({ identity, member, signal }: MachineWork): Promise<void> {
  const access = { verb: 'list', group: '', resource: 'secrets', namespace: identity.namespace };
  for (let waitedMs = 0; waitedMs < boundMs; waitedMs += boundPollMs) {
    if (await mayI(member.client, access, { signal })) return;
    await sleep(systemClock, boundPollMs, signal);
  }
}

/** `ensureSecretRights` throws if Secrets of a Machine cannot be read and written. */
export async function ensureSecretRights(work: MachineWork): Promise<void> {
  if (!(await haveSecretRights(work))) throw problem('cloud-init', secretsForbidden(work), lookAgainMs);
}

export function haveSecretRights({ caches, identity, signal }: MachineWork): Promise<boolean> {
  return caches.secrets.isOpen(identity.namespace, signal);
}

/**
 * `secretsAreOutOfReach` says whether Secrets without access certainly leave nothing to delete: they are deleted with
 * their namespace, or with the Machine that owns them. Otherwise the cluster refuses the request, and the Machine's
 * status says so.
 */
export async function secretsAreOutOfReach(work: MachineWork): Promise<boolean> {
  const { caches, identity, member } = work;
  const found = caches.namespaces.get({ name: identity.namespace });
  const isLeaving = found === undefined || isDeleting(found);
  if (member.name !== localName && !isLeaving && isAllowed(found, identity.supervisor)) await bindNamespace(work);
  if (await haveSecretRights(work)) return false;
  return isLeaving || member.name === localName;
}

/** `cluster` defaults to the cluster of the Machine. */
export function secretsForbidden(
  { member, identity }: MachineWork,
  cluster: string = member.name,
): ReturnType<typeof secretsProblem> {
  return secretsProblem(identity.namespace, cluster, cluster === localName);
}
