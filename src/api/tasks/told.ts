/** What a task says to whom. Clusters and namespaces are the provider's; tenants know virtual data centers. */
import type { ShownTask } from '../../db/tasks.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { unnamed } from '../clusters/unnamed.ts';

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
  const { waits_for, failing, error, details, owner_cluster: cluster, owner_namespace: namespace } = task;
  const place = { cluster, namespace };
  const message = error?.['message'];
  // What the cluster said to a stop before a deletion.
  const { notStopped } = details;
  return {
    ...task,
    waits_for: failing ? waits : unnamed(waits_for, place),
    step: unnamed(task.step, place),
    details: typeof notStopped === 'string' ? { ...details, notStopped: unnamed(notStopped, place) } : details,
    error: error === null || typeof message !== 'string' ? error : { ...error, message: unnamed(message, place) },
  };
}
