/** Deletes a vApp from its cluster: the TemplateInstance first, then the remaining VMs, and finally the rows. */
import { completeClaim } from '../../../db/work-queue/reconciliations.ts';
import { removeVapp } from '../../../db/vapps/vapp-removal.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';
import { instanceName } from '../../../kubevirt/tenant-vm/names.ts';
import { templateInstances, virtualMachines } from '../../../fleet/kinds.ts';
import { isLeaving } from '../vdcs/bound-namespace.ts';
import type { Result } from '../engine/context.ts';
import { isOurs, pauseSince, report, type VappAttempt } from './attempt.ts';
import { isAtWork } from './instance-state.ts';
import { deleteSecret } from './parameter-secret.ts';
import { releaseInstance } from './release-instance.ts';

export async function makeAbsent(attempt: VappAttempt): Promise<Result> {
  const { spec, work } = attempt;
  if (spec !== undefined) {
    const left = await endInstance(attempt);
    if (left !== undefined) return wait(attempt, left);
  }
  // A vApp that never had VMs has nothing in the cluster.
  if (spec !== undefined || work.machines.length > 0) {
    const left = await endMachines(attempt);
    if (left !== undefined) return wait(attempt, left);
  }
  return remove(attempt);
}

/** Resolves to what the deletion waits for; undefined if nothing is left. */
async function endInstance(attempt: VappAttempt): Promise<string | undefined> {
  const { client, spec, identity, work } = attempt;
  const name = spec?.instance ?? instanceName(identity);
  const { namespace } = identity;
  if (await isLeaving(client, namespace)) return undefined;
  const instance = await client.get(templateInstances, { namespace, name });
  if (instance !== undefined && isOurs(attempt, instance)) {
    await report(attempt, 'deleting the template instance', 20);
    if (isAtWork(instance, work.vapp.updated_at)) return 'waits until its template instance has finished';
    await releaseInstance(attempt, instance);
    return 'waits until its template instance is gone';
  }
  await deleteSecret(attempt, name);
  return undefined;
}

/**
 * A VM with a reconcile request is deleted by that work. The others are deleted here: VMs that a template created, and
 * VMs that were never recorded.
 */
async function endMachines({ client, identity, work, ...attempt }: VappAttempt): Promise<string | undefined> {
  const { namespace, installationId, vappId } = identity;
  const labelSelector = `${labels.installationId}=${installationId},${labels.vappId}=${vappId}`;
  const left = await client.namesOf(virtualMachines, { namespace, labelSelector });
  const worked = new Set(work.machines.filter(({ hasWork }) => hasWork).map(({ vm_name }) => vm_name));
  const ours = left.filter(({ metadata }) => !worked.has(metadata.name ?? ''));
  if (left.length > 0 || worked.size > 0)
    await report({ ...attempt, client, identity, work }, 'deleting virtual machines', 50);
  for (const machine of ours)
    if (machine.metadata.deletionTimestamp === undefined) await client.delete(virtualMachines, machine);
  const names = [...new Set([...worked, ...left.map(nameOf)])];
  if (names.length === 0) return undefined;
  const named = names.slice(0, 3).join(', ');
  return `waits until its virtual machines are gone: ${named}${names.length > 3 ? ' and more' : ''}`;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

async function wait({ db, claim, settings, work }: VappAttempt, message: string): Promise<Result> {
  await completeClaim(db, claim, { dueInMs: pauseSince(work.vapp.updated_at, settings), message });
  return 'waiting';
}

async function remove(attempt: VappAttempt): Promise<Result> {
  const { db, claim, work } = attempt;
  const message = work.fault ?? 'the vApp was deleted before this was done';
  const removed = await removeVapp(db, claim, { minorErrorCode: 'CONFLICT', message });
  return removed ? 'removed' : wait(attempt, 'waits until its virtual machines are gone');
}
