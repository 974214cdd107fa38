/** Stores the template of a VM's last start in a ControllerRevision, with which later changes are compared. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { controllerRevisions, virtualMachines, type VirtualMachine } from '../objects.ts';
import { BY_VM } from './caches.ts';
import type { Shell } from './shell.ts';

type VmSpec = VirtualMachine['spec'];

const prefixOf = (vm: VirtualMachine): string => `revision-start-vm-${vm.metadata.uid}`;

export function revisionNameOf(vm: VirtualMachine): string {
  return `${prefixOf(vm)}-${vm.metadata.generation ?? 0}`;
}

export function specIn(revision: Unstructured | undefined): VmSpec | undefined {
  return (revision?.['data'] as { readonly spec?: VmSpec } | undefined)?.spec;
}

/** The spec of the last start; undefined if there was none. */
export function lastStartedSpec({ caches }: Shell, vm: VirtualMachine): VmSpec | undefined {
  const [last] = startsOf(caches.revisions.byIndex(BY_VM, vm.metadata.uid ?? ''), vm).toSorted(
    (a, b) => generationIn(b) - generationIn(a),
  );
  return specIn(last);
}

function startsOf(revisions: readonly Unstructured[], vm: VirtualMachine): readonly Unstructured[] {
  return revisions.filter(({ metadata }) => metadata.name?.startsWith(prefixOf(vm)) === true);
}

/** The generation is the last part of the name. */
export function generationIn({ metadata: { name = '' } }: Unstructured): number {
  return Number(name.slice(name.lastIndexOf('-') + 1)) || 0;
}

/** `writeRevision` stores the spec of this start, and deletes those of earlier starts. Resolves to the name. */
export async function writeRevision(shell: Shell, vm: VirtualMachine): Promise<string> {
  const { client, caches, signal } = shell;
  const name = revisionNameOf(vm);
  let written = false;
  for (const { metadata, revision } of startsOf(caches.revisions.byIndex(BY_VM, vm.metadata.uid ?? ''), vm)) {
    if (revision === vm.metadata.generation) written = true;
    else await removed(shell, metadata.namespace, metadata.name);
  }
  if (written) return name;
  await client.create(controllerRevisions, revisionOf(vm, name), { signal }).catch((error: unknown) => {
    // The revision exists already, and the cache does not show it yet.
    if (!isKind(error, 'AlreadyExists')) throw error;
  });
  return name;
}

async function removed({ client, signal }: Shell, namespace = '', name = ''): Promise<void> {
  try {
    await client.delete(controllerRevisions, { namespace, name }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export function revisionOf(vm: VirtualMachine, name: string): Unstructured {
  const { namespace, generation = 0 } = vm.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [controllerReference(virtualMachines, vm)],
    },
    data: { spec: pinned(vm) },
    revision: generation,
  };
}

/** The spec with the revisions of instance type and preference that this start uses. */
function pinned({ spec, status }: VirtualMachine): VmSpec {
  const revision = (field: string): string | undefined =>
    (status?.[field] as { readonly controllerRevisionRef?: { readonly name?: string } } | undefined)
      ?.controllerRevisionRef?.name;
  const [instancetype, preference] = [revision('instancetypeRef'), revision('preferenceRef')];
  return {
    ...spec,
    ...(spec.instancetype === undefined || instancetype === undefined
      ? {}
      : { instancetype: { ...spec.instancetype, revisionName: instancetype } }),
    ...(spec.preference === undefined || preference === undefined
      ? {}
      : { preference: { ...spec.preference, revisionName: preference } }),
  };
}
