/** The kinds that make up a VDC in its cluster. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { namespaces } from '../../../fleet/kinds.ts';
import { roleBindings } from '../../../fleet/identity/account.ts';
import type { VdcKind } from '../../../kubevirt/vdc/objects.ts';

/** The field manager of our applies. Never change it: fields applied under another name would stay behind. */
export const fieldManager = 'ssvirt-tenancy';

const networkPolicies: ResourceType<KubeObject> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  namespaced: true,
};

export const vdcTypes: Readonly<Record<VdcKind, ResourceType<KubeObject>>> = {
  Namespace: namespaces,
  RoleBinding: roleBindings,
  TemplatesRoleBinding: roleBindings,
  ResourceQuota: { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true },
  LimitRange: { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', namespaced: true },
  NetworkPolicy: networkPolicies,
  ImporterPolicy: networkPolicies,
};
