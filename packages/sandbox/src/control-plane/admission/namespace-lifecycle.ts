/**
 * NamespaceLifecycle: rejects creates in a namespace that is absent or terminating, and deletes of the system
 * namespaces.
 */
import { errors, StatusError } from '../../server/api/status.ts';
import type { Store } from '../../store/store.ts';
import { parseEntry } from '../../store/entry.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

export function namespaceLifecycle(store: Store): AdmissionPlugin {
  const admit = (request: AdmissionRequest): void => {
    const { resource, operation, namespace, name } = request;
    const isNamespace = resource.group === '' && resource.plural === 'namespaces';
    if (operation === 'DELETE') {
      if (isNamespace && IMMORTAL.has(name))
        throw errors.forbidden(resource, name, 'this namespace may not be deleted');
      return;
    }
    if (isNamespace || namespace === '' || resource.group === 'authorization.k8s.io') return;
    const entry = store.table('/namespaces').get(namespace);
    if (entry === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);
    if (operation !== 'CREATE' || request.subresource !== '') return;
    if (!entry.json.includes('"deletionTimestamp"') || parseEntry(entry).metadata.deletionTimestamp === undefined)
      return;
    throw terminatingRefusal(request);
  };
  return { name: 'NamespaceLifecycle', mutate: admit };
}

export function terminatingRefusal(request: AdmissionRequest): StatusError {
  const { resource, namespace, name } = request;
  const refusal = errors.forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return new StatusError(403, 'Forbidden', refusal.message, {
    ...refusal.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
