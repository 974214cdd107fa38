/**
 * The kinds that create the VMs of a vApp: OpenShift's templates. Other clusters do not serve them, and no request uses
 * them there.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

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

const openshift = { group: 'template.openshift.io', version: 'v1', namespaced: true } as const;

export const templates: ResourceType = { ...openshift, kind: 'Template', plural: 'templates' };

export const templateInstances: ResourceType<TemplateInstance> = {
  ...openshift,
  kind: 'TemplateInstance',
  plural: 'templateinstances',
};

export const secrets: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};

/** OpenShift sets this label on all objects that an instance has created. Its value is the uid of the instance. */
export const madeByLabel = 'template.openshift.io/template-instance-owner';

/** With this finalizer, OpenShift deletes the objects of an instance by name when the instance is deleted. */
export const instanceFinalizer = 'template.openshift.io/finalizer';
