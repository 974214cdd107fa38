/**
 * The table rows of kinds that configure the cluster: role bindings, leases, priority classes, webhooks, aggregated
 * APIs.
 */
import type { Json, KubeObject } from '../../values/json.ts';
import type { CellWriter, CellWriters } from './cells.ts';
import { age, name } from './cells.ts';
import { at, listAt, numberAt, textAt } from './read.ts';

const binding: CellWriter = (object, since) => [
  name(object),
  `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  age(object, since),
  subjects(object, 'User', (subject) => textAt(subject, 'name')),
  subjects(object, 'Group', (subject) => textAt(subject, 'name')),
  subjects(object, 'ServiceAccount', (subject) => `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`),
];

const webhooks: CellWriter = (object, since) => [name(object), listAt(object, 'webhooks').length, age(object, since)];

export const clusterCells: CellWriters = {
  'rbac.authorization.k8s.io/RoleBinding': binding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
  'apiregistration.k8s.io/APIService': (object, since) => [
    name(object),
    backend(object),
    available(object),
    age(object, since),
  ],
  'coordination.k8s.io/Lease': (object, since) => [
    name(object),
    textAt(object, 'spec', 'holderIdentity'),
    age(object, since),
  ],
  'scheduling.k8s.io/PriorityClass': (object, since) => [
    name(object),
    numberAt(object, 'value'),
    at(object, 'globalDefault') === true,
    age(object, since),
    textAt(object, 'preemptionPolicy'),
  ],
};

function subjects(object: KubeObject, kind: string, text: (subject: Json) => string): string {
  return listAt(object, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map(text)
    .join(', ');
}

function backend(service: KubeObject): string {
  const reference = at(service, 'spec', 'service');
  return reference === undefined ? 'Local' : `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`;
}

function available(service: KubeObject): string {
  const condition = listAt(service, 'status', 'conditions').find((entry) => textAt(entry, 'type') === 'Available');
  if (condition === undefined) return 'Unknown';
  const [status, reason] = [textAt(condition, 'status'), textAt(condition, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
