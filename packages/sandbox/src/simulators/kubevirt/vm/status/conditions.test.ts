import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Condition } from '../../objects.ts';
import { condition, vmi } from '../builders.fixture.ts';
import { conditionsAfter, restartRequiredFor, withCondition } from './conditions.ts';
import { SyncError } from './sync-error.ts';
import type { MaybeVmi } from '../vmi-state.ts';

const now = '2026-01-01T00:00:00Z';
const brief = ({ type, status, reason = '' }: Condition): string => `${type}=${status}/${reason}`;
const ready = condition('Ready', 'True');
const migratable = condition('LiveMigratable', 'True');
const connected = condition('AgentConnected', 'True');
const restart = restartRequiredFor('edited', now);
const refused = new SyncError('FailedCreate', 'no room');

type Case = readonly [string, readonly Condition[], MaybeVmi, SyncError | undefined, readonly string[]];

const cases: readonly Case[] = [
  ['without a VMI it is not ready', [], undefined, undefined, ['Ready=False/VMINotExists']],
  ['a new VMI says nothing yet', [], vmi('Pending'), undefined, ['Ready=False/VMIConditionMissing']],
  [
    'what the VMI says is mirrored',
    [],
    vmi('Running', { conditions: [ready, migratable] }),
    undefined,
    ['Ready=True/', 'LiveMigratable=True/'],
  ],
  [
    'what the VMI does not say any more goes',
    [ready, connected, migratable],
    vmi('Running', { conditions: [ready, migratable] }),
    undefined,
    ['Ready=True/', 'LiveMigratable=True/'],
  ],
  [
    'what a VMI that is gone said stays',
    [ready, migratable],
    undefined,
    undefined,
    ['Ready=False/VMINotExists', 'LiveMigratable=True/'],
  ],
  [
    'a failure shows, and goes with the next success',
    [condition('Ready', 'False', 'VMINotExists')],
    undefined,
    refused,
    ['Ready=False/VMINotExists', 'Failure=True/FailedCreate'],
  ],
  [
    'a success takes the failure away',
    [condition('Ready', 'False', 'VMINotExists'), condition('Failure', 'True', 'FailedCreate')],
    undefined,
    undefined,
    ['Ready=False/VMINotExists'],
  ],
  [
    'RestartRequired is the VM’s own',
    [ready, restart],
    vmi('Running', { conditions: [ready] }),
    undefined,
    ['Ready=True/', 'RestartRequired=True/'],
  ],
];

suite('conditions of a VM', () => {
  for (const [name, before, instance, error, after] of cases)
    test(name, () => assert.deepEqual(conditionsAfter(before, instance, error, now).map(brief), after));
});

test('a condition whose status and reason stay is not touched, whatever its times and text', () => {
  const before = [condition('Failure', 'True', 'FailedCreate', 'first')];
  assert.equal(withCondition(before, condition('Failure', 'True', 'FailedCreate', 'second')), before);
});

test('mirrored conditions keep their times, and lose empty reasons', () => {
  const theirs = { ...ready, reason: '', message: '', lastTransitionTime: now };
  const [mine] = conditionsAfter([], vmi('Running', { conditions: [theirs] }), undefined, now);
  assert.deepEqual(mine, { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: now });
});
