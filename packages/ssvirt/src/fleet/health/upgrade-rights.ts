/**
 * After an upgrade from 0.1.0 a process keeps its old permissions on Secrets in all namespaces, through a
 * ClusterRoleBinding of its own (deploy/upgrade), until every namespace that it works in has a RoleBinding. Then the
 * process deletes that ClusterRoleBinding. A cluster without one is asked once.
 */
import type { Logger } from 'pino';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { mayI, rbacGroup } from '../identity/account.ts';

export const clusterRoleBindings: ResourceType<KubeObject> = {
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};

export interface UpgradeRights {
  readonly client: Client;
  /** The account of the process, such as `ssvirt-api-server`. */
  readonly account: string;
  /** Returns the namespaces that the process works in and that have no RoleBinding yet. */
  readonly unbound: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMs?: number;
}

const defaultEveryMs = 15_000;
const requestMs = 10_000;
const mostNamed = 10;

/**
 * `giveUpRights` resolves when the ClusterRoleBinding is gone (at once if there is none) or when the signal is aborted.
 */
export async function giveUpRights(rights: UpgradeRights, signal: AbortSignal): Promise<void> {
  const { clock, log, account, everyMs = defaultEveryMs } = rights;
  let named = '';
  while (!signal.aborted) {
    try {
      if (!(await hasRights(rights, signal))) return;
      const unbound = await rights.unbound(signal);
      if (unbound.length === 0) {
        await deleteBinding(rights, signal);
        log.info({ account }, 'gave up rights on Secrets in all namespaces, every namespace is bound');
        return;
      }
      const namespaces = unbound.slice(0, mostNamed).join(', ');
      if (namespaces !== named)
        log.warn(
          { account, namespaces, count: unbound.length },
          'keeping rights on Secrets of 0.1.0, namespaces are not bound',
        );
      named = namespaces;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, account }, 'cannot give up rights on Secrets of 0.1.0, retrying');
    }
    await sleep(clock, everyMs, signal);
  }
}

function nameOf({ account }: Pick<UpgradeRights, 'account'>): string {
  return `${account}-0.1.0`;
}

async function hasRights(rights: UpgradeRights, signal: AbortSignal): Promise<boolean> {
  const options: RequestOptions = { signal, timeoutMs: requestMs };
  const name = nameOf(rights);
  const access = { verb: 'delete', group: rbacGroup, resource: 'clusterrolebindings', name };
  if (!(await mayI(rights.client, access, options))) return false;
  // A list with this name succeeds even if the object does not exist.
  const fieldSelector = `metadata.name=${name}`;
  const { items } = await rights.client.list(clusterRoleBindings, { ...options, fieldSelector, metadataOnly: true });
  return items.length > 0;
}

async function deleteBinding(rights: UpgradeRights, signal: AbortSignal): Promise<void> {
  try {
    await rights.client.delete(clusterRoleBindings, { name: nameOf(rights) }, { signal, timeoutMs: requestMs });
  } catch (error) {
    // Another replica was first.
    if (!isNotFound(error) && !isKind(error, 'Forbidden')) throw error;
  }
}
