/** The table of allowed steps is exactly what the recordings contain, plus what it states as documented. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingRecordings } from '../kubevirt/transcripts.ts';
import { recordedReadiness, recordedTransitions, tracedKinds } from './property/recorded-transitions.ts';
import { allowedSteps, recorded, recordedReady, recordedUncreated } from './property/transitions.ts';

const skip = missingRecordings() ?? false;

for (const kind of tracedKinds)
  test(`the steps of ${kind} that are called recorded are those of the recordings`, { skip }, () => {
    assert.deepEqual([...recordedTransitions(kind).keys()].toSorted(), [...recorded[kind]].toSorted());
  });

test('a VM was recorded as ready, and as not created, with these words only', { skip }, () => {
  const { ready, uncreated } = recordedReadiness();
  assert.deepEqual([ready, uncreated], [[...recordedReady], [...recordedUncreated]]);
});

test('steps that KubeVirt has not are not allowed', () => {
  const wrong = [
    'Stopped > Running',
    'Stopped > Paused',
    'Stopped > Migrating',
    'ErrImagePull > Running',
    'ErrorUnschedulable > Running',
    'CrashLoopBackOff > Running',
    'Stopped > Unknown',
    'Paused > Starting',
    'Running > Starting',
    'Running > CrashLoopBackOff',
    'Stopping > Running',
    'Stopping > Starting',
    'Terminating > Stopped',
    'Terminating > Running',
    'Running > gone',
    'Starting > gone',
    'Starting > Paused',
  ];
  const steps = allowedSteps('VirtualMachine');
  assert.deepEqual(
    wrong.filter((step) => steps.has(step)),
    [],
  );
});
