import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../objects.ts';
import { brief, NOW } from './builders.fixture.ts';
import { addPodCondition, markSynchronized, remove, update } from './conditions.ts';

const ready: Condition = { type: 'Ready', status: 'True' };
const failed: Condition = { type: 'Synchronized', status: 'False', reason: 'FailedCreate', message: 'first' };

test('a condition with the same status and reason is left alone, whatever its message', () => {
  const list = [{ ...ready, message: 'old' }];
  assert.equal(update(list, { ...ready, message: 'new' }), list);
  assert.equal(brief(update(list, { ...ready, status: 'False', reason: 'X' })), 'Ready=False/X');
  assert.equal(brief(update(list, failed)), 'Ready=True/ Synchronized=False/FailedCreate');
});

test('what is not there is not removed', () => {
  const list = [ready];
  assert.equal(remove(list, 'Paused'), list);
  assert.deepEqual(remove(list, 'Ready'), []);
});

for (const { name, error, before, after } of [
  {
    name: 'a failure is put at the end',
    error: 'FailedCreate',
    before: [ready],
    after: 'Ready=True/ Synchronized=False/FailedCreate',
  },
  {
    name: 'a failure of the same reason stays',
    error: 'FailedCreate',
    before: [failed, ready],
    after: 'Synchronized=False/FailedCreate Ready=True/',
  },
  {
    name: 'another reason takes its place at the end',
    error: 'ErrImagePull',
    before: [failed, ready],
    after: 'Ready=True/ Synchronized=False/ErrImagePull',
  },
  { name: 'a success takes it away', error: undefined, before: [failed, ready], after: 'Ready=True/' },
] as const)
  test(`Synchronized: ${name}`, () => {
    const failure = error === undefined ? undefined : { reason: error, message: 'new', retry: true };
    assert.equal(brief(markSynchronized(before, failure, NOW)), after);
  });

test('the message of a failure that goes on is not written again', () => {
  const [kept] = markSynchronized([failed], { reason: 'FailedCreate', message: 'second', retry: true }, NOW);
  assert.equal(kept?.message, 'first');
});

test('a condition of the pod is added once', () => {
  const scheduled: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' };
  const once = addPodCondition([ready], scheduled);
  assert.equal(brief(once), 'Ready=True/ PodScheduled=False/Unschedulable');
  assert.equal(addPodCondition(once, { ...scheduled, message: '0/4 nodes' }), once);
});
