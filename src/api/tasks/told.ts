/** What a task says to whom. Clusters and namespaces are the provider's; tenants know virtual data centers. */
import type { ShownTask } from '../../db/tasks.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';

const waits = 'It waits for its cluster; ask the provider where that takes long.';
const failed = 'It could not be done; ask the provider.';

export function asToldTo(caller: Pick<Caller, 'roles'>, task: ShownTask): ShownTask {
  if (isSystemAdministrator(caller)) return task;
  return task.owner_kind === 'vdc' ? ofVdc(task) : ofTenant(task);
}

/** What a cluster has said of a virtual data center is for the provider alone; the VDC tells its tenants no more. */
function ofVdc(task: ShownTask): ShownTask {
  return {
    ...task,
    waits_for: task.waits_for === '' ? '' : waits,
    error: task.error === null ? null : { ...task.error, message: failed },
  };
}

/**
 * Why a cluster has refused a machine is its owner's to mend, and what is waited for is its owner's to know; only names of the cluster and of the namespace
 * are taken out. Why an attempt has failed is another matter: addresses and rights stand in it.
 */
function ofTenant(task: ShownTask): ShownTask {
  const { waits_for, failing, error } = task;
  const message = error?.['message'];
  return {
    ...task,
    waits_for: failing ? waits : unnamed(waits_for, task),
    step: unnamed(task.step, task),
    error: error === null || typeof message !== 'string' ? error : { ...error, message: unnamed(message, task) },
  };
}

function unnamed(text: string, { owner_cluster: cluster, owner_namespace: namespace }: ShownTask): string {
  let told = text;
  if (namespace !== '')
    told = told
      .replaceAll(new RegExp(`(?:in )?(?:the )?namespaces? ${quoted(namespace)}`, 'g'), (found) =>
        found.startsWith('in ') ? 'in the virtual data center' : 'the virtual data center',
      )
      .replaceAll(namespace, '…');
  if (cluster !== '')
    told = told
      .replaceAll(new RegExp(`(?:the )?clusters? ${quoted(cluster)}`, 'g'), 'the cluster')
      .replaceAll(`"${cluster}"`, 'the cluster');
  return told;
}

function quoted(name: string): string {
  return `["'\`]?${name.replaceAll(/[^\w-]/g, '\\$&')}["'\`]?(?![\\w-])`;
}
