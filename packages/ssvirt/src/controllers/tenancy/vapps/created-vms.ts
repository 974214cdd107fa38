/** The VMs that a template has created. Checks that all requested VMs exist, and labels them. */
import { defined } from '@ssvirt/base/values/defined';
import type { MadeMachine } from '../../../db/vapps/vapp-applied.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import {
  instanceLabels,
  machineAnnotations,
  machineLabels,
  type VmIdentity,
  type Texts,
} from '../../../kubevirt/tenant-vm/labels.ts';
import type { VappSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { Refused } from '../engine/failures.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { checkMade } from '../engine/template-check.ts';
import { machineIdentity, report, type VappAttempt } from './attempt.ts';
import { madeByLabel } from './template-marks.ts';

/** VMs that were deleted meanwhile are left out. */
export async function createdVms(attempt: VappAttempt, spec: VappSpec, uid: string): Promise<readonly MadeMachine[]> {
  const { work } = attempt;
  await report(attempt, 'checking its virtual machines', 80);
  const wanted = new Set<string>(work.machines.filter((one) => one.desired_state === 'present').map(({ id }) => id));
  const made: MadeMachine[] = [];
  for (const machine of spec.machines)
    if (wanted.has(machine.vmId))
      made.push(await madeMachine(attempt, spec.template.name, machineIdentity(attempt, machine), uid));
  return made;
}

async function madeMachine(
  attempt: VappAttempt,
  template: string,
  machine: VmIdentity,
  instance: string,
): Promise<MadeMachine> {
  const { client } = attempt;
  const { namespace, vmName, vmId } = machine;
  const found = await client.get(virtualMachines, { namespace, name: vmName });
  if (found?.metadata.labels?.[madeByLabel] !== instance)
    throw new Refused(
      'CONFLICT',
      `the template did not create the virtual machine "${vmName}": the template changed, or the machine was deleted. Try again`,
    );
  checkMade(attempt, template, found);
  const stamp = stampOf(found, machine);
  const { metadata } = stamp === undefined ? found : await client.patch(virtualMachines, found, stamp);
  return { vmId, uid: metadata.uid ?? '', generation: metadata.generation ?? 0 };
}

interface MadeVirtualMachine extends KubeObject {
  readonly spec?: { readonly template?: { readonly metadata?: { readonly labels?: Texts } } };
}

/**
 * The labels and annotations that the objects of a template could not carry, as a merge patch; undefined if none are
 * missing.
 */
export function stampOf({ metadata, spec }: MadeVirtualMachine, machine: VmIdentity): object | undefined {
  const labels = lacking(metadata.labels, machineLabels(machine));
  const annotations = lacking(metadata.annotations, machineAnnotations(machine));
  const inner = lacking(spec?.template?.metadata?.labels, instanceLabels(machine));
  if (labels === undefined && annotations === undefined && inner === undefined) return undefined;
  return {
    metadata: defined({ labels, annotations }),
    ...(inner === undefined ? {} : { spec: { template: { metadata: { labels: inner } } } }),
  };
}

function lacking(found: Texts | undefined, wanted: Texts): Texts | undefined {
  const missing = Object.entries(wanted).filter(([key, value]) => found?.[key] !== value);
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
