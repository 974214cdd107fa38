/**
 * Refuses to create objects in a namespace that is absent or being deleted, as the API server does for its own kinds.
 */
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Client } from '@ssvirt/kube/client/client';
import type { KubeObject } from '@ssvirt/kube/object';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { AdmissionPlugin } from '../../control-plane/admission/admission.ts';
import { terminatingRefusal } from '../../control-plane/admission/namespace-lifecycle.ts';
import { errors } from '../../server/api/status.ts';

export const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export function namespaceCheck(known: Informer<KubeObject>, client: Client): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    async mutate(request) {
      const { operation, subresource, namespace: name } = request;
      if (operation !== 'CREATE' || subresource !== '' || name === '') return;
      // The cache may not show a namespace that was just created.
      const namespace =
        (known.hasSynced ? known.get({ name }) : undefined) ?? (await find(client, namespaces, { name }));
      if (namespace === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, name);
      if (namespace.metadata.deletionTimestamp !== undefined) throw terminatingRefusal(request);
    },
  };
}
