/** PUT virtualmachines/stop */
import type { VirtualMachine, VirtualMachineInstance } from '../../objects.ts';
import {
  andThen,
  gracePeriod,
  graceOf,
  requestChange,
  switchStrategy,
  type Decision,
  type DecisionWrite,
} from '../decision.ts';
import { conflict } from '../refusals.ts';
import { isFinal, strategyOf } from './run-state.ts';
import { stopRequest } from './start.ts';

export function decideStop(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: { readonly gracePeriod?: number },
): Decision {
  const strategy = strategyOf(vm);
  const live = vmi === undefined || isFinal(vmi) ? undefined : vmi;
  // The grace period is changed even if the stop is refused below.
  const grace: readonly DecisionWrite[] =
    live === undefined || options.gracePeriod === undefined ? [] : [gracePeriod(live, options.gracePeriod)];
  const no = (why: string): Decision => ({
    writes: grace,
    refusal: conflict('virtualmachine', vm.metadata.name ?? '', why),
  });
  switch (strategy) {
    case 'Halted':
      if (live === undefined) return no('VM is not running');
      if (!isShorter(options.gracePeriod, live))
        return no('Halted only supports manual stop requests with a shorter graceperiod');
      return andThen(grace, requestChange(vm, [stopRequest(live)]));
    case 'RerunOnFailure':
    case 'Manual':
      if (live === undefined) return no('VM is not running');
      return andThen(grace, requestChange(vm, [stopRequest(live)]));
    case 'Always':
    case 'Once':
      return { writes: [...grace, switchStrategy(vm, 'Halted')] };
    case 'WaitAsReceiver':
      return { writes: grace };
  }
}

const isShorter = (wanted: number | undefined, vmi: VirtualMachineInstance): boolean =>
  wanted !== undefined && wanted < (graceOf(vmi) ?? Number.POSITIVE_INFINITY);
