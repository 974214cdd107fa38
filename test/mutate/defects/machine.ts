/** Defects of the machine-operator: placement, ownership and adoption, disks, removal. */
import { named, type Defect } from '../defect.ts';

const machineTest = named(
  'packages/ssvirt/src/controllers/machine/machine.test.ts',
  'is left alone while it is paused',
);
const restraintTest = named(
  'packages/ssvirt/src/controllers/machine/restraint.test.ts',
  'copies nothing out of a namespace that does not allow it',
);
const clustersTest = named(
  'packages/ssvirt/src/controllers/machine/clusters.test.ts',
  'are not placed by a guess, and say what to do',
);
const adoptionTest = named(
  'packages/ssvirt/src/controllers/machine/placement/adoption.test.ts',
  'of the original operator keeps its claim, which becomes the disk of the Machine',
);

export const machine: readonly Defect[] = [
  {
    file: 'packages/ssvirt/src/kubevirt/machine/storage.ts',
    source: 'if (disk.bytes < asked)',
    replacement: 'if (disk.bytes < 0)',
    why: 'a disk shrinks',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/machine/storage.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/kubevirt/machine/storage.ts',
    source: 'if (claimIsOurs && (',
    replacement: 'if (claim !== undefined || (',
    why: 'a foreign claim becomes a disk',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/machine/storage.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/machine/cloud-init.ts',
    source: 'return wanted === undefined && fits(userData)',
    replacement: 'return fits(userData)',
    why: 'the content of a Secret is written into the VirtualMachine',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/machine/cloud-init.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/children/namespace.ts',
    source: 'if (!isAllowed(found, identity.supervisor)) throw refused(work);',
    replacement: '',
    why: 'a namespace of another owner is used',
    noticedBy: machineTest('uses a namespace that is not its own only where that is allowed'),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/children/storage.ts',
    source: 'if (from === undefined) return;',
    replacement: 'if (from !== undefined) return;',
    why: 'a Machine copies disks out of any namespace',
    noticedBy: {
      file: 'packages/ssvirt/src/controllers/machine/restraint.test.ts',
      only: [
        'copies nothing out of a namespace that does not allow it',
        'is held before anything is made for it, also where its cluster is written down already',
      ],
    },
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/placement/placement.ts',
    source: 'return silence === undefined ? undefined : neverReached(config, silence);',
    replacement: "return silence === '' ? neverReached(config, silence) : undefined;",
    why: 'a Machine is placed on a cluster that was never reached',
    noticedBy: clustersTest(
      'go elsewhere when their cluster was never reached, by field and by annotation, and may be deleted',
    ),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/placement/adoption.ts',
    source: "?.[annotations.adopt] === 'true';",
    replacement: "?.[annotations.adopt] !== 'false';",
    why: 'every VM of the name is adopted',
    noticedBy: machineTest('takes no virtual machine that is not its own, unless an annotation allows that'),
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/adoption.ts',
    source: 'if (!hadIt || supervisor === undefined',
    replacement: 'if (hadIt || supervisor === undefined',
    why: 'a VM that another supervisor has adopted is taken back',
    noticedBy: adoptionTest(
      'is taken from a supervisor that is gone, and not taken back from one that has adopted it since',
    ),
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/ownership.ts',
    source: 'const live = uid === undefined ? undefined : liveMachine(uid);',
    replacement: 'const live = undefined;',
    why: 'a Machine adopts the VM of another live Machine',
    noticedBy: adoptionTest('is refused to a second Machine that says it is the same, as long as the first is there'),
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/adoption.ts',
    source: "if ((owner.kind !== 'owned' && owner.kind !== 'used') || !used.has(object.metadata.name ?? '')) continue;",
    replacement: 'if (owner.kind !== object.kind) continue;',
    why: 'a VM is adopted with the disk of another live Machine',
    noticedBy: adoptionTest('is refused while a claim that it uses is that of a live Machine, and nothing is written'),
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/ownership.ts',
    source: 'return user === undefined ? owner :',
    replacement: 'return user !== null ? owner :',
    why: 'an attached claim becomes the disk of another Machine, and is deleted with it',
    noticedBy: adoptionTest('gets no disk of a former Machine that another Machine uses, and does not delete it'),
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/attached-claim.ts',
    source: 'isOlder(other.machine, machine) : other.isPresent;',
    replacement: 'isOlder(other.machine, machine) : false;',
    why: 'an older Machine attaches a claim that the VM of a younger one uses',
    noticedBy: adoptionTest(
      'has a claim that it uses to itself, also from an older Machine that names the claim later',
    ),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/children/power.ts',
    source: '!running || !isNew || before',
    replacement: '!running || before',
    why: 'a guest that shut itself down is started again',
    noticedBy: restraintTest(
      'has its guest, which has shut down, started for a new spec, once, when nothing hinders that any more',
    ),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/pause.ts',
    source: "if (value === undefined || value === 'false') return undefined;",
    replacement: "if (value !== 'nobody says this') return undefined;",
    why: 'a paused Machine is reconciled',
    noticedBy: {
      file: 'packages/ssvirt/src/controllers/machine/machine.test.ts',
      only: [
        'is left alone while it is paused',
        'becomes a virtual machine that runs, and goes with all that was made for it',
      ],
    },
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/placement.ts',
    source: 'if (unknown.length > 0) return',
    replacement: 'if (unknown.length > 0 && !machine.adopt) return',
    why: 'a VM is adopted while a cluster that may have it is silent',
    noticedBy: { file: 'packages/ssvirt/src/fleet/placement/placement.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/placement.ts',
    source: "if (isSet(status)) return placed(status, 'status');",
    replacement: '',
    why: 'a placed Machine moves to another cluster',
    noticedBy: { file: 'packages/ssvirt/src/fleet/placement/placement.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/fleet/placement/vm-search.ts',
    source: "return { kind: 'unknown', message: 'no answer in time' };",
    replacement: "return { kind: 'absent' };",
    why: 'a cluster that does not answer in time counts as one without the VM',
    noticedBy: { file: 'test/fleet/search.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/machine.ts',
    source: '        return removal;',
    replacement: '        return { done: true };',
    why: 'a Machine goes before its objects',
    noticedBy: machineTest('becomes a virtual machine that runs, and goes with all that was made for it'),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/removal.ts',
    source:
      "          { name: 'the virtual machine', left: () => machinesLeft(work) },\n          { name: 'disks', left: () => disksLeft(work) },",
    replacement:
      "          { name: 'disks', left: () => disksLeft(work) },\n          { name: 'the virtual machine', left: () => machinesLeft(work) },",
    why: 'disks are deleted before their VM',
    noticedBy: restraintTest('keeps its disks until its virtual machine is gone'),
  },
  {
    file: 'packages/ssvirt/src/controllers/machine/removal.ts',
    source: 'if (silence !== undefined) return heldUp(work, silence);',
    replacement:
      "if (silence !== undefined || machine.metadata.annotations?.[annotations.forceDelete] === 'true') return heldUp(work, silence ?? '');",
    why: 'a forced deletion gives up objects of a cluster that answers',
    noticedBy: restraintTest('is not given up by force while its cluster answers'),
  },
];
