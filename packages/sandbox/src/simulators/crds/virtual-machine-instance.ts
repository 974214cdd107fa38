/** VirtualMachineInstance: one run of a VM. It has no status subresource: controllers write the whole object. */
import type { Schema } from '../../objects/schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { KUBEVIRT_V1ALPHA3, AGE, PHASE, column, define, type InstalledDefinition } from './definition.ts';
import { migrationState } from './migration-state.ts';
import {
  atomicList,
  int32,
  int64,
  list,
  open,
  quantity,
  text,
  textMap,
  texts,
  time,
  type Properties,
} from './schema.ts';
import { vmiSpec } from './vmi-spec.ts';

export const phaseTransitions = (): Schema =>
  atomicList(
    'When each phase began.',
    open('One phase.', { phase: text('The phase.'), phaseTransitionTimestamp: time('When it began.') }),
  );

const guest: Properties = {
  guestOSInfo: open('What the guest agent says about the operating system.', {
    id: text('Such as fedora.'),
    name: text('Such as Fedora Linux.'),
    prettyName: text('Its full name.'),
    version: text('Its version.'),
    versionId: text('Its version, for programs.'),
    kernelRelease: text('The release of its kernel.'),
    kernelVersion: text('The version of its kernel.'),
    machine: text('The architecture.'),
  }),
  interfaces: list(
    'The current network cards. The first is the one on the pod network.',
    open('One card.', {
      name: text('The interface of the spec; cards that only the guest knows have none.'),
      mac: text('The MAC address.'),
      ipAddress: text('The first address.'),
      ipAddresses: texts('All addresses.'),
      interfaceName: text('Its name in the guest.'),
      podInterfaceName: text('Its name in the pod.'),
      infoSource: text('The sources of this entry: domain, guest-agent, multus-status.'),
      linkState: text('up or down.'),
      queueCount: int32('The number of queues.'),
    }),
  ),
  currentCPUTopology: open('The current virtual CPUs.', {
    sockets: int32('Sockets.'),
    cores: int32('Cores of each socket.'),
    threads: int32('Threads of each core.'),
  }),
  memory: open('The current memory.', {
    guestAtBoot: quantity('The memory at boot.'),
    guestCurrent: quantity('The memory that it has.'),
    guestRequested: quantity('The memory that it should have.'),
    memoryOverhead: quantity('The memory of the launcher pod beyond the guest.'),
  }),
  machine: open('The current chipset.', { type: text('Such as pc-q35-9.2.') }),
};

const status: Properties = {
  phase: text('Pending, Scheduling, Scheduled, Running, Succeeded, Failed, WaitingForSync or Unknown.'),
  reason: text('Why it failed.'),
  nodeName: text('The node that it runs on.'),
  conditions: kubevirtConditions(),
  phaseTransitionTimestamps: phaseTransitions(),
  activePods: textMap('The node of each launcher pod, by its UID. During a migration there are two.'),
  ...guest,
  volumeStatus: atomicList(
    'The current volumes.',
    open(
      'One volume.',
      {
        name: text('The volume.'),
        target: text('The name of the disk in the guest, such as vda.'),
        phase: text('The phase of a hotplugged volume: Pending, Bound, AttachedToNode, MountedToPod, Ready …'),
        reason: text('Why it is in that phase.'),
        message: text('Why it is in that phase, for people.'),
        size: int64('Its size in bytes.'),
      },
      { required: ['name', 'target'] },
    ),
  ),
  migrationMethod: text('LiveMigration, or BlockMigration if disks are copied, too.'),
  migrationTransport: text('How it is migrated.'),
  migrationState: migrationState(),
  evacuationNodeName: text('The node that it has to leave.'),
  launcherContainerImageVersion: text('The image of its launcher.'),
  virtualMachineRevisionName: text('The ControllerRevision of the VirtualMachine from which it was created.'),
  qosClass: text('The quality of service of its pod.'),
  runtimeUser: int64('The user that runs the hypervisor.'),
  selinuxContext: text('The SELinux context of the launcher.'),
  fsFreezeStatus: text('Whether the file systems of the guest are frozen.'),
};

export const virtualMachineInstance: InstalledDefinition = define({
  group: 'kubevirt.io',
  versions: ['v1'],
  deprecated: KUBEVIRT_V1ALPHA3,
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  shortNames: ['vmi', 'vmis'],
  inAll: true,
  columns: [
    AGE,
    PHASE,
    column('IP', 'string', '.status.interfaces[0].ipAddress'),
    column('NodeName', 'string', '.status.nodeName'),
    column('Ready', 'string', ".status.conditions[?(@.type=='Ready')].status"),
    column('Live-Migratable', 'string', ".status.conditions[?(@.type=='LiveMigratable')].status", { priority: 1 }),
    column('Paused', 'string', ".status.conditions[?(@.type=='Paused')].status", { priority: 1 }),
  ],
  labels: { 'kubevirt.io': '' },
  description:
    'One run of a virtual machine, from start to end. Usually a VirtualMachine creates it; without one, it does not start again after its end.',
  spec: vmiSpec('The desired instance.'),
  status: open('What is known about the instance.', status),
});
