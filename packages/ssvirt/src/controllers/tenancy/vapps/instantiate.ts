/**
 * Creates the VMs of a vApp from a template, with a TemplateInstance. A crash may follow any step; the next attempt
 * finds what exists.
 */
import { endTasks, type OpenTask } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim, finishClaim, markDue } from '../../../db/work-queue/reconciliations.ts';
import {
  keepInstanceName,
  recordCreated,
  recordInstance,
  underMachinesAndClaim,
  type MadeMachine,
} from '../../../db/vapps/vapp-applied.ts';
import { instanceName } from '../../../kubevirt/tenant-vm/names.ts';
import type { VappSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { instanceTemplate, templateInstance } from '../../../kubevirt/tenant-vm/template-vm.ts';
import { whileBound } from '../vdcs/bound-namespace.ts';
import { idsOf, type Result } from '../engine/context.ts';
import { Refused } from '../engine/failures.ts';
import { checkTemplate } from '../engine/template-check.ts';
import { isOurs, machineIdentity, pauseSince, report, type VappAttempt } from './attempt.ts';
import { instanceState } from './instance-state.ts';
import { templateInstances, templates, type TemplateInstance } from '../../../fleet/kinds.ts';
import { createdVms } from './created-vms.ts';
import { createSecret, deleteSecret, ownSecret } from './parameter-secret.ts';

export async function instantiate(attempt: VappAttempt, spec: VappSpec): Promise<Result> {
  const { work } = attempt;
  if (!work.vdc.ready) {
    await report(attempt, 'waiting for the virtual data center', 5);
    return wait(attempt, `waits until its virtual data center "${work.vdc.name}" is ready`);
  }
  const name = spec.instance ?? (await named(attempt));
  const instance = await whileBound(attempt.client, attempt.identity.namespace, () => find(attempt, spec, name));
  const { uid = '' } = instance.metadata;
  if (work.uid === null) await handOver(attempt, name, uid);
  const found = instanceState(instance);
  if (found.state === 'failed') throw new Refused(found.failure.minorErrorCode, found.failure.message);
  if (found.state === 'ready') return finish(attempt, name, await createdVms(attempt, spec, uid));
  await report(attempt, 'waiting for the template instance', 50);
  return wait(attempt, `waits until the template "${spec.template.name}" has created its virtual machines`);
}

async function named({ db, claim, identity }: VappAttempt): Promise<string> {
  const name = instanceName(identity);
  await keepInstanceName(db, claim, name);
  return name;
}

/** A TemplateInstance that was created once is not created again. */
async function find(attempt: VappAttempt, spec: VappSpec, name: string): Promise<TemplateInstance> {
  const { client, identity, work, cluster } = attempt;
  const { namespace } = identity;
  const found = await client.get(templateInstances, { namespace, name });
  if (found === undefined && work.uid === null) return create(attempt, spec, name);
  if (found !== undefined && !isOurs(attempt, found))
    throw new Refused(
      'CONFLICT',
      `cluster "${cluster.name}" has a TemplateInstance "${name}" that does not belong to this vApp: create the vApp again`,
    );
  const isKept = work.uid === null || found?.metadata.uid === work.uid;
  if (found === undefined || !isKept || found.metadata.deletionTimestamp !== undefined)
    throw new Refused('CONFLICT', 'its template instance was deleted before its virtual machines were created');
  return found;
}

async function create(attempt: VappAttempt, spec: VappSpec, name: string): Promise<TemplateInstance> {
  const { client, identity } = attempt;
  const template = await client.get(templates, spec.template);
  if (template === undefined)
    throw new Refused('CONFLICT', `the template "${spec.template.name}" that it is created from no longer exists`);
  checkTemplate(attempt, spec.template.name, template, spec.parameters ?? {});
  const machines = spec.machines.map((machine) => machineIdentity(attempt, machine));
  const filled = instanceTemplate(template, machines, { powerOn: spec.powerOn });
  await report(attempt, 'creating the template instance', 20);
  await createSecret(attempt, spec, name);
  return client.create(templateInstances, templateInstance(identity, name, filled));
}

/** From here on the cluster owns the values of the parameters. */
async function handOver(attempt: VappAttempt, name: string, uid: string): Promise<void> {
  await ownSecret(attempt, name, uid);
  await recordInstance(attempt.db, attempt.claim, uid);
}

async function finish(attempt: VappAttempt, name: string, made: readonly MadeMachine[]): Promise<Result> {
  const { db, claim, work } = attempt;
  await deleteSecret(attempt, name);
  const isCreation = ({ operation }: OpenTask): boolean => operation === 'vappInstantiate';
  const others = work.tasks.filter((task) => !isCreation(task));
  await underMachinesAndClaim(db, claim, async (tx) => {
    await recordCreated(tx, claim, made);
    // Wakes the work that waits for these VMs, for example to delete one.
    await markDue(
      tx,
      'vm',
      work.machines.map(({ id }) => id),
    );
    await endTasks(tx, claim, idsOf(work.tasks.filter(isCreation)));
    await (others.length > 0 ? completeClaim(tx, claim, { dueInMs: 0 }) : finishClaim(tx, claim));
  });
  return 'applied';
}

async function wait({ db, claim, settings, work }: VappAttempt, message: string): Promise<Result> {
  await completeClaim(db, claim, { dueInMs: pauseSince(work.vapp.created_at, settings), message });
  return 'waiting';
}
