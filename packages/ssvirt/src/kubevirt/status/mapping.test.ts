/**
 * Checks the whole mapping against an independent statement of its rules: every combination is looked up in the table
 * below, where the first matching row counts. `*` is anything, a comma is "or". Ages are `new` (seen just now) and
 * `old` (for a day).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataVolumeFacts } from '../facts/data-volume.ts';
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import { observeMachine } from './observe.ts';

const filling =
  'PVCBound,ImportScheduled,ImportInProgress,CloneScheduled,CloneInProgress,SnapshotForSmartCloneInProgress,CloneFromSnapshotSourceInProgress,SmartClonePVCInProgress,CSICloneInProgress,PrepClaimInProgress,RebindInProgress,ExpansionInProgress,NamespaceTransferInProgress,UploadScheduled,UploadReady';

const rules = `
  printableStatus                                 | power | deletion | instance              | disk       | age | status

  *                                               | *     | yes      | *                     | *          | *   | DELETING
  Terminating                                     | *     | no       | *                     | *          | *   | DELETING

  none                                            | on    | no       | Running               | *          | *   | POWERED_ON
  none                                            | *     | no       | Unknown               | *          | *   | UNKNOWN
  none                                            | on    | no       | *                     | *          | *   | POWERING_ON
  none                                            | off   | no       | none,Succeeded,Failed | *          | *   | POWERED_OFF
  none                                            | off   | no       | *                     | *          | *   | POWERING_OFF

  Stopped,Provisioning                            | *     | no       | *                     | refused    | old | FAILED
  Stopped,Provisioning                            | on    | no       | *                     | *          | *   | POWERING_ON
  Stopped,Provisioning                            | off   | no       | *                     | *          | *   | POWERED_OFF

  DataVolumeError                                 | *     | no       | *                     | Failed     | *   | FAILED
  DataVolumeError                                 | *     | no       | *                     | *          | old | FAILED
  DataVolumeError                                 | on    | no       | *                     | *          | new | POWERING_ON
  DataVolumeError                                 | off   | no       | *                     | *          | new | POWERED_OFF

  Stopping                                        | *     | no       | *                     | *          | *   | POWERING_OFF
  CrashLoopBackOff                                | on    | no       | *                     | *          | *   | FAILED
  CrashLoopBackOff                                | off   | no       | *                     | *          | *   | POWERED_OFF
  Unknown,SomethingNew                            | *     | no       | *                     | *          | *   | UNKNOWN

  *                                               | off   | no       | *                     | *          | *   | POWERING_OFF
  Running,Migrating                               | on    | no       | *                     | *          | *   | POWERED_ON
  Paused                                          | on    | no       | *                     | *          | *   | SUSPENDED
  Starting,WaitingForVolumeBinding                | on    | no       | *                     | refused    | old | FAILED
  Starting,WaitingForVolumeBinding                | on    | no       | *                     | *          | *   | POWERING_ON
  WaitingForReceiver                              | on    | no       | *                     | *          | *   | POWERING_ON
  ImagePullBackOff                                | on    | no       | *                     | *          | *   | FAILED
  ErrorUnschedulable                              | on    | no       | *                     | ${filling} | *   | POWERING_ON
  ErrorPvcNotFound,ErrImagePull,ErrorUnschedulable| on    | no       | *                     | *          | new | POWERING_ON
  ErrorPvcNotFound,ErrImagePull,ErrorUnschedulable| on    | no       | *                     | *          | old | FAILED
`;

const [, ...table] = rules
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.split('|').map((cell) => cell.trim()));

const values = {
  printableStatus:
    'none,Stopped,Provisioning,Starting,Running,Paused,Stopping,Terminating,CrashLoopBackOff,Migrating,Unknown,ErrorUnschedulable,ErrImagePull,ImagePullBackOff,ErrorPvcNotFound,DataVolumeError,WaitingForVolumeBinding,WaitingForReceiver,SomethingNew',
  power: 'on,off',
  deletion: 'no,yes',
  instance: 'none,,Pending,Scheduling,Scheduled,Running,Succeeded,Failed,WaitingForSync,Unknown',
  disk: `none,,Pending,PendingPopulation,WaitForFirstConsumer,Paused,Succeeded,Failed,Unknown,stuck,refused,${filling}`,
  age: 'new,old',
};

type Combination = readonly string[];

const combinations: Combination[] = Object.values(values).reduce<Combination[]>(
  (all, list) => all.flatMap((head) => list.split(',').map((value) => [...head, value])),
  [[]],
);

function ruleFor(combination: Combination): readonly string[] | undefined {
  return table.find((row) =>
    combination.every((value, column) => row[column] === '*' || row[column]?.split(',').includes(value) === true),
  );
}

test('every combination of printableStatus, power, deletion, instance, disk and age has the status of its rule', () => {
  const used = new Set<readonly string[]>();
  for (const combination of combinations) {
    const rule = ruleFor(combination);
    assert.ok(rule !== undefined, `there is no rule for ${combination.join(' | ')}`);
    used.add(rule);
    const { status } = observed(combination);
    if (status !== rule.at(-1)) assert.equal(status, rule.at(-1), combination.join(' | '));
  }
  assert.equal(combinations.length, 19 * 2 * 2 * 10 * 26 * 2);
  assert.deepEqual(
    table.filter((row) => !used.has(row)),
    [],
    'rules that no combination needs',
  );
});

test('a machine is busy exactly while its disk is prepared and it is not wanted to run', () => {
  for (const combination of combinations.filter((one) => one[5] === 'new')) {
    const [printableStatus = '', power, deletion] = combination;
    const isBusy =
      ['Provisioning', 'DataVolumeError'].includes(printableStatus) && power === 'off' && deletion === 'no';
    const { busy } = observed(combination);
    if (busy !== isBusy) assert.equal(busy, isBusy, combination.join(' | '));
  }
});

function observed(combination: Combination): ReturnType<typeof observeMachine> {
  const [printableStatus = '', power = '', deletion = '', instance = '', disk = '', age = ''] = combination;
  const vm = vmFacts({
    metadata: { uid: 'vm', generation: 1, name: 'vm1', ...(deletion === 'yes' ? { deletionTimestamp: 'now' } : {}) },
    spec: {
      runStrategy: power === 'on' ? 'Always' : 'Halted',
      template: { spec: { volumes: [{ name: 'root', dataVolume: { name: 'disk1' } }] } },
    },
    ...(printableStatus === 'none' ? {} : { status: { printableStatus } }),
  });
  return observeMachine(
    { vm, vmi: instanceOf(instance), dataVolumes: disk === 'none' ? [] : [dataVolumeFacts(dataVolume(disk))] },
    () => (age === 'new' ? 0 : 86_400_000),
  );
}

function instanceOf(phase: string): ReturnType<typeof vmiFacts> | undefined {
  if (phase === 'none') return undefined;
  const owner = { kind: 'VirtualMachine', name: 'vm1', uid: 'vm', controller: true };
  return vmiFacts({ metadata: { uid: 'vmi', name: 'vm1', ownerReferences: [owner] }, status: { phase } });
}

function dataVolume(disk: string): object {
  const metadata = { name: 'disk1' };
  const bad = (type: string, reason: string): object => ({ type, status: 'False', reason, message: 'no' });
  switch (disk) {
    case 'stuck':
      return { metadata, status: { phase: 'ImportInProgress', conditions: [bad('Running', 'Error')] } };
    case 'refused':
      return { metadata, status: { phase: 'Pending', conditions: [bad('Bound', 'ErrExceededQuota')] } };
    default:
      return { metadata, status: { phase: disk } };
  }
}
