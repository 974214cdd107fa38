/** Redaction of tasks. Clusters and namespaces are the provider's; tenants know virtual data centers. */
import type { ShownTask } from '../../db/tasks/tasks.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { redactClusterNames } from '../clusters/redaction.ts';

const waits = 'It is waiting for its cluster; ask the provider if this takes long.';
const failed = 'It failed; ask the provider.';

export function redactedFor(caller: Pick<Caller, 'roles'>, task: ShownTask): ShownTask {
  if (isSystemAdministrator(caller)) return task;
  return task.owner_kind === 'vdc' ? ofVdc(task) : ofTenant(task);
}

/** What a cluster said about a virtual data center is only for the provider; tenants get no details. */
function ofVdc(task: ShownTask): ShownTask {
  return {
    ...task,
    waits_for: task.waits_for === '' ? '' : waits,
    error: task.error === null ? null : { ...task.error, message: failed },
  };
}

/**
 * The owner of a VM can correct what the cluster refused and may know what the task waits for; only names of the
 * cluster and of the namespace are removed. The reason of a failed attempt is hidden: it contains addresses and
 * permissions.
 */
function ofTenant(task: ShownTask): ShownTask {
  const { waits_for, failing, error, details, owner_cluster: cluster, owner_namespace: namespace } = task;
  const place = { cluster, namespace };
  const message = error?.['message'];
  // What the cluster answered to the stop before a deletion.
  const { notStopped } = details;
  return {
    ...task,
    waits_for: failing ? waits : redactClusterNames(waits_for, place),
    step: redactClusterNames(task.step, place),
    details:
      typeof notStopped === 'string' ? { ...details, notStopped: redactClusterNames(notStopped, place) } : details,
    error:
      error === null || typeof message !== 'string' ? error : { ...error, message: redactClusterNames(message, place) },
  };
}
