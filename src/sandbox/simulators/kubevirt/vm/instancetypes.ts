/** What the VM controller needs of instance types and preferences. */
import type { World } from '../../world.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';

export interface Instancetypes {
  /** Stores what the VM refers to, so that later changes of it do not reach the VM. Throws a SyncError where it is not to be found. */
  sync(vm: VirtualMachine, signal: AbortSignal): Promise<VirtualMachine>;
  /** The VM with the template that its instance type and preference make of it. Throws where they are not to be found. */
  applyToVm(vm: VirtualMachine): Promise<VirtualMachine>;
  /** Whether a preference wants devices attached; before networks and inputs are added. */
  applyAutoAttach(vm: VirtualMachine, vmi: VirtualMachineInstance): Promise<VirtualMachineInstance>;
  applyToVmi(vm: VirtualMachine, vmi: VirtualMachineInstance): Promise<VirtualMachineInstance>;
}

export function instancetypesIn(_world: World): Instancetypes {
  return {
    sync: (vm) => Promise.resolve(vm),
    applyToVm: (vm) => Promise.resolve(vm),
    applyAutoAttach: (_vm, vmi) => Promise.resolve(vmi),
    applyToVmi: (_vm, vmi) => Promise.resolve(vmi),
  };
}
