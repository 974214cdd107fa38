/** Selects the VMIs of a node that must be migrated, up to the free slots. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { annotations } from './names.ts';
import { isDeleting, isMigrating, isVmiFinal } from './state.ts';

/** `taintKey` is called only if there are taints: most nodes have none, and this runs often. */
export function isDrained(node: Unstructured, taintKey: () => string): boolean {
  const taints = listAt(objectAt(node as unknown as JsonObject, 'spec'), 'taints');
  return taints.some((taint) => textAt(taint, 'effect') === 'NoSchedule' && textAt(taint, 'key') === taintKey());
}

/** Evicted, and still on the node that it must leave. */
export function isToLeave(vmi: VirtualMachineInstance): boolean {
  const node = vmi.status?.['evacuationNodeName'];
  return typeof node === 'string' && node !== '' && node === vmi.status?.nodeName && !isMigrating(vmi);
}

export interface Departures {
  readonly movable: readonly VirtualMachineInstance[];
  /** VMIs that must leave but cannot be migrated. */
  readonly stuck: readonly VirtualMachineInstance[];
}

export interface DepartureScene {
  readonly vmis: readonly VirtualMachineInstance[];
  /** The eviction strategy of the cluster, for VMIs that set none. */
  readonly evictionStrategy: string;
  readonly hasMigration: (vmi: VirtualMachineInstance) => boolean;
  /** The number of pods that have not ended: if it is more than one, the last migration has left some. */
  readonly activePods: (vmi: VirtualMachineInstance) => number;
}

export function departures({ vmis, evictionStrategy, hasMigration, activePods }: DepartureScene): Departures {
  const movable: VirtualMachineInstance[] = [];
  const stuck: VirtualMachineInstance[] = [];
  for (const vmi of vmis) {
    if (isVmiFinal(vmi) || isDeleting(vmi)) continue;
    const given = vmi.spec['evictionStrategy'];
    const strategy = typeof given === 'string' ? given : evictionStrategy;
    const canMove = has(vmi.status?.conditions, 'LiveMigratable', 'True');
    if (strategy !== 'LiveMigrate' && !(strategy === 'LiveMigrateIfPossible' && canMove)) continue;
    if (!canMove) stuck.push(vmi);
    else if (!hasMigration(vmi) && activePods(vmi) <= 1) movable.push(vmi);
  }
  return { movable, stuck };
}

export function evacuationOf({ metadata }: VirtualMachineInstance, node: string): VirtualMachineInstanceMigration {
  const { namespace = '', name = '' } = metadata;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { generateName: 'kubevirt-evacuation-', namespace, annotations: { [annotations.evacuation]: node } },
    spec: { vmiName: name, priority: 'system-critical' },
  };
}
