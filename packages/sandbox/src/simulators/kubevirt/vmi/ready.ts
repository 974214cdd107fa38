/** The conditions that are derived between a VMI and its launcher pod: Ready for the VMI, unpaused for the pod. */
import type { Condition, Pod, VirtualMachineInstance } from '../objects.ts';
import { find, has } from './conditions.ts';
import { UNPAUSED } from './names.ts';
import { isDownOrGoingDown, isTemporary } from './pods.ts';

export function readyCondition({ status }: VirtualMachineInstance, pod: Pod | undefined, now: string): Condition {
  const notReady = (reason: string, message: string): Condition => ({
    type: 'Ready',
    status: 'False',
    reason,
    message,
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  if (pod === undefined || isTemporary(pod))
    return notReady('PodNotExists', 'virt-launcher pod has not yet been scheduled');
  if (isDownOrGoingDown(pod)) return notReady('PodTerminating', 'virt-launcher pod is terminating');
  if (status?.phase !== 'Running') return notReady('GuestNotRunning', 'Guest VM is not reported as running');
  const ready = find(pod.status?.conditions, 'Ready');
  if (ready === undefined) return notReady('PodConditionMissing', 'virt-launcher pod is missing the Ready condition');
  const { status: is, reason, message, lastProbeTime = null, lastTransitionTime = null } = ready;
  return {
    type: 'Ready',
    status: is,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    lastProbeTime,
    lastTransitionTime,
  };
}

/** `unpausedCondition` returns the new value of the pod's readiness gate; undefined if it is unchanged. */
export function unpausedCondition({ status }: VirtualMachineInstance, pod: Pod, now: string): Condition | undefined {
  const times = { lastProbeTime: now, lastTransitionTime: now };
  const unpaused = has(pod.status?.conditions, UNPAUSED, 'True');
  if (!has(status?.conditions, 'Paused', 'True')) {
    if (unpaused) return undefined;
    const message = 'the virtual machine is not paused';
    return { type: UNPAUSED, status: 'True', reason: 'NotPaused', message, ...times };
  }
  // A pod that was never unpaused has no condition to change.
  if (!unpaused) return undefined;
  return { type: UNPAUSED, status: 'False', reason: 'Paused', message: 'the virtual machine is paused', ...times };
}
