/** PUT virtualmachines/restart */
import type { StatusAnswer } from '../../serving/contracts.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { andThen, gracePeriod, graceOf, refuse, requestChange, type Decision } from './decision.ts';
import { badRequest, conflict } from './refusals.ts';
import { conditionIsTrue, strategyOf } from './run-state.ts';
import { RECOVERY_REQUIRED, stopRequest } from './start.ts';

/** The shortest that is safe: what a forced restart grants the guest. */
const FORCED_GRACE_SECONDS = 1;

/** Asked before the VM is looked for. */
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
  // A restart that fails leaves the grace period as it was, as far as it had one: 0 stands for none.
  const undo = gracePeriod(vmi, graceOf(vmi) ?? 0, FORCED_GRACE_SECONDS);
  return { writes: [grace, { ...change, undo }] };
}
