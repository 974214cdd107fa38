import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Conditions, conditionAfter, findCondition, isConditionTrue, type Condition } from './conditions.ts';

const then = '2026-01-01T00:00:00Z';
const now = { date: new Date('2026-02-02T02:02:02.345Z'), generation: 4 };
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Reconciled',
  message: '',
  observedGeneration: 4,
  lastTransitionTime: then,
};

test('a condition keeps its time while its status stays, and takes a new one when it moves', () => {
  const same = conditionAfter(ready, { type: 'Ready', status: 'True', reason: 'Other', message: 'still' }, now);
  assert.deepEqual(same, { ...ready, reason: 'Other', message: 'still' });
  const moved = conditionAfter(ready, { type: 'Ready', status: 'False', reason: 'Waiting', message: '' }, now);
  assert.equal(moved.lastTransitionTime, '2026-02-02T02:02:02Z');
});

test('a condition that does not change is the same object', () => {
  assert.equal(conditionAfter(ready, { type: 'Ready', status: 'True', reason: 'Reconciled', message: '' }, now), ready);
});

test('a condition says which generation it is about', () => {
  const later = { ...now, generation: 5 };
  const after = conditionAfter(ready, { type: 'Ready', status: 'True', reason: 'Reconciled', message: '' }, later);
  assert.deepEqual(after, { ...ready, observedGeneration: 5 });
});

for (const [type, reason] of [
  ['Ready', ''],
  ['Ready', 'two words'],
  ['Ready', '9lives'],
  ['Ready', 'Ends:'],
  ['not a type', 'Fine'],
  ['-Ready', 'Fine'],
] as const) {
  test(`a condition "${type}" with the reason "${reason}" is refused before a server refuses it`, () => {
    assert.throws(() => conditionAfter(undefined, { type, status: 'True', reason, message: '' }, now), TypeError);
  });
}

test('what a reconcile finds replaces its own conditions, and leaves those of others alone', () => {
  const foreign: Condition = { ...ready, type: 'AgentConnected', reason: 'Probe', observedGeneration: 1 };
  const conditions = new Conditions([foreign, ready], now);
  conditions.set('Disks', 'False', 'Importing', '40 %');
  conditions.set('Ready', 'False', 'Waiting', 'for disks');
  assert.deepEqual(
    conditions.list().map(({ type, status }) => [type, status]),
    [
      ['Ready', 'False'],
      ['AgentConnected', 'True'],
      ['Disks', 'False'],
    ],
  );
  assert.equal(findCondition(conditions.list(), 'AgentConnected'), foreign);
  assert.deepEqual(
    conditions.own().map(({ type }) => type),
    ['Ready', 'Disks'],
  );
});

test('the order of findings does not show in the list', () => {
  const types = ['Disks', 'Ready', 'Network'];
  const lists = [types, types.toReversed()].map((order) => {
    const conditions = new Conditions(undefined, now);
    for (const type of order) conditions.set(type, 'True', 'Fine');
    return conditions.list();
  });
  assert.deepEqual(lists[0], lists[1]);
});

test('the same findings again change nothing, a dropped condition does', () => {
  const conditions = new Conditions([ready], now);
  conditions.set('Ready', 'True', 'Reconciled');
  assert.equal(conditions.changed, false);
  conditions.drop('Ready');
  assert.equal(conditions.changed, true);
  assert.deepEqual(conditions.list(), []);
  assert.equal(conditions.get('Ready'), undefined);
});

test('only True is true', () => {
  assert.equal(isConditionTrue([ready], 'Ready'), true);
  assert.equal(isConditionTrue([{ ...ready, status: 'Unknown' }], 'Ready'), false);
  assert.equal(isConditionTrue(undefined, 'Ready'), false);
});
