/** How Machines are shown: the columns of `kubectl get machines.vitistack.io`, and when a Machine is as declared. */
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { conditions, type MachinePhase } from '../../kubevirt/machine/resource.ts';
import { hidden } from '../cluster/hidden.ts';
import type { ShownKind, ProgressState } from '../cluster/shown-kind.ts';
import { machines, type ShownMachine } from './shown-machine.ts';

/** Not a phase of the operator. */
const gonePhase = 'Deleted' as MachinePhase;

export const shownMachines: ShownKind<ShownMachine> = {
  noun: 'machine',
  word: 'Machine',
  plural: 'Machines',
  type: machines,
  gone: (last) => ({ ...last, status: { ...last.status, phase: gonePhase } }),
  columns: [
    { header: 'PHASE', cell: ({ status }) => status?.phase },
    { header: 'READY', cell: (one) => ready(one)?.status },
    { header: 'CLUSTER', cell: ({ status }) => status?.kubevirtConfigRef },
    { header: 'VM', cell: ({ status }) => status?.vmName },
    { header: 'IPS', cell: ({ status }) => status?.ipAddresses?.join(',') },
    { header: 'NODE', cell: ({ status }) => status?.nodeName },
    { header: 'REASON', wide: true, cell: (one) => ready(one)?.reason },
    { header: 'TEMPLATE', wide: true, cell: ({ spec }) => spec.template ?? spec.instanceType },
  ],
  withoutSecrets,
  standing,
};

export function ready({ status }: ShownMachine): ReturnType<typeof findCondition> {
  return findCondition(status?.conditions, conditions.ready);
}

/**
 * The generation that `Ready` describes: the status's observedGeneration stays behind as long as something blocks it.
 */
export function seenGeneration(machine: ShownMachine): number | undefined {
  return ready(machine)?.observedGeneration ?? machine.status?.observedGeneration;
}

/** A condition for an older spec says nothing about the current one. */
export function isBehind(machine: ShownMachine): boolean {
  const seen = seenGeneration(machine);
  return seen !== undefined && seen < (machine.metadata.generation ?? 0);
}

function standing(machine: ShownMachine): ProgressState {
  const { metadata, status } = machine;
  const condition = ready(machine);
  if (metadata.deletionTimestamp !== undefined)
    return {
      state: 'underway',
      says: `is being deleted${condition === undefined ? '' : `, ${condition.reason}: ${condition.message}`}`,
    };
  const phase = status?.phase ?? 'no phase yet';
  if (condition === undefined || isBehind(machine)) return { state: 'underway', says: `${phase}, not processed yet` };
  return {
    state: condition.status === 'True' ? 'ready' : 'underway',
    says: `${phase}, ${condition.reason}: ${condition.message}`,
  };
}

/** Cloud-init often contains passwords and keys. */
function withoutSecrets(machine: ShownMachine): ShownMachine {
  const { cloudInit } = machine.spec;
  const { userData, networkData } = cloudInit ?? {};
  if (userData === undefined && networkData === undefined) return machine;
  return {
    ...machine,
    spec: {
      ...machine.spec,
      cloudInit: {
        ...cloudInit,
        ...(userData === undefined ? {} : { userData: hidden(userData) }),
        ...(networkData === undefined ? {} : { networkData: hidden(networkData) }),
      },
    },
  };
}
