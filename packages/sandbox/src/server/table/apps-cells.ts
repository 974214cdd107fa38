/** The table rows of workloads: the group apps, disruption budgets, and the Scale of any resource. */
import type { KubeObject } from '../../values/json.ts';
import type { CellWriter, CellWriters } from './cells.ts';
import { age, name, none } from './cells.ts';
import { containerCells, formatLabels, formatSelector, selectorText } from './format.ts';
import { at, numberAt } from './read.ts';

/** `replicaCells` are the first cells of ReplicaSets and ReplicationControllers, before the selector. */
export const replicaCells: CellWriter = (object, since) => [
  name(object),
  numberAt(object, 'spec', 'replicas'),
  numberAt(object, 'status', 'replicas'),
  numberAt(object, 'status', 'readyReplicas'),
  age(object, since),
  ...containerCells(at(object, 'spec', 'template')),
];

export const appsCells: CellWriters = {
  'apps/Deployment': (object, since) => [
    name(object),
    readyOfWanted(object),
    numberAt(object, 'status', 'updatedReplicas'),
    numberAt(object, 'status', 'availableReplicas'),
    age(object, since),
    ...containerCells(at(object, 'spec', 'template')),
    selectorText(at(object, 'spec', 'selector')),
  ],
  'apps/StatefulSet': (object, since) => [
    name(object),
    readyOfWanted(object),
    age(object, since),
    ...containerCells(at(object, 'spec', 'template')),
  ],
  'apps/ReplicaSet': (object, since) => [
    ...replicaCells(object, since),
    formatSelector(at(object, 'spec', 'selector')),
  ],
  'apps/DaemonSet': (object, since) => [
    name(object),
    numberAt(object, 'status', 'desiredNumberScheduled'),
    numberAt(object, 'status', 'currentNumberScheduled'),
    numberAt(object, 'status', 'numberReady'),
    numberAt(object, 'status', 'updatedNumberScheduled'),
    numberAt(object, 'status', 'numberAvailable'),
    formatLabels(at(object, 'spec', 'template', 'spec', 'nodeSelector')),
    age(object, since),
    ...containerCells(at(object, 'spec', 'template')),
    formatSelector(at(object, 'spec', 'selector')),
  ],
  'apps/ControllerRevision': (object, since) => [
    name(object),
    controllerOf(object),
    numberAt(object, 'revision'),
    age(object, since),
  ],
  'policy/PodDisruptionBudget': (object, since) => [
    name(object),
    String(at(object, 'spec', 'minAvailable') ?? 'N/A'),
    String(at(object, 'spec', 'maxUnavailable') ?? 'N/A'),
    numberAt(object, 'status', 'disruptionsAllowed'),
    age(object, since),
  ],
  'autoscaling/Scale': (object, since) => [
    name(object),
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    age(object, since),
  ],
};

const readyOfWanted = (object: KubeObject): string =>
  `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`;

/** `kind.group/name` of the controller, in lower case. */
function controllerOf(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return none;
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}
