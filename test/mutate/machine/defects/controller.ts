/** What the controller does to the cluster and says of the Machine. */
import { witnesses, type MachineDefect } from '../defect.ts';

const at = (file: string): string => `controllers/machine/${file}`;
const machine = witnesses(at('machine.test.ts'), 'is left alone while it is paused', { alone: true });
const fromTheFirst = witnesses(
  at('machine.test.ts'),
  'becomes a virtual machine that runs, and goes with all that was made for it',
  { alone: true },
);
const restraint = witnesses(
  at('restraint.test.ts'),
  'is held before anything is made for it, also where its cluster is written down already',
  { alone: true },
);
const mishaps = witnesses(at('mishaps.test.ts'), 'is not taken for done while a Machine is paused', { alone: true });
const adoption = witnesses(
  at('adoption.test.ts'),
  'of the original operator keeps its claim, which becomes the disk of the Machine',
  { alone: true },
);
const clusters = witnesses(at('clusters.test.ts'), 'are not placed by a guess, and say what to do', { alone: true });
const times = witnesses(at('status.test.ts'), 'moves with the rest', { alone: true });
const metrics = witnesses(at('metrics.test.ts'), 'count what is there when they are read', { alone: true });

const takenDefects: readonly MachineDefect[] = [
  {
    name: 'a namespace of others is used',
    file: at('namespace.ts'),
    find: 'if (!isAllowed(found, identity.supervisor)) throw refused(work);',
    replace: '',
    noticedBy: machine('uses a namespace that is not its own only where that is allowed'),
  },
  {
    name: 'a namespace of another supervisor is ours',
    file: at('namespace.ts'),
    find: '[labels.supervisor] === supervisor) return true;',
    replace: '[labels.supervisor] !== undefined) return true;',
    noticedBy: restraint('uses no namespace that was made for another supervisor'),
  },
  {
    name: 'a claim that is in the way is taken',
    file: at('storage.ts'),
    find: "if (!isKind(error, 'AlreadyExists')) throw error;",
    replace: "if (isKind(error, 'AlreadyExists')) return;",
    noticedBy: restraint('takes no claim of somebody else for its disk'),
  },
  {
    name: 'whoever makes a Machine reads disks of all namespaces',
    file: at('storage.ts'),
    find: 'if (from === undefined) return;',
    replace: 'if (from !== undefined) return;',
    noticedBy: restraint('copies nothing out of a namespace that does not allow it'),
  },
  {
    name: 'an annotation that somebody has changed stays so',
    file: at('placement.ts'),
    find: 'if (said === at || isDeleting(machine)) return false;',
    replace: 'if (said !== undefined || isDeleting(machine)) return false;',
    noticedBy: clusters('stay where they are when somebody changes the annotation, which says so again'),
  },
  {
    name: 'a Machine is placed on a cluster that nobody has reached',
    file: at('placement.ts'),
    find: 'return silence === undefined ? undefined : neverReached(config, silence);',
    replace: "return silence === '' ? neverReached(config, silence) : undefined;",
    noticedBy: clusters(
      'go elsewhere when their cluster was never reached, by field and by annotation, and may be deleted',
    ),
  },
  {
    name: 'a virtual machine that was there without its labels is said to be created',
    file: at('virtual-machine.ts'),
    find: 'live === undefined && unseen === undefined, named',
    replace: 'live === undefined, named',
    noticedBy: machine('knows its virtual machine though somebody has stripped it of its labels'),
  },
  {
    name: 'every virtual machine of its name is adopted',
    file: at('adoption.ts'),
    find: "?.[annotations.adopt] === 'true';",
    replace: "?.[annotations.adopt] !== 'false';",
    noticedBy: machine('takes no virtual machine that is not its own, unless it is told to'),
  },
  {
    name: 'a virtual machine that another supervisor has adopted since is taken back',
    file: 'fleet/adoption.ts',
    find: 'if (!hadIt || supervisor === undefined',
    replace: 'if (hadIt || supervisor === undefined',
    noticedBy: adoption(
      'is taken from a supervisor that is gone, and not taken back from one that has adopted it since',
    ),
  },
  {
    name: 'a virtual machine of a supervisor that is gone is not adopted',
    file: 'fleet/adoption.ts',
    find: 'if (!hadIt || supervisor === undefined',
    replace: 'if (supervisor === undefined',
    noticedBy: adoption(
      'is taken from a supervisor that is gone, and not taken back from one that has adopted it since',
    ),
  },
  {
    name: 'a Machine takes the virtual machine of another that is there',
    file: 'fleet/ownership.ts',
    find: 'const live = uid === undefined ? undefined : liveMachine(uid);',
    replace: 'const live = undefined;',
    noticedBy: adoption('is refused to a second Machine that says it is the same, as long as the first is there'),
  },
  {
    name: 'a virtual machine is adopted with the disk of another Machine',
    file: 'fleet/adoption.ts',
    find: "if (owner.kind !== 'owned' || !used.has(object.metadata.name ?? '')) continue;",
    replace: 'if (owner.kind !== object.kind) continue;',
    noticedBy: adoption('is refused while a claim that it uses is that of a live Machine, and nothing is written'),
  },
  {
    name: 'what a Machine that is gone has left is not taken with its virtual machine',
    file: at('adoption.ts'),
    find: 'if (type !== undefined) await adoptChild(work, type, name);',
    replace: '',
    noticedBy: adoption('by a Machine that says less keeps its sizes, disks, address and firmware'),
  },
  {
    name: 'a blank disk of the template is made for a virtual machine that has others',
    file: 'virt/declared-machine/resolve.ts',
    find: 'return there.length === 0 || there.some((disk) => disk.name === name && disk.own === true);',
    replace: 'return name !== undefined;',
    noticedBy: adoption('made by hand keeps disks of other names, in their order, in front of a new one'),
  },
  {
    name: 'a claim that a Machine names may be that of another',
    file: at('storage.ts'),
    find: 'if (who === undefined) return { claim: keptClaim.project(found) };',
    replace: "if (who !== '') return { claim: keptClaim.project(found) };",
    noticedBy: adoption('uses a claim that a Machine names, waits for one that is missing, and leaves it behind'),
  },
  {
    name: 'an empty disk is put in the place of one that holds something',
    file: at('virtual-machine.ts'),
    find: 'claimOfVolume(there) === claim) continue;',
    replace: 'claimOfVolume(there) !== undefined) continue;',
    noticedBy: mishaps('stays a volume that was plugged in by hand, where a disk of that name is asked for later'),
  },
  {
    name: 'what others have plugged in is dropped',
    file: at('virtual-machine.ts'),
    find: '    atomicLists,\n    projected: true,',
    replace: '    projected: true,',
    noticedBy: machine('keeps what others have plugged into it, and takes its own fields back'),
  },
  {
    name: 'a virtual machine without labels is a stranger',
    file: at('virtual-machine.ts'),
    find: ' || isStripped(work, found);',
    replace: ';',
    noticedBy: machine('knows its virtual machine though somebody has stripped it of its labels'),
  },
  {
    name: 'a machine that is switched on again while it stops stays off',
    file: at('power.ts'),
    find: 'if (isStopping(work, before))',
    replace: 'if (isStopping(work, before) && !running)',
    noticedBy: restraint('runs in the end where it is switched off and on again before its guest has stopped'),
  },
  {
    name: 'a label is written beside our applies, which cannot take it away then',
    file: at('virtual-machine.ts'),
    find: 'import { findingLabels } from',
    replace: 'import { childLabels as findingLabels } from',
    noticedBy: machine(
      'takes a label off its virtual machine that it has no more, though it came while that was not seen',
    ),
  },
  {
    name: 'the elder of two with one address has to give way',
    file: at('networks.ts'),
    find: 'others.find((other) => isOlder(other, machine))',
    replace: 'others[0]',
    noticedBy: restraint('keeps its address where a younger one wants it'),
  },
];

const powerDefects: readonly MachineDefect[] = [
  {
    name: 'a guest that has shut down is started again',
    file: at('power.ts'),
    find: '!running || !isNew || before',
    replace: '!running || before',
    noticedBy: restraint(
      'has its guest, which has shut down, started for a new spec, once, when nothing hinders that any more',
    ),
  },
  {
    name: 'a guest that has shut down is never started again',
    file: at('power.ts'),
    find: 'if (!running || !isNew ||',
    replace: 'if (running || !isNew ||',
    noticedBy: machine('shows at once that it stopped by itself, stays off, and is started when its spec changes'),
  },
  {
    name: 'the generation is told before it was done',
    file: at('machine.ts'),
    find: 'if (outcome.halted === undefined) report(',
    replace: 'report(',
    noticedBy: restraint(
      'has its guest, which has shut down, started for a new spec, once, when nothing hinders that any more',
    ),
  },
  {
    name: 'a Machine with a problem cannot be switched off',
    file: at('machine.ts'),
    find: 'await ensurePowerAlone(work)',
    replace: 'await Promise.resolve()',
    noticedBy: machine('grows its disks, keeps those that are taken out, and refuses what cannot be'),
  },
  {
    name: 'a paused Machine is worked on',
    file: at('pause.ts'),
    find: "if (value === undefined || value === 'false') return undefined;",
    replace: "if (value !== 'nobody says this') return undefined;",
    noticedBy: fromTheFirst('is left alone while it is paused'),
  },
];

const toldDefects: readonly MachineDefect[] = [
  {
    name: 'a problem is tried again and again',
    file: at('machine.ts'),
    find: 'if (!(error instanceof Halted)) throw error;\n    await',
    replace: 'if (error !== undefined) throw error;\n    await',
    noticedBy: machine('has the disks, networks and cloud-init that it asks for, and takes them with it'),
  },
  {
    name: 'the time of the last change is now',
    file: at('status.ts'),
    find: 'if (mergePatch(machine.status ?? {}, status) === undefined) return status;',
    replace: '',
    noticedBy: times('stays while nothing else changes: it would wake everybody who watches'),
  },
  {
    name: 'a metric has a name of its own',
    file: at('metrics.ts'),
    find: "'kubevirt_operator_machines_total'",
    replace: "'kubevirt_operator_machines'",
    noticedBy: witnesses(at('metrics.test.ts'), 'do not grow with the names of networks', { alone: true })(
      'have the names of the reference',
    ),
  },
  {
    name: 'a conflict is a failure',
    file: at('metrics.ts'),
    find: 'if (!isConflict(error)) this.failed',
    replace: 'this.failed',
    noticedBy: metrics('count a failure, and no conflict, which says only that another was first'),
  },
  {
    name: 'each network has a metric, however many there are',
    file: at('metrics.ts'),
    find: 'if (this.#networks.size < mostNetworks) this',
    replace: 'this',
    noticedBy: metrics('do not grow with the names of networks'),
  },
  {
    name: 'machines that are gone are counted',
    file: at('metrics.ts'),
    find: '        this.reset();\n        for (const machine of',
    replace: '        for (const machine of',
    noticedBy: witnesses(at('metrics.test.ts'), 'have the names of the reference', { alone: true })(
      'count what is there when they are read',
    ),
  },
];

export const controllerDefects: readonly MachineDefect[] = [...takenDefects, ...powerDefects, ...toldDefects];
