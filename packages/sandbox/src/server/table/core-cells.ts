/** The table rows of the core group's kinds, except pods, services and volumes. */
import type { Json, KubeObject } from '../../values/json.ts';
import { replicaCells } from './apps-cells.ts';
import type { CellWriters } from './cells.ts';
import { age, name, none, orElse } from './cells.ts';
import type { Since } from './duration.ts';
import { formatLabels, quantity } from './format.ts';
import { at, listAt, mapAt, sizeAt, textAt } from './read.ts';

export const coreCells: CellWriters = {
  ConfigMap: (object, since) => [
    name(object),
    sizeAt(object, 'data') + sizeAt(object, 'binaryData'),
    age(object, since),
  ],
  Namespace: (object, since) => [name(object), textAt(object, 'status', 'phase'), age(object, since)],
  Node: nodeCells,
  ReplicationController: (object, since) => [
    ...replicaCells(object, since),
    formatLabels(at(object, 'spec', 'selector')),
  ],
  ResourceQuota: (object, since) => [
    name(object),
    quotaText(object, (resource) => !resource.startsWith('limits.')),
    quotaText(object, (resource) => resource.startsWith('limits.')),
    age(object, since),
  ],
  Secret: (object, since) => [name(object), textAt(object, 'type'), sizeAt(object, 'data'), age(object, since)],
  ServiceAccount: (object, since) => [name(object), age(object, since)],
};

function quotaText(quota: KubeObject, wanted: (resource: string) => boolean): string {
  const hard = mapAt(quota, 'status', 'hard');
  const used = mapAt(quota, 'status', 'used');
  return Object.keys(hard)
    .filter(wanted)
    .sort()
    .map((resource) => `${resource}: ${quantity(used[resource])}/${quantity(hard[resource])}`)
    .join(', ');
}

function nodeCells(node: KubeObject, since: Since): Json[] {
  const info = at(node, 'status', 'nodeInfo');
  const architecture = textAt(info, 'architecture');
  const kernel = orElse(textAt(info, 'kernelVersion'), '<unknown>');
  return [
    name(node),
    nodeStatus(node),
    orElse(nodeRoles(node).join(','), none),
    age(node, since),
    textAt(info, 'kubeletVersion'),
    nodeAddress(node, 'InternalIP'),
    nodeAddress(node, 'ExternalIP'),
    orElse(textAt(info, 'osImage'), '<unknown>'),
    architecture === '' ? kernel : `${kernel} (${architecture})`,
    orElse(textAt(info, 'containerRuntimeVersion'), '<unknown>'),
  ];
}

function nodeStatus(node: KubeObject): string {
  const ready = listAt(node, 'status', 'conditions').findLast((condition) => textAt(condition, 'type') === 'Ready');
  const status = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(node: KubeObject): string[] {
  const roles = Object.entries(node.metadata.labels ?? {}).map(([label, value]) =>
    label.startsWith(rolePrefix) ? label.slice(rolePrefix.length) : label === 'kubernetes.io/role' ? value : '',
  );
  return [...new Set(roles.filter((role) => role !== ''))].sort();
}

function nodeAddress(node: KubeObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return found === undefined ? none : textAt(found, 'address');
}
