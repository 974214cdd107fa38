/** What is kept of a VirtualMachineInstance: a VM while it runs. */
import { addressesOf } from './addresses.ts';
import { saying, type Saying } from './condition.ts';
import { attachedSizes, disksOf, type Disk } from './disks.ts';
import { guestOsOf } from './guest-os.ts';
import { cpusOfTopology, memoryOfDomain } from './hardware.ts';
import { hostNameOf } from './host-name.ts';
import { mebibytes } from '@ssvirt/base/values/quantity';
import { fields, known, list, text } from './reading.ts';

export interface VmiFacts {
  readonly uid: string;
  /** The uid of the VirtualMachine that controls it; absent if none does. */
  readonly vmUid?: string;
  readonly deleting?: true;
  readonly phase?: string;
  /** It has been in phase Running. */
  readonly ran?: true;
  /** Why it is in that phase, such as NodeUnresponsive. */
  readonly reason?: string;
  /** Why it is paused. */
  readonly paused?: Saying;
  readonly unschedulable?: Saying;
  readonly notSynchronized?: Saying;
  readonly notReady?: Saying;
  readonly node?: string;
  readonly ipAddresses?: readonly string[];
  readonly guestOs?: string;
  readonly hostName?: string;
  readonly cpuCount?: number;
  readonly memoryMb?: number;
  readonly disks?: readonly Disk[];
}

export function vmiFacts(object: unknown): VmiFacts {
  const { metadata, spec, status } = fields(object);
  const { uid, name, deletionTimestamp, ownerReferences } = fields(metadata);
  const { domain, hostname, volumes } = fields(spec);
  const reported = fields(status);
  const { conditions, guestOSInfo } = reported;
  const sizes = attachedSizes(reported['volumeStatus']);
  const addresses = addressesOf(reported['interfaces']);
  const disks = disksOf(volumes, (volume) => sizes.get(volume));
  const phase = text(reported['phase'], 64);
  return known<VmiFacts>({
    uid: text(uid) ?? '',
    vmUid: controllerOf(ownerReferences),
    deleting: deletionTimestamp === undefined ? undefined : true,
    phase,
    ran: phase === 'Running' || hasRun(reported['phaseTransitionTimestamps']) ? true : undefined,
    reason: text(reported['reason'], 64),
    paused: saying(conditions, 'Paused', 'True'),
    unschedulable: saying(conditions, 'PodScheduled', 'False'),
    notSynchronized: saying(conditions, 'Synchronized', 'False'),
    notReady: notReadyIn(conditions),
    node: text(reported['nodeName']),
    ipAddresses: addresses.length === 0 ? undefined : addresses,
    guestOs: guestOsOf(guestOSInfo),
    hostName: text(fields(guestOSInfo)['hostname']) ?? hostNameOf(hostname, name),
    cpuCount: cpusOfTopology(reported['currentCPUTopology'] ?? fields(domain)['cpu']),
    memoryMb: mebibytes(fields(reported['memory'])['guestCurrent']) ?? memoryOfDomain(domain),
    disks: disks.length === 0 ? undefined : disks,
  });
}

function controllerOf(ownerReferences: unknown): string | undefined {
  const controller = list(ownerReferences)
    .map(fields)
    .find((owner) => owner['kind'] === 'VirtualMachine' && owner['controller'] === true);
  return text(controller?.['uid']);
}

function hasRun(transitions: unknown): boolean {
  return list(transitions).some((transition) => fields(transition)['phase'] === 'Running');
}

/** The message is never shown. */
function notReadyIn(conditions: unknown): Saying | undefined {
  const found = saying(conditions, 'Ready', 'False');
  return found === undefined ? undefined : known<Saying>({ reason: found.reason, message: undefined });
}
