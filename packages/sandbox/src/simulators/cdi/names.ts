/** The annotations and labels through which CDI's components and KubeVirt exchange the progress of a disk. */

const storage = (name: string): string => `cdi.kubevirt.io/storage.${name}`;

export const BIND_IMMEDIATELY = storage('bind.immediate.requested');
export const CONTENT_TYPE = storage('contentType');
export const POD_PHASE = storage('pod.phase');
export const POD_RESTARTS = storage('pod.restarts');
export const POPULATED_FOR = storage('populatedFor');
export const PREALLOCATION = storage('preallocation.requested');
export const PRIORITY_CLASS = storage('pod.priorityclassname');
export const POPULATOR_KIND = storage('populator.kind');
export const PRIME = storage('populator.pvcPrime');
export const PROGRESS = storage('populator.progress');
export const RUNNING = storage('condition.running');
export const RUNNING_MESSAGE = storage('condition.running.message');
export const RUNNING_REASON = storage('condition.running.reason');
export const USE_POPULATOR = storage('usePopulator');
export const IMPORT_SOURCE = storage('import.source');
export const IMPORT_ENDPOINT = storage('import.endpoint');
export const IMPORT_POD = storage('import.importPodName');
export const ALLOW_ADOPTION = 'cdi.kubevirt.io/allowClaimAdoption';
export const CREATED_FOR = 'cdi.kubevirt.io/createdForDataVolume';
export const CLONE_PHASE = 'cdi.kubevirt.io/clonePhase';
export const CLONE_TYPE = 'cdi.kubevirt.io/cloneType';
export const CLONE_OF = 'k8s.io/CloneOf';
export const CLONE_REQUEST = 'k8s.io/CloneRequest';
/** The sandbox takes no uploads: this annotation declares an upload as done. */
export const UPLOADED = 'sandbox.ssvirt.io/uploaded';

export const APP = { app: 'containerized-data-importer' } as const;
export const RECOMMENDED = {
  'app.kubernetes.io/component': 'storage',
  'app.kubernetes.io/managed-by': 'cdi-controller',
} as const;
export const NO_FILLING_UP_ALERT = { 'alerts.k8s.io/KubePersistentVolumeFillingUp': 'disabled' } as const;
export const NO_BACKUP = { 'velero.io/exclude-from-backup': 'true' } as const;
