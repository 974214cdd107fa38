import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, podOf } from './builders.fixture.ts';
import { Departed } from './departed.ts';
import { Retries } from './retries.ts';

const seen = podOf({ metadata: { deletionTimestamp: NOW } });
const gone = (object = seen): { type: 'deleted'; object: typeof seen; finalStateUnknown: boolean } => ({
  type: 'deleted',
  object,
  finalStateUnknown: false,
});

test('the last state of a pod that was deleted is kept until its VMI has it', () => {
  const departed = new Departed();
  departed.note(gone(), () => true);
  assert.deepEqual(departed.of('vmi-uid'), [seen]);
  departed.forget('vmi-uid');
  assert.deepEqual(departed.of('vmi-uid'), []);
});

test('nothing is kept of pods that we deleted ourselves, or whose VMI is gone', () => {
  const departed = new Departed();
  departed.note(gone(podOf()), () => true);
  departed.note(gone(), () => false);
  assert.equal(departed.size, 0);
});

test('a VMI that fails again and again waits longer each time, and is forgotten when it succeeds', () => {
  const retries = new Retries();
  assert.deepEqual([retries.next('a'), retries.next('a'), retries.next('a')], [5, 10, 20]);
  for (let i = 0; i < 40; i++) retries.next('a');
  assert.equal(retries.next('a'), 1_000_000);
  retries.forget('a');
  assert.equal(retries.next('a'), 5);
  retries.forget('a');
  assert.equal(retries.size, 0);
});
