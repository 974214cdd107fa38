import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { carriedOver } from './edits.ts';

const cases: { reason: string; live: JsonObject; before: JsonObject; after: JsonObject; want: JsonObject }[] = [
  {
    reason: 'what the recorded write did not touch stays as it is',
    live: { status: { phase: 'Scheduled', nodeName: 'here' } },
    before: { status: { phase: 'Scheduled', nodeName: 'there' } },
    after: { status: { phase: 'Running', nodeName: 'there' } },
    want: { status: { phase: 'Running', nodeName: 'here' } },
  },
  {
    reason: 'conditions are added, changed and removed by their type',
    live: { conditions: [{ type: 'A', status: 'live' }, { type: 'B' }, { type: 'C', status: 'old' }] },
    before: { conditions: [{ type: 'A', status: 'x' }, { type: 'B' }, { type: 'C', status: 'y' }] },
    after: { conditions: [{ type: 'A', status: 'x' }, { type: 'C', status: 'z' }, { type: 'D' }] },
    want: { conditions: [{ type: 'A', status: 'live' }, { type: 'C', status: 'z' }, { type: 'D' }] },
  },
  {
    reason: 'phase transitions are appended',
    live: { phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: 'now' }] },
    before: { phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: '<time>' }] },
    after: {
      phaseTransitionTimestamps: [
        { phase: 'Pending', phaseTransitionTimestamp: '<time>' },
        { phase: 'Running', phaseTransitionTimestamp: '<time>' },
      ],
    },
    want: {
      phaseTransitionTimestamps: [
        { phase: 'Pending', phaseTransitionTimestamp: 'now' },
        { phase: 'Running', phaseTransitionTimestamp: '<time>' },
      ],
    },
  },
  { reason: 'other lists are replaced', live: { a: [1] }, before: { a: [2] }, after: { a: [3] }, want: { a: [3] } },
  { reason: 'a field that went away goes', live: { a: 1, b: 2 }, before: { a: 1 }, after: {}, want: { b: 2 } },
  {
    reason: 'a deletion that a late event brought along is not carried over',
    live: { metadata: {} },
    before: { metadata: {} },
    after: { metadata: { deletionTimestamp: 'x' } },
    want: { metadata: {} },
  },
];

for (const { reason, live, before, after, want } of cases)
  test(reason, () => assert.deepEqual(carriedOver(live, before, after), want));
