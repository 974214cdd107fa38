/** What exists for an order, from the caches. Nothing here sends a request. */
import { defined } from '@ssvirt/base/values/defined';
import type { DataVolumeFacts } from '../../kubevirt/facts/data-volume.ts';
import { conditions } from '../../kubevirt/order/resource.ts';
import { childNames } from '../../kubevirt/order/names.ts';
import type { ChildState, OrderObservation } from '../../kubevirt/order/status/status.ts';
import { observeMachine } from '../../kubevirt/status/observe.ts';
import { isOurs, isTakeable } from './children.ts';
import type { Memory } from './operator/memory.ts';
import type { OrderWork } from './work.ts';

type Seen = Pick<
  OrderObservation,
  'vm' | 'vmReady' | 'vmi' | 'dataVolume' | 'observation' | 'loadBalancerAddress' | 'vmName'
>;

/** The names that differ from those of the built-in template. */
export interface OwnNames {
  readonly vm?: string;
  readonly disks: readonly string[];
  readonly services: readonly string[];
}

/** `seenOf` returns the VM that belongs to the order, or that AAP created for it. */
export function seenOf(work: OrderWork, { troubles }: Memory, own?: OwnNames): Seen {
  const { caches, identity } = work;
  const names = childNames(identity);
  const at = (name: string): { namespace: string; name: string } => ({ namespace: identity.tenantNamespace, name });
  const disks = (own?.disks ?? [names.dataVolume]).flatMap((name) => {
    const disk = caches.dataVolumes.get(at(name));
    return disk !== undefined && isTakeable(work, disk) ? [disk.facts] : [];
  });
  // The disk whose state matters most.
  const dataVolume = disks.find(({ phase }) => phase === 'Failed') ?? disks.find(isUnfilled) ?? disks[0];
  const addresses = (own?.services ?? [names.service]).flatMap((name) => {
    const service = caches.services.get(at(name));
    return isOurs(work, service) ? (service?.address ?? []) : [];
  });
  const [address] = addresses;
  const around = {
    ...defined({ dataVolume, loadBalancerAddress: address }),
  };
  const key = at(own?.vm ?? names.vm);
  const vm = caches.vms.get(key);
  if (vm === undefined || !isTakeable(work, vm)) {
    troubles.note(identity.uid, undefined);
    return { ...around, vmReady: false };
  }
  const instance = caches.instances.get(key);
  const vmi = instance?.facts;
  const observation = observeMachine({ vm: vm.facts, vmi, dataVolumes: disks }, (word) =>
    troubles.ageOf(identity.uid, word),
  );
  troubles.note(identity.uid, observation.trouble);
  return {
    ...around,
    vm: vm.facts,
    vmReady: vm.ready,
    ...defined({ vmi, vmName: own?.vm }),
    observation,
  };
}

function isUnfilled({ phase }: DataVolumeFacts): boolean {
  return phase !== 'Succeeded';
}

/** One state for each child of the built-in template. `applied` says whether the child exists. */
export function childStates(work: OrderWork, hasSshKey: boolean): readonly ChildState[] {
  const { caches, identity } = work;
  const names = childNames(identity);
  const at = (name: string): { namespace: string; name: string } => ({ namespace: identity.tenantNamespace, name });
  const service = caches.services.get(at(names.service));
  const isThere = (name: string): boolean => isOurs(work, caches.secrets.get(at(name)));
  return [
    { condition: conditions.cloudInitSecret, applied: isThere(names.cloudInitSecret) },
    ...(hasSshKey ? [{ condition: conditions.sshKeySecret, applied: isThere(names.sshKeySecret) }] : []),
    {
      condition: conditions.dataVolume,
      applied:
        isOurs(work, caches.dataVolumes.get(at(names.dataVolume))) ||
        isOurs(work, caches.claims.get(at(names.dataVolume))),
    },
    { condition: conditions.virtualMachine, applied: isOurs(work, caches.vms.get(at(names.vm))) },
    {
      condition: conditions.service,
      applied: isOurs(work, service),
      ready: service?.address !== undefined,
      ...(service === undefined || service.address !== undefined
        ? {}
        : { message: 'It exists but has no load balancer address yet.' }),
    },
  ];
}
