/** Whether a machine is meant to run: what its specification and the queued requests ask for. */
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';

export type Want = 'on' | 'off';

/** Values of printableStatus that KubeVirt shows only where there is an instance, or one is being made. */
const withInstance = new Set([
  'Starting',
  'Running',
  'Paused',
  'Migrating',
  'Stopping',
  'WaitingForVolumeBinding',
  'ErrorUnschedulable',
  'ErrorPvcNotFound',
  'ErrImagePull',
  'ImagePullBackOff',
]);

/** `vmi` is the machine's own instance; it matters for the run strategy Once only. */
export function want(vm: VmFacts, vmi?: VmiFacts): Want {
  const strategy = vm.runStrategy ?? 'Halted';
  const [first, second] = vm.requests ?? [];
  // A restart is a Stop with a Start behind it.
  if (first === 'Start' || second === 'Start') return 'on';
  if (first === 'Stop') return strategy === 'Always' ? 'on' : 'off';
  switch (strategy) {
    case 'Always':
    case 'WaitAsReceiver':
      return 'on';
    case 'Halted':
      return 'off';
    case 'Once':
      // It has run, and its ended instance lies there. Once that is deleted, KubeVirt starts the machine again.
      return vm.printableStatus === 'Stopped' && vm.created === true && vmi?.deleting !== true ? 'off' : 'on';
    case 'RerunOnFailure':
      // It starts by itself when the strategy is new.
      return vm.lastRunStrategy === 'RerunOnFailure' ? asItIs(vm) : 'on';
    default:
      return asItIs(vm);
  }
}

/** Where nobody but a request changes it: a machine that is there is meant to be there. An ended instance may lie around: Stopped, and created. */
function asItIs({ printableStatus = '', created }: VmFacts): Want {
  if (printableStatus === '' || printableStatus === 'Stopped') return 'off';
  return created === true || withInstance.has(printableStatus) ? 'on' : 'off';
}
