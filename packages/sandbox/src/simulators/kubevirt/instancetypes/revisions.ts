/** The ControllerRevision in which a VM records its instance type, so that later edits do not change existing VMs. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { VirtualMachine } from '../objects.ts';

const LABELS = 'instancetype.kubevirt.io/object-';

/** KubeVirt truncates nothing here: a long name makes a long revision name, which the API server may refuse. */
export function revisionName(vm: VirtualMachine, object: Unstructured): string {
  const { name, uid, generation } = object.metadata;
  return `${vm.metadata.name}-${name}-${versionOf(object)}-${uid}-${generation}`;
}

export function revisionOf(vm: VirtualMachine, object: Unstructured): Unstructured {
  const { name = '', uid = '', generation = 1, namespace } = object.metadata;
  const { resourceVersion, creationTimestamp } = object.metadata;
  const kept = { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, generation };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(vm, object),
      ...(vm.metadata.namespace === undefined ? {} : { namespace: vm.metadata.namespace }),
      labels: {
        [`${LABELS}generation`]: String(generation),
        [`${LABELS}kind`]: object.kind ?? '',
        [`${LABELS}name`]: name,
        [`${LABELS}uid`]: uid,
        [`${LABELS}version`]: versionOf(object),
      },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          name: vm.metadata.name ?? '',
          uid: vm.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    data: {
      kind: object.kind,
      apiVersion: object.apiVersion,
      metadata: { ...kept, creationTimestamp },
      spec: object['spec'],
    },
    revision: 0,
  };
}

function versionOf({ apiVersion = '' }: Unstructured): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
