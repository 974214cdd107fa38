/** Objects as a cluster has them, for tests. */
import { dataVolumeFacts } from '../facts/data-volume.ts';
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import type { Machine } from './observe.ts';

export interface Told {
  readonly strategy?: string;
  readonly status?: string;
  readonly more?: object;
  /** [type, status, reason, message] */
  readonly conditions?: readonly Said[];
  readonly instance?: {
    readonly phase?: string;
    readonly conditions?: readonly Said[];
    readonly [field: string]: unknown;
  };
  readonly instanceMetadata?: object;
  readonly disk?: { readonly phase?: string; readonly conditions?: readonly Said[]; readonly [field: string]: unknown };
}

export type Said = readonly [type: string, status: string, reason: string, message?: string];

export function machineOf({
  strategy = 'Always',
  status,
  more,
  conditions,
  instance,
  instanceMetadata,
  disk,
}: Told): Machine {
  const owner = { kind: 'VirtualMachine', name: 'web', uid: 'vm-uid', controller: true };
  const vm = {
    metadata: { uid: 'vm-uid', generation: 1, name: 'web', namespace: 'shop' },
    spec: {
      runStrategy: strategy,
      template: { spec: { volumes: [{ name: 'root', dataVolume: { name: 'root-disk' } }] } },
    },
    status: { printableStatus: status, conditions: written(conditions), ...more },
  };
  return {
    vm: vmFacts(vm),
    vmi:
      instance === undefined
        ? undefined
        : vmiFacts({
            metadata: { uid: 'vmi-uid', name: 'web', ownerReferences: [owner], ...instanceMetadata },
            status: { ...instance, conditions: written(instance.conditions) },
          }),
    dataVolumes:
      disk === undefined
        ? []
        : [
            dataVolumeFacts({
              metadata: { name: 'root-disk', ownerReferences: [owner] },
              status: { ...disk, conditions: written(disk.conditions) },
            }),
          ],
  };
}

function written(conditions: readonly Said[] = []): object[] {
  return conditions.map(([type, status, reason, message]) => ({
    type,
    status,
    ...(reason === '' ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }));
}
