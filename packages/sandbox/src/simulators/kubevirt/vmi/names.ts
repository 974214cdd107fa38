/** KubeVirt's names of labels, annotations, finalizers and reasons of VirtualMachineInstances and their pods. */

export const LAUNCHER_IMAGE = 'virt-launcher:v1.9.0';

export const labels = {
  app: 'kubevirt.io',
  createdBy: 'kubevirt.io/created-by',
  nodeName: 'kubevirt.io/nodeName',
  outdatedImage: 'kubevirt.io/outdatedLauncherImage',
  schedulable: 'kubevirt.io/schedulable',
  vmName: 'vm.kubevirt.io/name',
  vmiId: 'vmi.kubevirt.io/id',
  autoMemoryLimitsRatio: 'alpha.kubevirt.io/auto-memory-limits-ratio',
  persistentStateFor: 'persistent-state-for',
} as const;

export const annotations = {
  domain: 'kubevirt.io/domain',
  ephemeralProvisioning: 'kubevirt.io/ephemeral-provisioning',
  evictionInProgress: 'descheduler.alpha.kubernetes.io/eviction-in-progress',
  evictOnly: 'descheduler.alpha.kubernetes.io/request-evict-only',
  heartbeat: 'kubevirt.io/heartbeat',
  latestApiVersion: 'kubevirt.io/latest-observed-api-version',
  memoryOverhead: 'kubevirt.io/memory-overhead-bytes',
  migrationTransportUnix: 'kubevirt.io/migrationTransportUnix',
  networks: 'k8s.v1.cni.cncf.io/networks',
  networkStatus: 'k8s.v1.cni.cncf.io/network-status',
  defaultNetwork: 'v1.multus-cni.io/default-network',
  storageApiVersion: 'kubevirt.io/storage-observed-api-version',
} as const;

export const finalizers = {
  /** The VMI controller of virt-controller removes it when no pod is left. */
  vmi: 'kubevirt.io/foregroundDeleteVirtualMachine',
  /** The VM controller removes it, or the VMI controller if no VM owns the VMI. */
  vm: 'kubevirt.io/virtualMachineControllerFinalize',
} as const;

export const UNPAUSED = 'kubevirt.io/virtual-machine-unpaused';

export const reasons = {
  failedCreate: 'FailedCreate',
  failedDelete: 'FailedDelete',
  failedPvcNotFound: 'FailedPvcNotFound',
  failedDataVolumeImport: 'FailedDataVolumeImport',
  failedHotplugSync: 'FailedHotplugSync',
  failedPodPatch: 'FailedPodPatch',
  failedGuaranteeResources: 'FailedGuaranteePodResources',
  failedBackendStorageCreate: 'FailedBackendStorageCreate',
  backendStorageNotReady: 'BackendStorageNotReady',
  pvcNotReady: 'PVCNotReady',
  successfulCreate: 'SuccessfulCreate',
  successfulDelete: 'SuccessfulDelete',
} as const;
