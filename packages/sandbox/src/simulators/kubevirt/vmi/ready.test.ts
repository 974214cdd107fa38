import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../objects.ts';
import { NOW, runningPod, vmiOf } from './builders.fixture.ts';
import { UNPAUSED } from './names.ts';
import { unpausedCondition } from './ready.ts';

const paused: Condition = { type: 'Paused', status: 'True', reason: 'PausedByUser' };
const unpaused: Condition = { type: UNPAUSED, status: 'True' };
const held: Condition = { type: UNPAUSED, status: 'False' };

for (const { name, vmi, pod, next } of [
  { name: 'a new pod learns that its guest is not paused', vmi: [], pod: [], next: 'True' },
  { name: 'it hears that once', vmi: [], pod: [unpaused], next: undefined },
  { name: 'it hears of a pause', vmi: [paused], pod: [unpaused], next: 'False' },
  { name: 'a pause is reported once', vmi: [paused], pod: [held], next: undefined },
  { name: 'it hears when the pause ends', vmi: [], pod: [held], next: 'True' },
  { name: 'a guest that starts paused leaves the gate shut without a word', vmi: [paused], pod: [], next: undefined },
])
  test(name, () => {
    const told = unpausedCondition(vmiOf({ status: { phase: 'Running', conditions: vmi } }), runningPod(pod), NOW);
    assert.equal(told?.status, next);
  });
