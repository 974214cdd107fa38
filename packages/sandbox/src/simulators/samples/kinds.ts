/** Kinds that only the samples need. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

const of = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
});

export const roles = of('rbac.authorization.k8s.io', 'v1', 'Role', 'roles');
export const roleBindings = of('rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings');
export const resourceQuotas = of('', 'v1', 'ResourceQuota', 'resourcequotas');
export const dataImportCrons = of('cdi.kubevirt.io', 'v1beta1', 'DataImportCron', 'dataimportcrons');
export const templates = of('template.openshift.io', 'v1', 'Template', 'templates');
export const virtualMachineTemplates = of(
  'template.kubevirt.io',
  'v1beta1',
  'VirtualMachineTemplate',
  'virtualmachinetemplates',
);

export const namespace = (name: string): Unstructured => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
