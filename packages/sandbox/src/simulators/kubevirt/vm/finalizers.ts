/** The finalizer of the VM controller on VMs and VMIs: they are deleted only after the controller has seen the end. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Shell } from './shell.ts';
import { testedPatch } from './tested-patch.ts';
import { VM_FINALIZER } from './vmi-of-vm.ts';

export function hasFinalizer({ metadata }: KubeObject, finalizer: string = VM_FINALIZER): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

export function withFinalizer<T extends KubeObject>(shell: Shell, type: ResourceType<T>, object: T): Promise<T> {
  if (hasFinalizer(object)) return Promise.resolve(object);
  return patched(shell, type, object, [...(object.metadata.finalizers ?? []), VM_FINALIZER]);
}

export function withoutFinalizer<T extends KubeObject>(shell: Shell, type: ResourceType<T>, object: T): Promise<T> {
  if (!hasFinalizer(object)) return Promise.resolve(object);
  const left = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== VM_FINALIZER);
  return patched(shell, type, object, left);
}

function patched<T extends KubeObject>(
  shell: Shell,
  type: ResourceType<T>,
  object: T,
  finalizers: readonly string[],
): Promise<T> {
  const path = '/metadata/finalizers';
  const before = object.metadata.finalizers;
  const operations: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: object.metadata.uid },
    ...(before === undefined ? [] : [{ op: 'test' as const, path, value: before }]),
    { op: 'add', path, value: finalizers },
  ];
  return testedPatch(shell, type, object, operations);
}
