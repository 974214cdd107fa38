/** What start, stop and restart write, by run strategy and state of the VMI. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { RunStrategy, VirtualMachine, VirtualMachineInstance, VmiPhase } from '../../objects.ts';
import type { Decision } from '../decision.ts';
import { badGracePeriod, decideRestart } from './restart.ts';
import { decideStart } from './start.ts';
import { decideStop } from './stop.ts';

const vm = (
  spec: Partial<VirtualMachine['spec']>,
  status: VirtualMachine['status'] = { created: true },
): VirtualMachine => ({
  metadata: { namespace: 'ns1', name: 'vm1' },
  spec: { template: { spec: { domain: {} } }, ...spec },
  ...(status !== undefined && { status }),
});

const vmi = (phase: VmiPhase, grace?: number): VirtualMachineInstance => ({
  metadata: { namespace: 'ns1', name: 'vm1', uid: 'u1' },
  spec: { domain: {}, ...(grace !== undefined && { terminationGracePeriodSeconds: grace }) },
  status: { phase },
});

const strategy = (runStrategy: RunStrategy): VirtualMachine => vm({ runStrategy });

/** The patches as text, and the message of the refusal. */
function told({ writes, refusal }: Decision): readonly string[] {
  const operations = (list: readonly JsonPatchOperation[]): string =>
    list
      .map(({ op, path, value }) => (op === 'remove' ? `${op} ${path}` : `${op} ${path} ${JSON.stringify(value)}`))
      .join('; ');
  return [
    ...writes.map(({ on, operations: list }) => `${on}: ${operations(list)}`),
    ...(refusal === undefined ? [] : [`${refusal.code} ${refusal.message}`]),
  ];
}

const conflict = (why: string): string =>
  `409 Operation cannot be fulfilled on virtualmachine.kubevirt.io "vm1": ${why}`;
const underway = '500 Internal error occurred: unable to complete request: stop/start already underway';
const requests = (list: string, from = 'null', op = 'add'): string =>
  `vm status: test /status/stateChangeRequests ${from}; ${op} /status/stateChangeRequests ${list}`;
const switched = (from: string, to: string): string =>
  `vm: test /spec/runStrategy "${from}"; replace /spec/runStrategy "${to}"`;
const START = '[{"action":"Start"}]';
const STOP = '[{"action":"Stop","uid":"u1"}]';
const BOTH = '[{"action":"Stop","uid":"u1"},{"action":"Start"}]';
const PAUSED = '[{"action":"Start","data":{"paused":"true"}}]';

const cases: Readonly<
  Record<string, readonly (readonly [reason: string, decision: () => Decision, expected: readonly string[]])[]>
> = {
  start: [
    [
      'a halted VM becomes one that always runs',
      () => decideStart(strategy('Halted'), undefined, { paused: false }),
      [switched('Halted', 'Always')],
    ],
    [
      'running: false becomes true',
      () => decideStart(vm({ running: false }), undefined, { paused: false }),
      ['vm: test /spec/running false; replace /spec/running true'],
    ],
    [
      'paused, even a halted VM is started by a request',
      () => decideStart(strategy('Halted'), undefined, { paused: true }),
      [requests(PAUSED)],
    ],
    [
      'a manual VM gets a request',
      () => decideStart(strategy('Manual'), undefined, { paused: false }),
      [requests(START)],
    ],
    [
      'a VM without a status gets one',
      () => decideStart(vm({ runStrategy: 'Manual' }, {}), undefined, { paused: false }),
      [`vm status: add /status {"stateChangeRequests":${START}}`],
    ],
    [
      'what has ended is stopped first',
      () => decideStart(strategy('Manual'), vmi('Failed'), { paused: false }),
      [requests(BOTH)],
    ],
    [
      'so is a guest that shut itself down',
      () => decideStart(strategy('RerunOnFailure'), vmi('Succeeded'), { paused: false }),
      [requests(BOTH)],
    ],
    [
      'what failed is started by virt-controller alone',
      () => decideStart(strategy('RerunOnFailure'), vmi('Failed'), { paused: false }),
      [conflict('RerunOnFailure does not support starting VM from failed state')],
    ],
    [
      'a failed start is forgotten',
      () => decideStart(vm({ runStrategy: 'RerunOnFailure' }, { startFailure: {} }), undefined, { paused: false }),
      [`${requests(START)}; remove /status/startFailure`],
    ],
    [
      'one request at a time',
      () =>
        decideStart(vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Start' }] }), undefined, {
          paused: false,
        }),
      [underway],
    ],
    [
      'a VMI that was only just created does not run yet',
      () => decideStart(strategy('Always'), vmi(''), { paused: false }),
      [conflict('Always does not support manual start requests')],
    ],
    [
      'what runs is running',
      () => decideStart(strategy('Once'), vmi('Scheduling'), { paused: false }),
      [conflict('VM is already running')],
    ],
    [
      'running and runStrategy contradict each other',
      () => decideStart(vm({ running: true, runStrategy: 'Manual' }), vmi('Running'), { paused: false }),
      [conflict('VM is already running')],
    ],
  ],
  stop: [
    [
      'Always becomes Halted',
      () => decideStop(strategy('Always'), vmi('Running', 30), {}),
      [switched('Always', 'Halted')],
    ],
    [
      'Once too, with or without a VMI',
      () => decideStop(strategy('Once'), undefined, { gracePeriod: 0 }),
      [switched('Once', 'Halted')],
    ],
    [
      'the grace period goes first',
      () => decideStop(strategy('Always'), vmi('Running', 30), { gracePeriod: 0 }),
      [
        'vmi: test /spec/terminationGracePeriodSeconds 30; replace /spec/terminationGracePeriodSeconds 0',
        switched('Always', 'Halted'),
      ],
    ],
    [
      'a request takes the place of others',
      () =>
        decideStop(
          vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Start' }] }),
          vmi('Scheduling'),
          {},
        ),
      [requests(STOP, START, 'replace')],
    ],
    [
      'what has ended does not run',
      () => decideStop(strategy('Manual'), vmi('Succeeded'), { gracePeriod: 5 }),
      [conflict('VM is not running')],
    ],
    [
      'a halted VM that stops can be hurried',
      () => decideStop(strategy('Halted'), vmi('Running', 30), { gracePeriod: 5 }),
      [
        'vmi: test /spec/terminationGracePeriodSeconds 30; replace /spec/terminationGracePeriodSeconds 5',
        requests(STOP),
      ],
    ],
    [
      'a longer grace is refused, and yet granted',
      () => decideStop(strategy('Halted'), vmi('Running', 30), { gracePeriod: 60 }),
      [
        'vmi: test /spec/terminationGracePeriodSeconds 30; replace /spec/terminationGracePeriodSeconds 60',
        conflict('Halted only supports manual stop requests with a shorter graceperiod'),
      ],
    ],
  ],
  restart: [
    ['stop, then start', () => decideRestart(strategy('Always'), vmi('Running'), { forced: false }), [requests(BOTH)]],
    [
      'forced, the guest gets a second',
      () => decideRestart(strategy('Always'), vmi('Running', 30), { forced: true }),
      [
        'vmi: test /spec/terminationGracePeriodSeconds 30; replace /spec/terminationGracePeriodSeconds 1',
        requests(BOTH),
      ],
    ],
    [
      'a halted VM has nothing to restart',
      () => decideRestart(strategy('Halted'), vmi('Running'), { forced: false }),
      [conflict('RunStategy Halted does not support manual restart requests')],
    ],
    [
      'nor has one that is not there',
      () => decideRestart(strategy('Manual'), undefined, { forced: true }),
      [conflict('VM is not running: Halted')],
    ],
    [
      'one that is underway is hurried, and refused',
      () =>
        decideRestart(
          vm({ runStrategy: 'Always' }, { stateChangeRequests: [{ action: 'Stop' }] }),
          vmi('Running', 30),
          { forced: true },
        ),
      ['vmi: test /spec/terminationGracePeriodSeconds 30; replace /spec/terminationGracePeriodSeconds 1', underway],
    ],
  ],
};

for (const [action, rows] of Object.entries(cases))
  describe(action, () => {
    for (const [reason, decision, expected] of rows) test(reason, () => assert.deepEqual(told(decision()), expected));
  });

test('a forced restart that fails gives the guest its time back', () => {
  const [, request] = decideRestart(strategy('Always'), vmi('Running', 30), { forced: true }).writes;
  assert.deepEqual(request?.undo?.operations, [
    { op: 'test', path: '/spec/terminationGracePeriodSeconds', value: 1 },
    { op: 'replace', path: '/spec/terminationGracePeriodSeconds', value: 30 },
  ]);
});

test('a restart takes no grace period but 0', () => {
  assert.equal(badGracePeriod(0), undefined);
  assert.equal(badGracePeriod(undefined), undefined);
  assert.equal(badGracePeriod(5)?.message, 'For force restart, only gracePeriod=0 is supported for now');
  assert.equal(badGracePeriod(-1)?.message, 'gracePeriod has to be greater or equal to 0');
});

test('a VM with both running and runStrategy is no VM to start', () => {
  assert.throws(() => decideStart(vm({ running: true, runStrategy: 'Manual' }), undefined, { paused: false }), {
    code: 500,
    message: /Running and RunStrategy are mutually exclusive/,
  });
});
