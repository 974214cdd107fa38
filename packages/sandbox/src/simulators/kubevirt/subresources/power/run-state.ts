/** The parts of a VM's and VMI's state that virt-api checks. */
import type { RunStrategy, VirtualMachine, VirtualMachineInstance } from '../../objects.ts';
import { internal } from '../refusals.ts';

export function strategyOf({ spec }: VirtualMachine): RunStrategy {
  const { running, runStrategy } = spec;
  if (running !== undefined && runStrategy !== undefined)
    throw internal(
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
    );
  return runStrategy ?? (running === true ? 'Always' : 'Halted');
}

export const phaseOf = (vmi: VirtualMachineInstance): string => vmi.status?.phase ?? '';
export const isFinal = (vmi: VirtualMachineInstance): boolean => ['Succeeded', 'Failed'].includes(phaseOf(vmi));
export const isRunning = (vmi: VirtualMachineInstance): boolean => phaseOf(vmi) === 'Running';

/** The status of the condition does not matter: KubeVirt removes conditions that are not true. */
export const hasCondition = (vmi: VirtualMachineInstance, type: string): boolean =>
  vmi.status?.conditions?.some((condition) => condition.type === type) === true;

export const conditionIsTrue = (object: VirtualMachine | VirtualMachineInstance, type: string): boolean =>
  object.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
