/**
 * A handed-over VMI belongs to virt-handler, which replaces it as a whole. virt-controller patches only what it
 * changed, and tests the values that it has read.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { jsonEqual, type Json } from '../../../values/json.ts';
import type { VirtualMachineInstance } from '../objects.ts';
import type { Conditions } from './conditions.ts';

export function changesOf(before: VirtualMachineInstance, after: VirtualMachineInstance): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  const replace = (path: string, old: unknown, value: unknown): void => {
    if (old === undefined) operations.push({ op: 'add', path, value });
    else operations.push({ op: 'test', path, value: old }, { op: 'replace', path, value });
  };
  const [was, is] = [before.status, after.status];
  for (const field of ['volumeStatus', 'activePods', 'phase', 'launcherContainerImageVersion'] as const)
    if (!equal(was?.[field], is?.[field])) replace(`/status/${field}`, was?.[field], is?.[field]);
  if (!sameConditions(was?.conditions ?? [], is?.conditions ?? []))
    replace('/status/conditions', was?.conditions, is?.conditions);
  if (!equal(before.metadata.labels, after.metadata.labels))
    replace('/metadata/labels', before.metadata.labels, after.metadata.labels);
  if (!equal(byName(was?.interfaces), byName(is?.interfaces)))
    replace('/status/interfaces', was?.interfaces, is?.interfaces);
  return operations;
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || jsonEqual(a as Json | undefined, b as Json | undefined);
}

/** virt-handler may list the entries in another order. */
function byName(list: readonly { readonly [field: string]: unknown }[] | undefined): unknown {
  return list?.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
}

function sameConditions(before: Conditions, after: Conditions): boolean {
  return before === after || equal(before, after);
}
