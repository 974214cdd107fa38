/** Whether a VM is meant to run, according to its spec and the queued requests. */
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';

export type DesiredState = 'on' | 'off';

/** Values of printableStatus that KubeVirt shows only if there is an instance, or one is being created. */
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

/** `vmi` is the VM's own instance; it only matters for the run strategy Once. */
export function desiredState(vm: VmFacts, vmi?: VmiFacts): DesiredState {
  const strategy = vm.runStrategy ?? 'Halted';
  const [first, second] = vm.requests ?? [];
  // A restart is a Stop followed by a Start.
  if (first === 'Start' || second === 'Start') return 'on';
  if (first === 'Stop') return strategy === 'Always' ? 'on' : 'off';
  switch (strategy) {
    case 'Always':
    case 'WaitAsReceiver':
      return 'on';
    case 'Halted':
      return 'off';
    case 'Once':
      // It has run, and its ended instance still exists. Once that is deleted, KubeVirt starts the VM again.
      return vm.printableStatus === 'Stopped' && vm.created === true && vmi?.deleting !== true ? 'off' : 'on';
    case 'RerunOnFailure':
      // A new strategy starts it without a request.
      return vm.lastRunStrategy === 'RerunOnFailure' ? asItIs(vm) : 'on';
    default:
      return asItIs(vm);
  }
}

/**
 * For strategies under which only a request changes the power state: a VM that has an instance is meant to run. The
 * instance of a Stopped VM has ended.
 */
function asItIs({ printableStatus = '', created }: VmFacts): DesiredState {
  if (printableStatus === '' || printableStatus === 'Stopped') return 'off';
  return created === true || withInstance.has(printableStatus) ? 'on' : 'off';
}
