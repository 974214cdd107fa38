/**
 * The VM of an OrderTemplate. The template sets the run strategy once, at creation. After that, users who power the VM
 * on or off decide.
 */
import { fields } from '../../../kubevirt/facts/reading.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { atomicLists, type LiveMachine } from '../../../kubevirt/order/build.ts';
import { applyChild, type FoundChild } from '../children.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { carried, unchanged } from '../native/virtual-machine.ts';
import type { OrderWork } from '../work.ts';

export function ensureTemplateVm(work: OrderWork, desired: KubeLike, found: FoundChild): Promise<boolean> {
  const check = unchanged(carried(found));
  return applyChild(work, { type: virtualMachines, desired: withPower(desired, found), found, atomicLists, check });
}

/** `withPower` returns objects of other kinds unchanged. */
export function withPower(desired: KubeLike, found: FoundChild): KubeLike {
  if (desired.kind !== 'VirtualMachine') return desired;
  const { running, runStrategy, ...spec } = fields(desired['spec']);
  return { ...desired, spec: { ...spec, ...power(carried(found) ?? {}, { running, runStrategy }) } };
}

function power(
  live: LiveMachine,
  { running, runStrategy }: { readonly running: unknown; readonly runStrategy: unknown },
): object {
  if (live.runStrategy !== undefined) return { runStrategy: live.runStrategy };
  if (live.running !== undefined) return { running: live.running };
  return runStrategy === undefined ? { running: running ?? true } : { runStrategy };
}
