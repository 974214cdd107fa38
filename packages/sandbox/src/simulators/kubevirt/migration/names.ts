/** The labels and annotations of KubeVirt for live migrations. */

export const labels = {
  /** On target pods: the uid of the migration. */
  job: 'kubevirt.io/migrationJobUID',
  /** On VMIs: the node whose virt-handler prepares the target. */
  targetNode: 'kubevirt.io/migrationTargetNodeName',
  vmi: 'kubevirt.io/vmi-name',
  memoryRequests: 'kubevirt.io/vm-pod-memory-requests',
  cpuLimits: 'kubevirt.io/vm-pod-cpu-limits',
} as const;

export const annotations = {
  jobName: 'kubevirt.io/migrationJobName',
  targetReady: 'kubevirt.io/migration-target-ready-timestamp',
  nonRoot: 'kubevirt.io/nonroot',
  evacuation: 'kubevirt.io/evacuationMigration',
  workloadUpdate: 'kubevirt.io/workloadUpdateMigration',
  unschedulableTimeout: 'kubevirt.io/migrationUnschedulablePodTimeoutSeconds',
  pendingTimeout: 'kubevirt.io/migrationPendingPodTimeoutSeconds',
} as const;

export const FINALIZER = 'kubevirt.io/migrationJobFinalize';

export const ABORT_REQUESTED = 'migrationAbortRequested';
export const REJECTED_BY_QUOTA = 'migrationRejectedByResourceQuota';

export const reasons = {
  failed: 'FailedMigration',
  succeeded: 'SuccessfulMigration',
  handedOver: 'SuccessfulHandOver',
  notHandedOver: 'FailedHandOver',
  aborted: 'SuccessfulAbortMigration',
  notAborted: 'FailedAbortMigration',
  unschedulable: 'migrationTargetPodUnschedulable',
  backoff: 'MigrationBackoff',
  noSuitableNode: 'NoSuitableNodesForHostModelMigration',
  created: 'SuccessfulCreate',
  notCreated: 'FailedCreate',
  deleted: 'SuccessfulDelete',
  notDeleted: 'FailedDelete',
} as const;
