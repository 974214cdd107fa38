/** PUT virtualmachines/restart */
import type { StatusAnswer } from '../../../serving/contracts.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../objects.ts';
import { andThen, gracePeriod, graceOf, refuse, requestChange, type Decision } from '../decision.ts';
import { badRequest, conflict } from '../refusals.ts';
import { conditionIsTrue, strategyOf } from './run-state.ts';
import { RECOVERY_REQUIRED, stopRequest } from './start.ts';

/** The grace period of the guest in a forced restart: the shortest that is safe. */
const FORCED_GRACE_SECONDS = 1;

/** Checked before the VM is looked up. */
export function badGracePeriod(seconds: number | undefined): StatusAnswer | undefined {
  if (seconds === undefined || seconds === 0) return undefined;
  return badRequest(
    seconds > 0
      ? 'For force restart, only gracePeriod=0 is supported for now'
      : 'gracePeriod has to be greater or equal to 0',
  );
}

export function decideRestart(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: { readonly forced: boolean },
): Decision {
  const no = (why: string): Decision => refuse(conflict('virtualmachine', vm.metadata.name ?? '', why));
  if (conditionIsTrue(vm, 'VolumesChange')) return no(RECOVERY_REQUIRED);
  const strategy = strategyOf(vm);
  if (strategy === 'Halted' || strategy === 'Once')
    return no(`RunStategy ${strategy} does not support manual restart requests`);
  if (vmi === undefined) return no('VM is not running: Halted');
  const change = requestChange(vm, [stopRequest(vmi), { action: 'Start' }]);
  if (!options.forced) return andThen([], change);
  const grace = gracePeriod(vmi, FORCED_GRACE_SECONDS);
  if (change instanceof Error) return { writes: [grace], refusal: change };
  // If the restart fails, the old grace period is restored; 0 stands for none.
  const undo = gracePeriod(vmi, graceOf(vmi) ?? 0, FORCED_GRACE_SECONDS);
  return { writes: [grace, { ...change, undo }] };
}
