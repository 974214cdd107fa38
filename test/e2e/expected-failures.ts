/** The answers with 4xx or 5xx that a healthy run may get. Any other fails the run. */
import type { ExpectedFailure } from './failed-requests.ts';

export const expectedFailures: readonly ExpectedFailure[] = [
  {
    code: '404',
    method: 'GET',
    resource: [
      'namespaces',
      'virtualmachines.kubevirt.io',
      'datavolumes.cdi.kubevirt.io',
      'persistentvolumeclaims',
      'secrets',
      'services',
      'rolebindings.rbac.authorization.k8s.io',
    ],
    reason: 'Each is looked for before it is made, and once more after it was deleted.',
  },
  {
    code: '404',
    method: 'GET',
    resource: 'leases.coordination.k8s.io',
    reason: 'The first process of its kind finds no Lease, and makes it.',
  },
  {
    process: 'api-server',
    code: '404',
    method: 'GET',
    resource: ['/apis/instancetype.kubevirt.io/v1'],
    reason:
      'The catalog asks for the newest version of a kind first, and takes the older one where a cluster has no other.',
  },
  {
    code: '404',
    method: 'GET',
    resource: [
      '/apis/template.openshift.io/v1',
      '/apis/template.kubevirt.io/v1beta1',
      '/apis/template.kubevirt.io/v1alpha1',
      'templateinstances.template.openshift.io',
    ],
    reason: 'A cluster that is not OpenShift serves no templates: the catalog lists none, and no instance is read.',
  },
  {
    code: '404',
    method: 'DELETE',
    resource: 'persistentvolumeclaims',
    reason: 'The claim of a DataVolume may be gone with it before it is deleted by name.',
  },
  {
    code: '409',
    method: 'PATCH',
    resource: [
      'virtualmachines.kubevirt.io',
      'machines.vitistack.io',
      'machines.vitistack.io/status',
      'virtualmachines.cloudkit.openshift.io',
      'virtualmachines.cloudkit.openshift.io/status',
    ],
    reason: 'Others write them, too: a change carries the version that it is based on, and is made again on the next.',
  },
  {
    process: 'api-server',
    code: '409',
    method: 'PUT',
    resource: 'virtualmachines.subresources.kubevirt.io/stop',
    reason: 'A power-off that is repeated finds the machine stopped, or being stopped at once already.',
  },
  {
    process: 'api-server',
    code: '409',
    method: 'PUT',
    resource: [
      'virtualmachineinstances.subresources.kubevirt.io/pause',
      'virtualmachineinstances.subresources.kubevirt.io/unpause',
    ],
    reason: 'They are repeated until the machine reports its new state, and then find it paused or running already.',
  },
];
