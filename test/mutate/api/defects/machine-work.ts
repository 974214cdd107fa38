/** What is done to machines in their clusters, and what is written down of it. */
import { witnesses, type ApiDefect } from '../defect.ts';

const suite = 'controllers/tenancy/machines/machines.test.ts';
const control = 'waits until the namespace of its virtual data center is there';
const machines = witnesses(suite, control, { alone: true });
const powered = witnesses(suite, control, { alone: true, writtenIn: 'test/tenancy/power-cases.ts' });
const told = machines('is made with what its guest is told, which is kept nowhere but in its cluster');
const undone = machines('is undone where the cluster refuses it: nothing of it is left, and the task says why');
const foreignDisk = machines('gets no disk that is somebody else’s, and the row forgets it');
const at = (file: string): string => `controllers/tenancy/machines/${file}.ts`;

const making: readonly ApiDefect[] = [
  {
    name: 'what a guest is told stays in the row',
    file: 'db/vm-applied.ts',
    find: "SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', updated_at",
    replace: "SET spec = spec #- '{source,parameters}', updated_at",
    noticedBy: told,
  },
  {
    name: 'the Secrets of a machine stay when it goes',
    file: at('create'),
    find: 'await giveSecrets(attempt, told, made);',
    replace: '',
    noticedBy: told,
  },
  {
    name: 'the Secrets of a machine that was refused stay',
    file: at('absent'),
    find: 'await removeSecrets(attempt);\n',
    replace: '\n',
    noticedBy: undone,
  },
  {
    name: 'what a guest was to be told stays in the row of a machine that is gone',
    file: 'db/vm-removal.ts',
    find: "SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', ${gone}",
    replace: 'SET ${gone}',
    noticedBy: undone,
  },
  {
    name: 'a machine of somebody else is taken for our own',
    file: at('attempt'),
    find: 'return found[labels.vmId] === vm.id && found[labels.installationId] === installationId ? live : undefined;',
    replace: 'return live;',
    noticedBy: machines('is refused where its name is somebody else’s in the cluster, who keeps it'),
  },
  {
    name: 'a machine that somebody has deleted comes back empty',
    file: at('create'),
    find: "if (own === undefined && work.observed?.status === 'DELETED') throw deletedMeanwhile();",
    replace: '',
    noticedBy: machines('is not made again where it was seen and is gone before anybody has put down that it was made'),
  },
  {
    name: 'a vApp goes with the machine that is refused in it',
    file: 'db/vm-removal.ts',
    find: "WHERE id = ${vapp} AND hidden AND desired_state <> 'absent'",
    replace: "WHERE id = ${vapp} AND desired_state <> 'absent'",
    noticedBy: machines('leaves a vApp of its own behind, be it refused or deleted'),
  },
  {
    name: 'a vApp goes with its last machine',
    file: 'db/vm-removal.ts',
    find: 'WHERE id = ${vapp} AND hidden AND deleted_at IS NULL',
    replace: 'WHERE id = ${vapp} AND deleted_at IS NULL',
    noticedBy: machines('leaves a vApp of its own behind, be it refused or deleted'),
  },
];

const changing: readonly ApiDefect[] = [
  {
    name: 'a machine that may not be read is deleted',
    file: at('vms-work'),
    find: "return uid === null && vm.desired_state === 'present' && vm.origin",
    replace: "return vm.desired_state === 'present' && vm.origin",
    noticedBy: machines('stays where its cluster does not even let it be read'),
  },
  {
    name: 'a change takes back what people have set in the cluster',
    file: at('update'),
    find: "asked.includes(field) || field === 'vappName'",
    replace: 'asked.length > 0 || field.length > 0',
    noticedBy: machines('gets another size and other words, and nothing else that somebody has changed in its cluster'),
  },
  {
    name: 'a size that was refused is shown as if it were so',
    file: at('update'),
    find: 'return refused(live, why.failure);',
    replace: "return { kind: 'failed', live, failure: why.failure };",
    noticedBy: machines('keeps its size where another is refused, and the row says so again'),
  },
  {
    name: 'a disk of somebody else is plugged in',
    file: at('disks'),
    find: '  if (!isOwned(found, live))',
    replace: '  if (found.metadata.name === undefined)',
    noticedBy: foreignDisk,
  },
  {
    name: 'a disk of somebody else is deleted',
    file: at('disks'),
    find: 'if (found !== undefined && isOwned(found, live)) await hand.delete',
    replace: 'if (found !== undefined) await hand.delete',
    noticedBy: foreignDisk,
  },
  {
    name: 'a disk that was refused is still counted',
    file: at('disks'),
    find: 'failure: refused.failure, dropped: { spec } }',
    replace: 'failure: refused.failure }',
    noticedBy: foreignDisk,
  },
  {
    name: 'the data of a disk stays when it is removed',
    file: at('disks'),
    find: 'if (removal.dataVolume !== undefined) await deleteVolume(attempt, live, removal.dataVolume);',
    replace: '',
    noticedBy: machines('gets disks and loses them, with their data'),
  },
  {
    name: 'a machine that has come in place of ours is deleted',
    file: at('attempt'),
    find: 'return live.metadata.uid === uid ? live : undefined;',
    replace: 'return live;',
    noticedBy: machines('leaves a machine that has come in its place'),
  },
  {
    name: 'what is seen under a name is taken for what was made',
    file: 'db/vm-work.ts',
    find: "(vm.origin === 'discovered' ? observed?.uid : null)",
    replace: 'observed?.uid',
    noticedBy: machines(
      'leaves a machine that somebody has made under its name, though the vm-controller takes that for it',
    ),
  },
];

const power: readonly ApiDefect[] = [
  {
    name: 'a reset is sent again where nobody knows whether it was done',
    file: at('power'),
    find: 'await noteInTask(db, claim, task.id, { sent: true });',
    replace: '',
    noticedBy: powered('is not sent twice where it is not known whether the first has come'),
  },
  {
    name: 'power has ended before that is shown',
    file: at('power'),
    find: 'if ((isShown && (task.seen || task.heard)) || isLate)',
    replace: 'if (sinceMs >= 0)',
    noticedBy: powered('is turned on, suspended, resumed and turned off, and each ends when it is shown'),
  },
  {
    name: 'power has ended by what was shown before it was asked for',
    file: at('power'),
    find: '(task.seen || task.heard)',
    replace: 'true',
    noticedBy: powered(
      'has not ended while its cluster was not reached since it was asked for, though its status was shown before',
    ),
  },
  {
    name: 'a reset has ended before its cluster was reached again',
    file: at('power'),
    find: "return task.heard ? { kind: 'done', live }",
    replace: "return task.heard || task.id !== '' ? { kind: 'done', live }",
    noticedBy: powered('is reset and rebooted when the cluster has taken it, and was reached since'),
  },
  {
    name: 'a machine that has failed is waited for',
    file: at('power'),
    find: "observed?.status === 'FAILED' && isOf(observed, live)",
    replace: "observed?.status === 'FAILED' && observed.uid === ''",
    noticedBy: powered('ends with the fault that is shown'),
  },
  {
    name: 'power is waited for without end',
    file: at('power'),
    find: 'if (sinceMs < settings.powerMs) return undefined;',
    replace: 'if (sinceMs >= 0) return undefined;',
    noticedBy: powered('ends after a while with what it waited for'),
  },
];

export const machineWorkDefects: readonly ApiDefect[] = [...making, ...changing, ...power];
