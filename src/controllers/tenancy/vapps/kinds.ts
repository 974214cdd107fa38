/** The kinds that make the machines of a vApp: OpenShift's templates. On other clusters they are not served, and nobody asks for them. */
import type { KubeObject } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';

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
    /** All that it has made. */
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

/** OpenShift sets it on all that an instance has made: the uid of the instance. */
export const madeByLabel = 'template.openshift.io/template-instance-owner';

/** While it is there, OpenShift deletes what the instance has made, by name, when the instance is to go. */
export const instanceFinalizer = 'template.openshift.io/finalizer';
