import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notRun } from '../../not-run.ts';
import { compareHistories, compareObject } from './compare.ts';
import { History } from '../history.ts';
import { eventSlips, slips } from './allowances.ts';
import { gone, sameState, stateText, type State } from '../states.ts';
import { missingRecordings, readScenario, scenarioIds } from '../transcripts.ts';

const vm = 'VirtualMachine vm1 #1';
const starting = (rest: State = {}): State => ({ status: 'Starting', ...rest });
const noVmi = 'Ready=False/VMINotExists';
const crashed: State = { status: 'CrashLoopBackOff', created: 'yes', conditions: 'Ready=False/PodTerminating' };
const started = starting({ created: 'yes', conditions: 'Ready=False/VMIConditionMissing' });
const pvcNotFound: State = { status: 'ErrorPvcNotFound', created: 'yes', conditions: 'Ready=False/PodNotExists' };

const cases: { readonly reason: string; readonly recorded: State[]; readonly seen: State[]; readonly same: boolean }[] =
  [
    { reason: 'equal sequences', recorded: [{}, starting()], seen: [{}, starting()], same: true },
    {
      reason: 'a value that was not seen',
      recorded: [{}, starting(), { status: 'Running' }],
      seen: [{}, { status: 'Running' }],
      same: false,
    },
    {
      reason: 'a value that was not recorded',
      recorded: [{}, { status: 'Running' }],
      seen: [{}, starting(), { status: 'Running' }],
      same: false,
    },
    {
      reason: 'a bare Stopped at first',
      recorded: [{}, { status: 'Stopped' }, starting()],
      seen: [{}, starting()],
      same: true,
    },
    {
      reason: 'a Stopped later',
      recorded: [{}, starting(), { status: 'Stopped' }],
      seen: [{}, starting()],
      same: false,
    },
    {
      reason: 'VMINotExists with Stopped instead of Starting',
      recorded: [{}, { status: 'Stopped', conditions: noVmi }, starting({ created: 'yes' })],
      seen: [{}, starting({ conditions: noVmi }), starting({ created: 'yes' })],
      same: true,
    },
    {
      reason: 'Starting before there is a VMI instead of while that has no condition',
      recorded: [{}, { status: 'Stopped', conditions: noVmi }, started, pvcNotFound],
      seen: [{}, starting({ conditions: noVmi }), pvcNotFound],
      same: true,
    },
    {
      reason: 'no Starting at all before the VMI has a condition',
      recorded: [{}, { status: 'Stopped', conditions: noVmi }, started, pvcNotFound],
      seen: [{}, { status: 'Stopped', conditions: noVmi }, pvcNotFound],
      same: false,
    },
    {
      reason: 'a failure that was not seen',
      recorded: [
        {},
        { status: 'Stopped', conditions: `Failure=True/FailedCreate ${noVmi}` },
        starting({ created: 'yes' }),
      ],
      seen: [{}, starting({ created: 'yes' })],
      same: false,
    },
    {
      reason: 'two changes in one write',
      recorded: [{ phase: 'Running' }, { phase: 'Running', deleting: 'yes' }, { phase: 'Failed', deleting: 'yes' }],
      seen: [{ phase: 'Running' }, { phase: 'Failed', deleting: 'yes' }],
      same: true,
    },
    {
      reason: 'an end that was not reached',
      recorded: [{ phase: 'Running' }, { gone: 'yes' }],
      seen: [{ phase: 'Running' }],
      same: false,
    },
    {
      reason: 'a pod that was seen terminating on one side and gone on the other',
      recorded: [{ status: 'Stopping' }, { status: 'Stopped', conditions: 'Ready=False/PodNotExists' }, gone],
      seen: [{ status: 'Stopping' }, { status: 'Stopped', conditions: 'Ready=False/PodTerminating' }, gone],
      same: true,
    },
    {
      reason: 'a pod that was gone before it was seen terminating',
      recorded: [
        { phase: 'Running' },
        { phase: 'Running', conditions: 'Ready=False/PodTerminating' },
        { phase: 'Failed', conditions: 'Ready=False/PodNotExists' },
      ],
      seen: [{ phase: 'Running' }, { phase: 'Failed', conditions: 'Ready=False/PodNotExists' }],
      same: true,
    },
    {
      reason: 'a pod that was not seen terminating and is there',
      recorded: [
        { phase: 'Running' },
        { phase: 'Running', conditions: 'Ready=False/PodTerminating' },
        { phase: 'Failed', conditions: 'Ready=False/GuestNotRunning' },
      ],
      seen: [{ phase: 'Running' }, { phase: 'Failed', conditions: 'Ready=False/GuestNotRunning' }],
      same: false,
    },
    {
      reason: 'a pod that was seen terminating with another status',
      recorded: [{ status: 'Stopping' }, { status: 'Stopped', conditions: 'Ready=False/PodNotExists' }, gone],
      seen: [{ status: 'Stopping' }, { status: 'CrashLoopBackOff', conditions: 'Ready=False/PodTerminating' }, gone],
      same: false,
    },
    {
      reason: 'a crash loop whose pause was over when its VMI was gone',
      recorded: [crashed, { status: 'CrashLoopBackOff', conditions: noVmi }, started],
      seen: [crashed, starting({ conditions: noVmi }), started],
      same: true,
    },
    {
      reason: 'a crash loop that forgot a request',
      recorded: [{ ...crashed, requests: 'Start' }, { status: 'CrashLoopBackOff', conditions: noVmi }, started],
      seen: [{ ...crashed, requests: 'Start' }, starting({ conditions: noVmi }), started],
      same: false,
    },
    { reason: 'an object that was not there', recorded: [{ phase: 'Running' }], seen: [], same: false },
  ];

const live = 'LiveMigratable=True Ready';

/** With a VMI that had these conditions on both sides. */
const mirroring: typeof cases = [
  {
    reason: 'conditions of the VMI that the VM mirrored too late',
    recorded: [
      { status: 'Running', conditions: `${live}=True` },
      { status: 'Stopped', conditions: `${live}=False/B` },
    ],
    seen: [
      { status: 'Running', conditions: `${live}=True` },
      { status: 'Stopped', conditions: `${live}=False/A` },
      { status: 'Stopped', conditions: `${live}=False/B` },
    ],
    same: true,
  },
  {
    reason: 'a value beside such conditions that neither neighbour has',
    recorded: [
      { status: 'Running', conditions: `${live}=True` },
      { status: 'Stopped', conditions: `${live}=False/B` },
    ],
    seen: [
      { status: 'Running', conditions: `${live}=True` },
      { status: 'Stopping', conditions: `${live}=False/A` },
      { status: 'Stopped', conditions: `${live}=False/B` },
    ],
    same: false,
  },
];

describe('two sequences of states', () => {
  for (const { reason, recorded, seen, same } of mirroring)
    test(`are ${same ? 'the same' : 'different'} with ${reason}`, () => {
      const mirrored = (conditions: string): boolean => conditions === `${live}=False/A`;
      assert.equal(compareObject('vm/x', vm, recorded, seen, mirrored).same, same);
      assert.equal(compareObject('vm/x', vm, seen, recorded, mirrored).same, same);
    });

  for (const { reason, recorded, seen, same } of cases)
    test(`are ${same ? 'the same' : 'different'} with ${reason}`, () => {
      assert.equal(compareObject('vm/x', vm, recorded, seen).same, same);
    });
});

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/kubevirt/compare/compare.test.ts', missing);

describe('three recordings of one scenario', { skip }, () => {
  for (const other of ['vm/create-always.run2', 'vm/create-always.run3'])
    test(`are the same: ${other}`, () => {
      const different = compareHistories('vm/create-always', historyOf('vm/create-always'), historyOf(other)).filter(
        ({ same }) => !same,
      );
      assert.deepEqual(different, []);
    });
});

describe('the slips of the recordings', { skip }, () => {
  for (const { scenario, identity, state, side } of slips)
    test(`${scenario}: ${identity} is ${stateText(state)} only where it is ${side}`, () => {
      const recorded = historyOf(scenario).states(identity);
      assert.notDeepEqual(recorded, []);
      assert.equal(
        recorded.some((one) => sameState(one, state)),
        side === 'recorded',
      );
    });

  for (const { scenario, event } of eventSlips)
    test(`${scenario} is about the event: ${event}`, () => {
      assert.ok(scenarioIds().includes(scenario));
    });
});

function historyOf(id: string): History {
  const history = new History();
  for (const { step, events } of readScenario(id).steps)
    for (const { type, kind, after } of events) history.see(type, kind, after, step);
  return history;
}
