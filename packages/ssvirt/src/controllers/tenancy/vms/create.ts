/** Creates a VM: its Secrets with cloud-init data first, then the VM itself. A crash may follow any step. */
import { recordMade } from '../../../db/vms/vm-applied.ts';
import { completeClaim, finishClaim } from '../../../db/work-queue/reconciliations.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { buildMachine } from '../../../kubevirt/tenant-vm/build.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import type { VmSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { fromProcessed } from '../../../kubevirt/tenant-vm/template-vm.ts';
import { whileBound } from '../vdcs/bound-namespace.ts';
import { idsOf, reportStep, type Result } from '../engine/context.ts';
import { Refused } from '../engine/failures.ts';
import { checkMade } from '../engine/template-check.ts';
import { longestWait, madeOf, ownMachine, waitOn, type VmAttempt } from './attempt.ts';
import { secrets, virtualMachines } from '../../../fleet/kinds.ts';
import { giveSecrets, processed } from './vm-client.ts';

const telling = 'creating its cloud-init data';
const creating = 'creating the machine';

/** `mayHaveLateSecrets` returns whether an earlier attempt reached the Secrets without recording a VM: its requests may still arrive. */
export function mayHaveLateSecrets({ work: { uid, tasks }, spec }: VmAttempt): boolean {
  if (uid !== null || (spec.cloudInit === undefined && spec.sshKeys === undefined)) return false;
  return tasks.some(({ step }) => step === telling || step === creating);
}

export async function makeMachine(attempt: VmAttempt): Promise<Result> {
  const { live, spec, work } = attempt;
  const own = ownMachine(attempt);
  if (live !== undefined && own === undefined) throw foreign(attempt);
  if (!isWhole(spec))
    throw new Refused('BAD_REQUEST', 'the request does not say how to create the machine: request it again');
  if (spec.source.kind === 'template')
    return waitOn(
      attempt,
      `waits for its vApp "${work.vapp.name}", whose template creates the machine`,
      longestWait(attempt),
    );
  if (!work.vdc.ready)
    return waitOn(
      attempt,
      `waits for its virtual data center "${work.vdc.name}", which is not ready yet`,
      longestWait(attempt),
    );
  if (own === undefined && work.observed?.status === 'DELETED') throw deletedMeanwhile();
  const { secrets: guestSecrets, machine } = await build(attempt, spec);
  if (own === undefined) await tell(attempt, guestSecrets);
  const made = own ?? (await create(attempt, machine));
  await giveSecrets(attempt, guestSecrets, made);
  return finish(attempt, made);
}

function isWhole(spec: Partial<VmSpec>): spec is VmSpec {
  return spec.source !== undefined && spec.disks !== undefined && spec.networks !== undefined;
}

async function build(
  attempt: VmAttempt,
  spec: VmSpec,
): Promise<{ readonly secrets: readonly KubeLike[]; readonly machine: KubeLike }> {
  const { identity, work } = attempt;
  const { vm } = work;
  const running = vm.desired_power === 'on';
  if (spec.source.kind !== 'machineTemplate')
    return buildMachine(identity, spec, { cpus: vm.cpu_count ?? 1, memoryMb: vm.memory_mb ?? 1024, running });
  await reportStep(attempt, work.tasks, 'filling in the template', 10);
  const filled = await processed(attempt, spec.source);
  checkMade(attempt, spec.source.name, filled);
  const machine = fromProcessed(filled, identity, { running });
  return { secrets: [], machine };
}

/** Applied rather than created, to take over the Secrets of an unfinished attempt. */
async function tell(attempt: VmAttempt, guestSecrets: readonly KubeLike[]): Promise<void> {
  const { client, work } = attempt;
  if (guestSecrets.length > 0) await reportStep(attempt, work.tasks, telling, 20);
  const { namespace } = attempt.identity;
  await whileBound(client, namespace, async () => {
    for (const secret of guestSecrets) await client.apply(secrets, secret, undefined);
  });
}

async function create(attempt: VmAttempt, machine: KubeLike): Promise<Unstructured> {
  const { client, work } = attempt;
  await reportStep(attempt, work.tasks, creating, 50);
  return client.create(virtualMachines, machine);
}

async function finish(attempt: VmAttempt, made: Unstructured): Promise<Result> {
  const { db, claim, work } = attempt;
  const creations = work.tasks.filter(({ operation }) => operation === 'vmCreate');
  const end = { vapp: work.vapp.id, tasks: idsOf(creations), made: madeOf(made) };
  await recordMade(db, claim, end, (tx) =>
    // Later requests are done on the existing VM.
    creations.length < work.tasks.length ? completeClaim(tx, claim, { dueInMs: 0 }) : finishClaim(tx, claim),
  );
  return 'applied';
}

function foreign({ claim, work: { vm } }: VmAttempt): Refused {
  return new Refused(
    'CONFLICT',
    `cluster "${claim.cluster}" has a virtual machine "${vm.vm_name}" that does not belong to this machine: create the machine under another name`,
  );
}

/**
 * The VM was created by an unfinished attempt, or was a foreign one of the same name. The row is already bound to it,
 * so a new VM would not be recognized.
 */
function deletedMeanwhile(): Refused {
  return new Refused('CONFLICT', 'the machine was deleted in its cluster while it was being created: create it again');
}
