/** The objects that the simulators read and write, with the fields that they use; other fields are preserved. */
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../values/json.ts';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly [field: string]: unknown;
}

export type RunStrategy = 'Always' | 'Halted' | 'Manual' | 'RerunOnFailure' | 'Once' | 'WaitAsReceiver';

export interface Volume {
  readonly name: string;
  readonly dataVolume?: { readonly name: string; readonly hotpluggable?: boolean };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly hotpluggable?: boolean };
  readonly containerDisk?: { readonly image: string; readonly imagePullPolicy?: string; readonly path?: string };
  readonly [source: string]: unknown;
}

export interface VmiSpec {
  readonly domain: JsonObject;
  readonly volumes?: readonly Volume[];
  readonly networks?: readonly JsonObject[];
  readonly terminationGracePeriodSeconds?: number;
  readonly hostname?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface StateChangeRequest {
  readonly action: 'Start' | 'Stop';
  readonly data?: Readonly<Record<string, string>>;
  readonly uid?: string;
}

export interface VirtualMachine extends KubeObject {
  readonly spec: {
    readonly running?: boolean;
    readonly runStrategy?: RunStrategy;
    readonly template: { readonly metadata?: KubeObject['metadata']; readonly spec: VmiSpec };
    readonly dataVolumeTemplates?: readonly JsonObject[];
    readonly instancetype?: JsonObject;
    readonly preference?: JsonObject;
    readonly [field: string]: unknown;
  };
  readonly status?: VirtualMachineStatus;
}

export interface VirtualMachineStatus {
  readonly printableStatus?: string;
  readonly created?: boolean;
  readonly ready?: boolean;
  readonly conditions?: readonly Condition[];
  readonly stateChangeRequests?: readonly StateChangeRequest[];
  readonly startFailure?: {
    readonly consecutiveFailCount?: number;
    readonly lastFailedVMIUID?: string;
    readonly retryAfterTimestamp?: string;
  };
  readonly runStrategy?: RunStrategy;
  readonly observedGeneration?: number;
  readonly desiredGeneration?: number;
  readonly [field: string]: unknown;
}

export interface VirtualMachineInstance extends KubeObject {
  readonly spec: VmiSpec;
  readonly status?: VirtualMachineInstanceStatus;
}

export type VmiPhase =
  | ''
  | 'Pending'
  | 'Scheduling'
  | 'Scheduled'
  | 'Running'
  | 'Succeeded'
  | 'Failed'
  | 'WaitingForSync'
  | 'Unknown';

export interface VirtualMachineInstanceStatus {
  readonly phase?: VmiPhase;
  readonly conditions?: readonly Condition[];
  readonly nodeName?: string;
  readonly reason?: string;
  readonly interfaces?: readonly JsonObject[];
  readonly volumeStatus?: readonly JsonObject[];
  readonly migrationState?: JsonObject;
  readonly activePods?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface VirtualMachineInstanceMigration extends KubeObject {
  readonly spec?: { readonly vmiName?: string; readonly [field: string]: unknown };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly [field: string]: unknown;
  };
}

export interface DataVolume extends KubeObject {
  readonly spec: JsonObject;
  readonly status?: {
    readonly phase?: string;
    readonly progress?: string;
    readonly claimName?: string;
    readonly restartCount?: number;
    readonly conditions?: readonly Condition[];
    readonly [field: string]: unknown;
  };
}

export interface Pod extends KubeObject {
  readonly spec: JsonObject & { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly JsonObject[];
    readonly initContainerStatuses?: readonly JsonObject[];
    readonly podIP?: string;
    readonly [field: string]: unknown;
  };
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: JsonObject;
  readonly status?: { readonly phase?: 'Pending' | 'Bound' | 'Lost'; readonly [field: string]: unknown };
}

const of = <T extends KubeObject>(
  group: string,
  version: string,
  kind: string,
  plural: string,
  namespaced = true,
): ResourceType<T> => ({ group, version, kind, plural, namespaced });

export const virtualMachines = of<VirtualMachine>('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines');
export const virtualMachineInstances = of<VirtualMachineInstance>(
  'kubevirt.io',
  'v1',
  'VirtualMachineInstance',
  'virtualmachineinstances',
);
export const virtualMachineInstanceMigrations = of<VirtualMachineInstanceMigration>(
  'kubevirt.io',
  'v1',
  'VirtualMachineInstanceMigration',
  'virtualmachineinstancemigrations',
);
export const kubeVirts = of<Unstructured>('kubevirt.io', 'v1', 'KubeVirt', 'kubevirts');
export const dataVolumes = of<DataVolume>('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes');
export const dataSources = of<Unstructured>('cdi.kubevirt.io', 'v1beta1', 'DataSource', 'datasources');
export const storageProfiles = of<Unstructured>(
  'cdi.kubevirt.io',
  'v1beta1',
  'StorageProfile',
  'storageprofiles',
  false,
);
export const pods = of<Pod>('', 'v1', 'Pod', 'pods');
export const persistentVolumeClaims = of<PersistentVolumeClaim>(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);
export const persistentVolumes = of<Unstructured>('', 'v1', 'PersistentVolume', 'persistentvolumes', false);
export const nodes = of<Unstructured>('', 'v1', 'Node', 'nodes', false);
export const namespaces = of<Unstructured>('', 'v1', 'Namespace', 'namespaces', false);
export const controllerRevisions = of<Unstructured>('apps', 'v1', 'ControllerRevision', 'controllerrevisions');
export const storageClasses = of<Unstructured>('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', false);
const instancetype = 'instancetype.kubevirt.io';
export const instancetypes = of<Unstructured>(
  instancetype,
  'v1beta1',
  'VirtualMachineInstancetype',
  'virtualmachineinstancetypes',
);
export const clusterInstancetypes = of<Unstructured>(
  instancetype,
  'v1beta1',
  'VirtualMachineClusterInstancetype',
  'virtualmachineclusterinstancetypes',
  false,
);
export const preferences = of<Unstructured>(
  instancetype,
  'v1beta1',
  'VirtualMachinePreference',
  'virtualmachinepreferences',
);
export const clusterPreferences = of<Unstructured>(
  instancetype,
  'v1beta1',
  'VirtualMachineClusterPreference',
  'virtualmachineclusterpreferences',
  false,
);
