/**
 * If the template equals again the one from which the VMI was started, the VM is up to date: sets the VMI's generation
 * annotation to the VM's generation.
 */
import { virtualMachineInstances, type VirtualMachine, type VirtualMachineInstance } from '../objects.ts';
import { same } from './domain.ts';
import { specIn } from './revisions.ts';
import type { Shell } from './shell.ts';
import { testedPatch } from './tested-patch.ts';
import { GENERATION_ANNOTATION } from './vmi-of-vm.ts';

export async function withGeneration(
  shell: Shell,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
): Promise<VirtualMachineInstance> {
  const generation = String(vm.metadata.generation ?? 0);
  const { annotations = {}, namespace = '' } = vmi.metadata;
  if (annotations[GENERATION_ANNOTATION] === generation) return vmi;
  const name = vmi.status?.['virtualMachineRevisionName'];
  const started = typeof name === 'string' ? specIn(shell.caches.revisions.get({ namespace, name })) : undefined;
  if (started === undefined || !same(started.template, vm.spec.template)) return vmi;
  const path = '/metadata/annotations';
  const operations = [
    { op: 'test', path, value: annotations },
    { op: 'replace', path, value: { ...annotations, [GENERATION_ANNOTATION]: generation } },
  ] as const;
  return testedPatch(shell, virtualMachineInstances, vmi, operations);
}
