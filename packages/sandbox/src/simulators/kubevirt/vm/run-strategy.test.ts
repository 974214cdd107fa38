import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunStrategy, StateChangeRequest, VirtualMachine } from '../objects.ts';
import { vm, vmi } from './builders.fixture.ts';
import { isSetToStart, wishOf, type Wish } from './run-strategy.ts';
import { pendingRequests, runStrategyOf } from './state-change.ts';
import type { MaybeVmi } from './vmi-state.ts';

const start: Wish = { do: 'start', afterBackOff: false };
const startAgain: Wish = { do: 'start', afterBackOff: true };
const stop: Wish = { do: 'stop', thenStart: false };
const nothing: Wish = { do: 'nothing' };
const stopIt: StateChangeRequest = { action: 'Stop', uid: 'vmi-uid' };
const stopAnother: StateChangeRequest = { action: 'Stop', uid: 'another' };
const startIt: StateChangeRequest = { action: 'Start' };

const asking = (runStrategy: RunStrategy, ...stateChangeRequests: readonly StateChangeRequest[]): VirtualMachine =>
  vm({ spec: { runStrategy }, status: { stateChangeRequests, runStrategy } });

const wishes: readonly (readonly [string, VirtualMachine, MaybeVmi, Wish])[] = [
  ['Always starts what is not there, after the back-off', asking('Always'), undefined, startAgain],
  ['Always leaves alone what runs', asking('Always'), vmi('Running'), nothing],
  ['Always replaces what ended', asking('Always'), vmi('Succeeded'), stop],
  ['Always replaces what failed', asking('Always'), vmi('Failed'), stop],
  ['Always stops when asked to, and will start again', asking('Always', stopIt), vmi('Running'), stop],
  ['a stop of another VMI stops nothing', asking('Always', stopAnother), vmi('Running'), nothing],
  ['Halted does nothing about nothing', asking('Halted'), undefined, nothing],
  ['Halted stops whatever is there', asking('Halted'), vmi('Running'), stop],
  ['Halted removes what ended', asking('Halted'), vmi('Succeeded'), stop],
  ['Halted becomes Always when it is asked to start', asking('Halted', startIt), undefined, { do: 'un-halt' }],
  ['Manual starts nothing by itself', asking('Manual'), undefined, nothing],
  ['Manual starts when asked to, without a back-off', asking('Manual', startIt), undefined, start],
  ['Manual leaves what ended', asking('Manual'), vmi('Succeeded'), nothing],
  ['Manual stops when asked to', asking('Manual', stopIt), vmi('Running'), stop],
  ['only the head of the queue counts', asking('Manual', stopIt, startIt), undefined, nothing],
  ['Once starts what is not there', asking('Once'), undefined, start],
  ['Once leaves what failed', asking('Once'), vmi('Failed'), nothing],
  ['Once leaves what ended', asking('Once'), vmi('Succeeded'), nothing],
  [
    'RerunOnFailure starts by itself the first time',
    vm({ spec: { runStrategy: 'RerunOnFailure' } }),
    undefined,
    startAgain,
  ],
  [
    'RerunOnFailure starts when it comes from another strategy',
    vm({ spec: { runStrategy: 'RerunOnFailure' }, status: { runStrategy: 'Halted' } }),
    undefined,
    startAgain,
  ],
  ['RerunOnFailure does not start again by itself', asking('RerunOnFailure'), undefined, nothing],
  ['RerunOnFailure starts again when asked to', asking('RerunOnFailure', startIt), undefined, startAgain],
  ['RerunOnFailure removes what ended', asking('RerunOnFailure'), vmi('Succeeded'), stop],
  ['RerunOnFailure runs again what failed', asking('RerunOnFailure'), vmi('Failed'), { do: 'stop', thenStart: true }],
  ['RerunOnFailure waits for what goes', asking('RerunOnFailure'), vmi('Failed', { deleting: true }), nothing],
  ['RerunOnFailure stops when asked to', asking('RerunOnFailure', stopIt), vmi('Running'), stop],
];

suite('what a run strategy wants', () => {
  for (const [name, machine, instance, wish] of wishes)
    test(name, () => assert.deepEqual(wishOf(machine, instance), wish));
});

const queues: readonly (readonly [string, readonly StateChangeRequest[], MaybeVmi, readonly StateChangeRequest[]])[] = [
  ['a stop is done when nothing is there', [stopIt, startIt], undefined, [startIt]],
  ['a stop is done when another VMI is there', [stopIt], vmi('Running', { uid: 'next' }), []],
  ['a stop is not done while its VMI is there', [stopIt, startIt], vmi('Succeeded'), [stopIt, startIt]],
  ['a stop of nothing is dropped', [{ action: 'Stop' }], vmi('Running'), []],
  ['a start is done when a VMI lives', [startIt], vmi('Pending'), []],
  ['a start is not done by a VMI that goes', [startIt], vmi('Running', { deleting: true }), [startIt]],
  ['a start is not done by a VMI that ended', [startIt], vmi('Failed'), [startIt]],
];

suite('the queue of state changes', () => {
  for (const [name, requests, instance, left] of queues)
    test(name, () => {
      const machine = vm({ status: { stateChangeRequests: requests } });
      assert.deepEqual(pendingRequests(machine, instance) ?? [], left);
    });
});

test('the deprecated field running stands for two strategies', () => {
  const spec = { template: vm().spec.template };
  assert.equal(runStrategyOf({ ...vm(), spec: { ...spec, running: true } }), 'Always');
  assert.equal(runStrategyOf({ ...vm(), spec: { ...spec, running: false } }), 'Halted');
});

test('a VM is set to start as its strategy and requests say', () => {
  assert.equal(isSetToStart(asking('Always'), undefined), true);
  assert.equal(isSetToStart(asking('Halted'), undefined), false);
  assert.equal(isSetToStart(asking('Manual'), undefined), false);
  assert.equal(isSetToStart(asking('Manual', startIt), undefined), true);
  assert.equal(isSetToStart(asking('Manual', stopIt), vmi('Running')), false);
  assert.equal(isSetToStart(asking('RerunOnFailure'), vmi('Succeeded')), false);
  assert.equal(isSetToStart(asking('Once'), vmi('Running')), false);
});
