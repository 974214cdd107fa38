/**
 * The VirtualMachine of an order, by server-side apply: our fields are restored, fields that others added stay, and so
 * does a power state that a user chose.
 */
import { isDeepStrictEqual } from 'node:util';
import { KubeError } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { atomicLists, buildVirtualMachine, liveMachine, type LiveMachine } from '../../../kubevirt/order/build.ts';
import type { OrderParameters } from '../../../kubevirt/order/parameters/parameters.ts';
import { applyChild, nameOf, type FoundChild } from '../children.ts';
import type { OrderVm } from '../operator/projections.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import type { OrderWork } from '../work.ts';

export function ensureVirtualMachine(
  work: OrderWork,
  parameters: OrderParameters,
  found: FoundChild,
): Promise<boolean> {
  const { identity, operator } = work;
  const live = carried(found);
  const desired = buildVirtualMachine(identity, parameters, live, { binding: operator.config.networkBinding });
  return applyChild(work, { type: virtualMachines, desired, found, atomicLists, check: unchanged(live) });
}

/** `carried` returns the part of the existing VM that is carried over. */
export function carried({ object, whole }: FoundChild): LiveMachine | undefined {
  if (object === undefined) return undefined;
  return whole ? liveMachine(object) : (object as OrderVm).live;
}

/**
 * The power state may have changed after the cache was read. Throws a conflict, so that the change is not overwritten.
 */
export function unchanged(live: LiveMachine | undefined): (found: KubeObject) => void {
  return (found) => {
    const now = 'live' in found ? (found as OrderVm).live : liveMachine(found);
    if (isDeepStrictEqual(now, live ?? {})) return;
    const named = nameOf(virtualMachines, { name: found.metadata.name ?? '', ...namespaceOf(found) });
    throw new KubeError('Conflict', `cannot apply ${named}: it changed since it was read`, { code: 409 });
  };
}

function namespaceOf({ metadata: { namespace } }: KubeObject): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
