/** PUT virtualmachines/start */
import type { StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '../../objects.ts';
import { andThen, refuse, requestChange, switchStrategy, type Decision } from '../decision.ts';
import { conflict } from '../refusals.ts';
import { conditionIsTrue, isFinal, phaseOf, strategyOf } from './run-state.ts';

export const RECOVERY_REQUIRED =
  'VM recovery required: Volume migration failed, leaving some volumes pointing to non-consistent targets; manual intervention is needed to reassign them to their original volumes.';

export function decideStart(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: { readonly paused: boolean },
): Decision {
  const name = vm.metadata.name ?? '';
  const no = (why: string): Decision => refuse(conflict('virtualmachine', name, why));
  if (vmi !== undefined && !isFinal(vmi) && !['', 'Unknown'].includes(phaseOf(vmi))) return no('VM is already running');
  if (conditionIsTrue(vm, 'ManualRecoveryRequired')) return no(RECOVERY_REQUIRED);
  const start: StateChangeRequest = options.paused
    ? { action: 'Start', data: { paused: 'true' } }
    : { action: 'Start' };
  const strategy = strategyOf(vm);
  switch (strategy) {
    case 'Halted':
      // virt-controller changes the strategy to Always when it acts on the request for a paused start.
      return options.paused ? andThen([], requestChange(vm, [start])) : { writes: [switchStrategy(vm, 'Always')] };
    case 'RerunOnFailure':
      if (vmi !== undefined && phaseOf(vmi) === 'Failed')
        return no('RerunOnFailure does not support starting VM from failed state');
      return andThen([], requestChange(vm, [...stopFirst(vmi), start]));
    case 'Manual':
      return andThen([], requestChange(vm, [...stopFirst(vmi), start]));
    case 'Always':
    case 'Once':
      return no(`${strategy} does not support manual start requests`);
    case 'WaitAsReceiver':
      return { writes: [] };
  }
}

/** A finished VMI must be removed before the next one can start. */
const stopFirst = (vmi: VirtualMachineInstance | undefined): readonly StateChangeRequest[] =>
  vmi !== undefined && isFinal(vmi) ? [stopRequest(vmi)] : [];

export const stopRequest = ({ metadata }: VirtualMachineInstance): StateChangeRequest => ({
  action: 'Stop',
  ...(metadata.uid !== undefined && { uid: metadata.uid }),
});
