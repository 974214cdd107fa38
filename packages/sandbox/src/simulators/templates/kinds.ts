/** The kinds that the simulators of templates read and write. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../values/json.ts';

export const GROUP = 'template.openshift.io';
export const VERSION = 'v1';

export interface Requester {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export interface InstanceCondition {
  readonly type: 'Ready' | 'InstantiateFailure';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

export interface TemplateInstanceStatus {
  readonly conditions?: readonly InstanceCondition[];
  readonly objects?: readonly { readonly ref: ObjectReference }[];
}

export interface TemplateInstance extends KubeObject {
  readonly spec: {
    readonly template?: JsonObject;
    readonly secret?: { readonly name: string };
    readonly requester?: Requester;
  };
  readonly status?: TemplateInstanceStatus;
}

export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const templateInstances: ResourceType<TemplateInstance> = {
  group: GROUP,
  version: VERSION,
  kind: 'TemplateInstance',
  plural: 'templateinstances',
  namespaced: true,
};

export const secrets: ResourceType<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};
