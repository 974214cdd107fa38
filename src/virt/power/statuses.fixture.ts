/** The words of KubeVirt for the state of a machine, in the order in which it looks for them. */
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

/** A machine that has run before under its strategy. */
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
