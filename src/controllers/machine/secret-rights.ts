/**
 * Secrets are read and written by a RoleBinding in each namespace of Machines. In a member the operator makes it itself, in namespaces that it has made or that were
 * opened to it; in the supervisor an administrator makes it, in the namespaces whose Machines need Secrets.
 */
import { isKind } from '../../kube/errors.ts';
import { sleep, systemClock } from '../../kube/clock.ts';
import { NotOurs } from '../../kube/reconcile/apply-child.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { find } from '../../kube/reconcile/create-or-patch.ts';
import { isDeleting } from '../../kube/reconcile/finalizers.ts';
import { mayI, ownSubject, roleBindings } from '../../fleet/account.ts';
import { localName } from '../../fleet/kubevirt-config.ts';
import type { UpgradeRights } from '../../fleet/upgrade-rights.ts';
import { roleBindingName, secretsProblem, wantedRoleBinding } from '../../virt/declared-machine/role-binding.ts';
import { asked, lookAgainMs, problem } from './halted.ts';
import { isAllowed } from './namespace.ts';
import type { Operator } from './operator.ts';
import { byCluster } from './supervisor.ts';
import type { Work } from './work.ts';

/** `upgradeRights` says which namespaces of Machines have no RoleBinding after an upgrade from 0.1.0. In the supervisor only those count that need Secrets. */
export function upgradeRights({ supervisor, caches, surroundings }: Operator, cluster: Cluster): UpgradeRights {
  return {
    client: cluster.client,
    account: 'ssvirt-machine-operator',
    clock: systemClock,
    log: surroundings.log,
    async unbound(signal) {
      await supervisor.machines.synced(signal);
      const isLocal = cluster.name === localName;
      const those = isLocal
        ? supervisor.machines.list().filter(({ spec }) => spec.cloudInit !== undefined)
        : supervisor.machines.byIndex(byCluster, cluster.name);
      const names = [...new Set(those.map(({ metadata }) => metadata.namespace ?? ''))];
      const known = caches(cluster).roleBindings;
      if (known !== undefined) {
        await known.synced(signal);
        return names.filter((namespace) => known.get({ namespace, name: roleBindingName }) === undefined);
      }
      const found = await Promise.all(
        names.map((namespace) => find(cluster.client, roleBindings, { namespace, name: roleBindingName }, { signal })),
      );
      return names.filter((_, at) => found[at] === undefined);
    },
  };
}

const boundMs = 5_000;
const boundPollMs = 100;

/** `bindNamespace` makes the RoleBinding in a member, and mends it where somebody has changed it. */
export async function bindNamespace(work: Work): Promise<void> {
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
      // What a RoleBinding grants cannot be changed: one of our name that grants something else is made anew.
      if (error instanceof NotOurs || !isKind(error, 'Invalid')) throw error;
      await member.client.delete(roleBindings, key, { signal });
      await operator.applier.apply(member.client, { ...child, live: undefined }, { signal });
    }
    await untilKnown(work);
  });
}

/** A cluster hears of rights a moment after they are written. */
async function untilKnown({ identity, member, signal }: Work): Promise<void> {
  const access = { verb: 'list', group: '', resource: 'secrets', namespace: identity.namespace };
  for (let waitedMs = 0; waitedMs < boundMs; waitedMs += boundPollMs) {
    if (await mayI(member.client, access, { signal })) return;
    await sleep(systemClock, boundPollMs, signal);
  }
}

/** `ensureSecretRights` throws where Secrets of a Machine cannot be read and written. */
export async function ensureSecretRights(work: Work): Promise<void> {
  if (!(await haveSecretRights(work))) throw problem('cloud-init', secretsForbidden(work), lookAgainMs);
}

export function haveSecretRights({ caches, identity, signal }: Work): Promise<boolean> {
  return caches.secrets.isOpen(identity.namespace, signal);
}

/**
 * `secretsAreOutOfReach` says whether there is certainly nothing to delete among Secrets that we cannot see: they go with their namespace, or with the Machine that
 * owns them. Where it may be otherwise, the cluster refuses, and the Machine says so.
 */
export async function secretsAreOutOfReach(work: Work): Promise<boolean> {
  const { caches, identity, member } = work;
  const found = caches.namespaces.get({ name: identity.namespace });
  const isLeaving = found === undefined || isDeleting(found);
  if (member.name !== localName && !isLeaving && isAllowed(found, identity.supervisor)) await bindNamespace(work);
  if (await haveSecretRights(work)) return false;
  return isLeaving || member.name === localName;
}

/** Of the Machine's cluster unless said. */
export function secretsForbidden(
  { member, identity }: Work,
  cluster: string = member.name,
): ReturnType<typeof secretsProblem> {
  return secretsProblem(identity.namespace, cluster, cluster === localName);
}
