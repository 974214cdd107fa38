/** How a Machine goes: when, in which order, and with what. */
import { witnesses, type MachineDefect } from '../defect.ts';

const at = (file: string): string => `controllers/machine/${file}`;
const machine = witnesses(at('machine.test.ts'), 'is left alone while it is paused', { alone: true });
const restraint = witnesses(at('restraint.test.ts'), 'copies nothing out of a namespace that does not allow it', {
  alone: true,
});
const mishaps = witnesses(
  at('mishaps.test.ts'),
  'stays a volume that was plugged in by hand, where a disk of that name is asked for later',
  { alone: true },
);

export const removalDefects: readonly MachineDefect[] = [
  {
    name: 'nothing holds a Machine whose cluster was written down by somebody',
    file: at('machine.ts'),
    find: '      finalizer,\n      steps',
    replace: '      steps',
    noticedBy: restraint('is held before anything is made for it, also where its cluster is written down already'),
  },
  {
    name: 'a Machine goes before what was made for it',
    file: at('machine.ts'),
    find: '        return removal;',
    replace: '        return { done: true };',
    noticedBy: machine('becomes a virtual machine that runs, and goes with all that was made for it'),
  },
  {
    name: 'the disks go before the virtual machine',
    file: at('removal.ts'),
    find: `        { name: 'the virtual machine', left: () => machinesLeft(work) },
        { name: 'disks', left: () => disksLeft(work) },`,
    replace: `        { name: 'disks', left: () => disksLeft(work) },
        { name: 'the virtual machine', left: () => machinesLeft(work) },`,
    noticedBy: restraint('keeps its disks until its virtual machine is gone'),
  },
  {
    name: 'a word is enough to give up what a cluster has that answers',
    file: at('removal.ts'),
    find: 'if (silence !== undefined) return heldUp(work, silence);',
    replace:
      "if (silence !== undefined || machine.metadata.annotations?.[annotations.forceDelete] === 'true') return heldUp(work, silence ?? '');",
    noticedBy: restraint('is not given up by force while its cluster answers'),
  },
  {
    name: 'a network goes with the first Machine that goes',
    file: at('removal.ts'),
    find: 'new Set(others.flatMap(networkNames).map(attachmentName))',
    replace: 'new Set(others.slice(0, 0).flatMap(networkNames).map(attachmentName))',
    noticedBy: restraint('leaves a network alone that another Machine uses'),
  },
  {
    name: 'a network goes that a virtual machine made by hand uses',
    file: at('removal.ts'),
    find: ".filter(({ metadata }) => !usedByHand.has(metadata.name ?? ''))",
    replace: '',
    noticedBy: mishaps('keeps the network that it uses when the last Machine on it goes'),
  },
  {
    name: 'networks stay behind',
    file: at('removal.ts'),
    find: "        { name: 'networks', left: () => attachmentsLeft(work) },\n",
    replace: '',
    noticedBy: machine('has the disks, networks and cloud-init that it asks for, and takes them with it'),
  },
  {
    name: 'what was stripped of its labels stays behind',
    file: at('removal.ts'),
    find: 'isOurs(work)(object) || isStripped(work, object);',
    replace: 'isOurs(work)(object);',
    noticedBy: machine('knows its virtual machine though somebody has stripped it of its labels'),
  },
  {
    name: 'a copy of a Secret stays behind that nobody reads',
    file: at('machine.ts'),
    find: 'if (cloudInit.secret === undefined) await dropCloudInitSecret(work, resolved);',
    replace: '',
    noticedBy: machine('copies the Secret that it names, and again when that changes'),
  },
];
