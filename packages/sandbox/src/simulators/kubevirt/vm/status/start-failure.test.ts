import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunStrategy, VirtualMachineStatus } from '../../objects.ts';
import { vm, vmi } from '../builders.fixture.ts';
import { asShown, backOffLeftMs, backOffSeconds, startFailureOf } from './start-failure.ts';
import type { MaybeVmi } from '../vmi-state.ts';

type StartFailure = VirtualMachineStatus['startFailure'];

test('the back-off is ten seconds times the square of the failures, and up to half of it more, at most five minutes', () => {
  const least = [1, 2, 3, 4, 5, 6].map((failures) => backOffSeconds(failures, () => 0));
  const most = [1, 2, 3, 4, 5, 6].map((failures) => backOffSeconds(failures, () => 0.9999));
  assert.deepEqual(least, [10, 40, 90, 160, 250, 300]);
  assert.deepEqual(most, [15, 60, 135, 240, 300, 300]);
});

const now = new Date('2026-01-01T00:00:00.500Z');
const pause = { now, toMs: (seconds: number) => seconds * 100, random: () => 0 };
const known: StartFailure = {
  consecutiveFailCount: 1,
  lastFailedVMIUID: 'old',
  retryAfterTimestamp: '2026-01-01T00:00:00Z',
};
const second: StartFailure = {
  consecutiveFailCount: 2,
  lastFailedVMIUID: 'vmi-uid',
  retryAfterTimestamp: '2026-01-01T00:00:04.500Z',
};

const cases: readonly (readonly [string, RunStrategy, StartFailure, MaybeVmi, StartFailure])[] = [
  [
    'the first failure counts one',
    'Always',
    undefined,
    vmi('Failed'),
    { consecutiveFailCount: 1, lastFailedVMIUID: 'vmi-uid', retryAfterTimestamp: '2026-01-01T00:00:01.500Z' },
  ],
  ['the next one counts two', 'RerunOnFailure', known, vmi('Failed'), second],
  ['a VMI counts once', 'Always', second, vmi('Failed'), second],
  ['an end before it ever ran is a failure, even a success', 'Once', known, vmi('Succeeded'), second],
  ['nothing there changes nothing', 'Always', known, undefined, known],
  ['a start that is under way changes nothing', 'Always', known, vmi('Scheduling'), known],
  ['a guest that runs ends the count', 'Always', known, vmi('Running'), undefined],
  ['a guest that ran ends the count', 'Always', known, vmi('Failed', { ran: true }), undefined],
  ['a halted VM has no count', 'Halted', known, undefined, undefined],
  ['nor does a manual one', 'Manual', undefined, vmi('Failed'), undefined],
];

suite('start failures', () => {
  for (const [name, runStrategy, before, instance, after] of cases)
    test(name, () => {
      const status = before === undefined ? {} : { startFailure: before };
      assert.deepEqual(startFailureOf(vm({ spec: { runStrategy }, status }), instance, pause), after);
    });
});

test('the time of the next try is shown in whole seconds, and waited for to the millisecond', () => {
  assert.equal(asShown(second)?.retryAfterTimestamp, '2026-01-01T00:00:04Z');
  assert.equal(backOffLeftMs(second, now), 4000);
  assert.equal(backOffLeftMs(known, now), 0);
  assert.equal(backOffLeftMs(undefined, now), 0);
});
