/** KubeVirt's own templates: one VM each, with parameters. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../../values/json.ts';
import type { Condition } from '../../kubevirt/objects.ts';

export const TEMPLATE_GROUP = 'template.kubevirt.io';

/** On all objects that a request creates: the uid of the request. */
export const REQUEST_LABEL = `${TEMPLATE_GROUP}/request-uid`;

export interface TemplateParameter {
  readonly name: string;
  readonly value?: string;
  readonly generate?: string;
  readonly from?: string;
  readonly required?: boolean;
}

export interface MachineTemplate extends KubeObject {
  readonly spec: {
    readonly virtualMachine?: JsonObject;
    readonly parameters?: readonly TemplateParameter[];
    readonly message?: string;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface TemplateRequest extends KubeObject {
  readonly spec: {
    readonly templateName?: string;
    readonly virtualMachineRef: { readonly namespace: string; readonly name: string };
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly templateRef?: { readonly name: string };
  };
}

const shared = { group: TEMPLATE_GROUP, version: 'v1beta1', namespaced: true };

export const machineTemplates: ResourceType<MachineTemplate> = {
  ...shared,
  kind: 'VirtualMachineTemplate',
  plural: 'virtualmachinetemplates',
};

export const templateRequests: ResourceType<TemplateRequest> = {
  ...shared,
  kind: 'VirtualMachineTemplateRequest',
  plural: 'virtualmachinetemplaterequests',
};
