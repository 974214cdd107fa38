/** What wakes a Machine: each source is cut off once, but for those that another tells of as well (claims, instances). The tests have no resync that would hide it. */
import { witnesses, type MachineDefect } from '../defect.ts';

const at = (file: string): string => `controllers/machine/${file}`;
const sources = at('sources.ts');
const machine = witnesses(at('machine.test.ts'), 'is left alone while it is paused', { alone: true });
const restraint = witnesses(at('restraint.test.ts'), 'takes no claim of somebody else for its disk', { alone: true });

export const wakeUpDefects: readonly MachineDefect[] = [
  {
    name: 'a virtual machine wakes nobody',
    file: sources,
    find: 'watches(caches.vms, enqueueMapped(parent))',
    replace: 'watches(caches.vms, enqueueMapped(() => []))',
    noticedBy: machine('keeps what others have plugged into it, and takes its own fields back'),
  },
  {
    name: 'a copy of a Secret wakes nobody',
    file: sources,
    find: 'handler: enqueueMapped(parent),',
    replace: 'handler: enqueueMapped(() => []),',
    noticedBy: restraint('has what its guest is told made again where somebody has deleted it'),
  },
  {
    name: 'a Secret of the supervisor wakes nobody',
    file: at('create-operator.ts'),
    find: 'if (status?.kubevirtConfigRef !== undefined)\n          machine.enqueue',
    replace: 'if (status === null)\n          machine.enqueue',
    noticedBy: machine('copies the Secret that it names, and again when that changes'),
  },
  {
    name: 'a StorageClass wakes nobody',
    file: sources,
    find: 'enqueueMapped(() => unready()),',
    replace: 'enqueueMapped(() => []),',
    noticedBy: restraint(
      'has its guest, which has shut down, started for a new spec, once, when nothing hinders that any more',
    ),
  },
  {
    name: 'a namespace wakes nobody',
    file: sources,
    find: 'within(name)(one) || copiesFrom(name, one)',
    replace: 'copiesFrom(name, one)',
    noticedBy: machine('uses a namespace that is not its own only where that is allowed'),
  },
  {
    name: 'a namespace that is copied from wakes nobody',
    file: sources,
    find: 'within(name)(one) || copiesFrom(name, one)',
    replace: 'within(name)(one)',
    noticedBy: restraint('copies nothing out of a namespace that does not allow it'),
  },
  {
    name: 'a NetworkConfiguration wakes nobody',
    file: sources,
    find: '(network: KubeObject) => keysOf(supervisor.machines.byIndex(byNetwork, keyOf(network.metadata)))',
    replace: '() => []',
    noticedBy: machine('has the disks, networks and cloud-init that it asks for, and takes them with it'),
  },
  {
    name: 'a KubevirtConfig wakes nobody',
    file: sources,
    find: '(metadata.name === cluster.name ? keysOf(all()) : [])',
    replace: "(metadata.name === '' ? keysOf(all()) : [])",
    noticedBy: restraint('says that its cluster does not answer, and works on when it does'),
  },
];
