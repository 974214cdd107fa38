/** VirtualMachineInstance: one run of a machine. Its status is no subresource: controllers write the whole object. */
import type { Schema } from '../../schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { KUBEVIRT_V1ALPHA3, AGE, PHASE, column, define, type CustomResourceDefinition } from './definition.ts';
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
    'The network cards as they are. The first is the one on the pod network.',
    open('One card.', {
      name: text('The interface of the spec; cards that only the guest knows have none.'),
      mac: text('The MAC address.'),
      ipAddress: text('The first address.'),
      ipAddresses: texts('All addresses.'),
      interfaceName: text('What the guest calls it.'),
      podInterfaceName: text('What the pod calls it.'),
      infoSource: text('Who says so: domain, guest-agent, multus-status.'),
      linkState: text('up or down.'),
      queueCount: int32('The number of queues.'),
    }),
  ),
  currentCPUTopology: open('The virtual CPUs as they are.', {
    sockets: int32('Sockets.'),
    cores: int32('Cores of each socket.'),
    threads: int32('Threads of each core.'),
  }),
  memory: open('The memory as it is.', {
    guestAtBoot: quantity('What the guest started with.'),
    guestCurrent: quantity('What it has.'),
    guestRequested: quantity('What it should have.'),
    memoryOverhead: quantity('What the launcher pod has beyond the guest.'),
  }),
  machine: open('The chipset as it is.', { type: text('Such as pc-q35-9.2.') }),
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
    'The volumes as they are.',
    open(
      'One volume.',
      {
        name: text('The volume.'),
        target: text('What the guest calls the disk, such as vda.'),
        phase: text(
          'Of a volume that is plugged while the guest runs: Pending, Bound, AttachedToNode, MountedToPod, Ready …',
        ),
        reason: text('Why it is in that phase.'),
        message: text('Why it is in that phase, for people.'),
        size: int64('Its size in bytes.'),
      },
      { required: ['name', 'target'] },
    ),
  ),
  migrationMethod: text('LiveMigration, or BlockMigration where disks are copied, too.'),
  migrationTransport: text('How it is migrated.'),
  migrationState: migrationState(),
  evacuationNodeName: text('The node that it has to leave.'),
  launcherContainerImageVersion: text('The image of its launcher.'),
  virtualMachineRevisionName: text('The ControllerRevision of the VirtualMachine that it was made from.'),
  qosClass: text('The quality of service of its pod.'),
  runtimeUser: int64('The user that runs the hypervisor.'),
  selinuxContext: text('The SELinux context of the launcher.'),
  fsFreezeStatus: text('Whether the file systems of the guest are frozen.'),
};

export const virtualMachineInstance: CustomResourceDefinition = define({
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
    'One run of a virtual machine, from start to end. Usually a VirtualMachine makes it; one that stands alone is gone when it ends.',
  spec: vmiSpec('What the instance should be.'),
  status: open('What is known about the instance.', status),
});
