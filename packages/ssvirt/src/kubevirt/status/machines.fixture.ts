/** Objects as a cluster has them, for tests. */
import { defined } from '@ssvirt/base/values/defined';
import { claimEventFacts } from '../facts/claim-event.ts';
import { dataVolumeFacts, withClaimEvent } from '../facts/data-volume.ts';
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import type { ObservedVm } from './observe.ts';

export interface Reported {
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
  /** The class that its disk requests. */
  readonly storageClass?: string;
  /** The newest event of its disk's claim. */
  readonly claimEvent?: string;
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
  storageClass,
  claimEvent,
}: Reported): ObservedVm {
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
            withClaimEvent(
              dataVolumeFacts({
                metadata: { name: 'root-disk', ownerReferences: [owner] },
                spec: { storage: { storageClassName: storageClass } },
                status: { ...disk, conditions: written(disk.conditions) },
              }),
              claimEvent === undefined ? undefined : eventOf(claimEvent),
            ),
          ],
  };
}

function eventOf(message: string): ReturnType<typeof claimEventFacts> {
  return claimEventFacts({
    involvedObject: { kind: 'PersistentVolumeClaim', name: 'root-disk' },
    reason: 'ProvisioningFailed',
    message,
    lastTimestamp: '2026-02-01T12:00:00Z',
  });
}

function written(conditions: readonly Said[] = []): object[] {
  return conditions.map(([type, status, reason, message]) => ({
    type,
    status,
    ...(reason === '' ? {} : { reason }),
    ...defined({ message }),
  }));
}
