/** KubeVirt's values of printableStatus, in the order in which KubeVirt checks them. */
export const printableStatuses = [
  'Terminating',
  'Stopping',
  'Migrating',
  'Paused',
  'Running',
  'ErrorPvcNotFound',
  'DataVolumeError',
  'ErrorUnschedulable',
  'Provisioning',
  'WaitingForVolumeBinding',
  'ErrImagePull',
  'ImagePullBackOff',
  'Starting',
  'CrashLoopBackOff',
  'Stopped',
  'WaitingForReceiver',
  'Unknown',
] as const;
export type PrintableStatus = (typeof printableStatuses)[number];

const withoutInstance = new Set<string>(['CrashLoopBackOff', 'Stopped', 'Provisioning', 'DataVolumeError']);

/** A VM that has run before under its strategy. */
export function liveMachine(strategy: string, printableStatus: PrintableStatus, more: object = {}): object {
  return {
    metadata: { name: 'web', uid: 'u1', resourceVersion: '7' },
    spec: { runStrategy: strategy, template: { spec: {} } },
    status: {
      printableStatus,
      runStrategy: strategy,
      ...(withoutInstance.has(printableStatus) ? {} : { created: true }),
      ...more,
    },
  };
}
