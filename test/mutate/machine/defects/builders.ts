/** What is made of a Machine: names, labels, disks, networks, hardware, cloud-init, and what its status says. */
import { witnesses, type MachineDefect } from '../defect.ts';

const at = (file: string): string => `virt/declared-machine/${file}`;
const tests = (file: string, control: string): ReturnType<typeof witnesses> =>
  witnesses(at(file), control, { alone: true });

const resolving = tests('resolve.test.ts', 'adds disks behind that of the template');
const building = tests('build.test.ts', 'is halted where it is not to run');
const naming = tests('names.test.ts', 'are those of the reference where they can be');
const hardware = tests('domain.test.ts', 'nothing is said');
const storing = tests('storage.test.ts', 'is a claim, as the reference has it');
const telling = tests('cloud-init.test.ts', 'are none where nothing is said');
const saying = tests('status.test.ts', 'forgets the instance with it');

const machineDefects: readonly MachineDefect[] = [
  {
    name: 'a word on the CPU puts the template’s aside',
    file: at('resolve.ts'),
    find: '...base, ...defined(own) };',
    replace: '...(Object.keys(own).length > 0 ? defined(own) : base) };',
    noticedBy: resolving('keeps the template where only one field of a part is said'),
  },
  {
    name: 'a disk of the template is replaced by what is said of it',
    file: at('resolve.ts'),
    find: '{ ...base, ...defined(said), name: base.name }',
    replace: 'said',
    noticedBy: resolving('merges a disk of the template field by field, and has the root first wherever it is said'),
  },
  {
    name: 'the boot order begins with nothing',
    file: at('build.ts'),
    find: "const place = bootOrder.indexOf('disk') + 1;",
    replace: "const place = bootOrder.indexOf('disk');",
    noticedBy: building('boots from the first disk and the first card, in the order that is said'),
  },
  {
    name: 'two disks have one place in the boot order',
    file: at('build.ts'),
    find: 'return isFirst && place > 0',
    replace: 'return place > 0',
    noticedBy: building('boots from the first disk and the first card, in the order that is said'),
  },
  {
    name: 'a machine that is filled does not wait for its disk',
    file: at('build.ts'),
    find: '{ name, dataVolume: { name: claimName } }',
    replace: '{ name, persistentVolumeClaim: { claimName } }',
    noticedBy: building('waits for disks that are filled'),
  },
  {
    name: 'labels of the Machine take the place of ours',
    file: at('identity.ts'),
    find: '    ...findingLabels({ supervisor, marks }),\n  };',
    replace: '    ...findingLabels({ supervisor, marks }),\n    ...own,\n  };',
    noticedBy: building('bears the labels by which people find it, and carries over two of the Machine'),
  },
  {
    name: 'an object of another cluster is owned by the Machine',
    file: at('identity.ts'),
    find: '...(owner === undefined ? {} : { ownerReferences: [owner] }),',
    replace: 'ownerReferences: [owner],',
    noticedBy: building('is owned by its Machine only where that stands in the same cluster'),
  },
  {
    name: 'EFI is with secure boot',
    file: at('domain.ts'),
    find: 'efi: { secureBoot: secureBoot === true }',
    replace: 'efi: { secureBoot: secureBoot !== false }',
    noticedBy: hardware('EFI is without secure boot unless said'),
  },
  {
    name: 'the address of a card is another one each time',
    file: at('names.ts'),
    find: "fingerprint('mac', uid, network)",
    replace: "fingerprint('mac', uid, network, String(Math.random()))",
    noticedBy: naming('is of one station and locally administered, and stays'),
  },
  {
    name: 'all cards of a machine have one address',
    file: at('names.ts'),
    find: "fingerprint('mac', uid, network)",
    replace: "fingerprint('mac', uid)",
    noticedBy: naming('differs between 20 000 cards'),
  },
  {
    name: 'names that are cut are the same',
    file: at('names.ts'),
    find: 'maxLength - hashLength - 1)}-${hash(...parts)}`;',
    replace: 'maxLength)}`;',
    noticedBy: naming('are plain as long as they fit, and shortened with a hash behind that'),
  },
];

const diskDefects: readonly MachineDefect[] = [
  {
    name: 'a disk shrinks',
    file: at('storage.ts'),
    find: 'if (disk.bytes < asked)',
    replace: 'if (disk.bytes < 0)',
    noticedBy: storing('is not changed: DiskChangeRefused, has 20Gi, and disks do not shrink'),
  },
  {
    name: 'a disk grows whose class does not let it',
    file: at('storage.ts'),
    find: '?.expandable !== true)',
    replace: '?.name !== name)',
    noticedBy: storing(
      String.raw`is not changed: ExpansionUnsupported, "fast-ssd" does not let it grow \(allowVolumeExpansion\)`,
    ),
  },
  {
    name: 'the default class is left to the cluster, which may have another one later',
    file: at('storage.ts'),
    find: 'storageClassName: classOf(disk, classes).name,',
    replace: 'storageClassName: isDefault(disk.storageClass) ? undefined : classOf(disk, classes).name,',
    noticedBy: storing("is of the cluster's default class, which is written down (default)"),
  },
  {
    name: 'a disk is held to the default class of today',
    file: at('storage.ts'),
    find: 'if (!isDefault(disk.storageClass) && className',
    replace: 'if (className',
    noticedBy: storing('is left alone: of a default class that was another then'),
  },
  {
    name: 'a claim of somebody else is a disk',
    file: at('storage.ts'),
    find: 'if (claimIsOurs && (',
    replace: 'if (claim !== undefined || (',
    noticedBy: storing('is not changed: NameConflict, PersistentVolumeClaim "custom-vm-root" that does not'),
  },
  {
    name: 'a disk that is filled is made anew',
    file: at('storage.ts'),
    find: "['phase'] === 'Succeeded')",
    replace: "['phase'] === 'Done')",
    noticedBy: storing('stays what it is where it is filled, and says both'),
  },
];

const guestDefects: readonly MachineDefect[] = [
  {
    name: 'more than KubeVirt takes stands in the virtual machine',
    file: at('cloud-init.ts'),
    find: 'const MOST_INLINE = 2048;',
    replace: 'const MOST_INLINE = 4096;',
    noticedBy: telling('stand in a Secret: 2049 bytes'),
  },
  {
    name: 'what comes out of a Secret stands in the virtual machine',
    file: at('cloud-init.ts'),
    find: 'return wanted === undefined && fits(userData)',
    replace: 'return fits(userData)',
    noticedBy: telling('that come out of a Secret go into one, however short'),
  },
  {
    name: 'the values of a Secret are told in place of its keys',
    file: at('cloud-init.ts'),
    find: '.map((key) => `"${key}"`)',
    replace: ".map((key) => Buffer.from(data[key] ?? '', 'base64').toString())",
    noticedBy: telling(String.raw`is refused, and what it holds is not told: \(it has "a", "b"\)`),
  },
  {
    name: 'an instance of somebody else is that of the Machine',
    file: at('status.ts'),
    find: ' && vmi.vmUid === vm.uid;',
    replace: ';',
    noticedBy: saying('does not take the instance of somebody else for its own'),
  },
  {
    name: 'nobody is told that a disk goes when the machine stops',
    file: at('disk-state.ts'),
    find: 'if (isLeaving !== true) return [];',
    replace: 'if (isLeaving !== undefined) return [];',
    noticedBy: saying('{"name":"root","phase":"Bound","isLeaving":true} is StorageReady True:PVCBound'),
  },
  {
    name: 'nobody is told that a restart is needed',
    file: at('status.ts'),
    find: 'if (observation?.restartRequired !== true || !running) return [];',
    replace: 'if (observation?.restartRequired !== undefined) return [];',
    noticedBy: saying('says that a restart is needed, and that it runs all the same'),
  },
];

export const builderDefects: readonly MachineDefect[] = [...machineDefects, ...diskDefects, ...guestDefects];
