/** The kinds that a cluster with KubeVirt serves, shared by all code that works in one. Each is declared only here. */
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

const core = { group: '', version: 'v1', namespaced: true } as const;
const kubeVirt = { group: 'kubevirt.io', version: 'v1', namespaced: true } as const;
const openShift = { group: 'template.openshift.io', version: 'v1', namespaced: true } as const;

export const virtualMachines: ResourceType = { ...kubeVirt, kind: 'VirtualMachine', plural: 'virtualmachines' };

export const instances: ResourceType = {
  ...kubeVirt,
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
};

export const dataVolumes: ResourceType = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};

export const claims: ResourceType = { ...core, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' };

export interface SecretObject extends Unstructured {
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export const secrets: ResourceType<SecretObject> = { ...core, kind: 'Secret', plural: 'secrets' };

export const configMaps: ResourceType = { ...core, kind: 'ConfigMap', plural: 'configmaps' };

export const services: ResourceType = { ...core, kind: 'Service', plural: 'services' };

export const namespaces: ResourceType = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };

export const storageClasses: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};

export const networkAttachments: ResourceType = {
  group: 'k8s.cni.cncf.io',
  version: 'v1',
  kind: 'NetworkAttachmentDefinition',
  plural: 'network-attachment-definitions',
  namespaced: true,
};

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface TemplateInstance extends KubeObject {
  readonly spec?: { readonly template?: unknown; readonly secret?: { readonly name?: string } };
  readonly status?: {
    readonly conditions?: readonly unknown[];
    /** All objects that it has created. */
    readonly objects?: readonly { readonly ref?: ObjectReference }[];
  };
}

/** OpenShift's templates. Other clusters do not serve them, and no request uses them there. */
export const templates: ResourceType = { ...openShift, kind: 'Template', plural: 'templates' };

export const templateInstances: ResourceType<TemplateInstance> = {
  ...openShift,
  kind: 'TemplateInstance',
  plural: 'templateinstances',
};
