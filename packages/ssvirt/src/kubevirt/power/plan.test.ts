import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isReached, powerPlan, sentOnce, type PowerPlan, type PowerStep } from './plan.ts';
import { liveMachine, printableStatuses, type PrintableStatus } from './statuses.fixture.ts';
import { powerOperations, type PowerOperation } from './table.ts';

const stepWord = (step: PowerStep): string =>
  step.kind === 'subresource'
    ? `/${step.subresource}`
    : ((step.patch['spec'] as { readonly runStrategy: string }).runStrategy ?? '');

/** `!` and the reason's first words if it is refused, `…` if the only thing to do is wait. */
const word = (plan: PowerPlan): string => {
  if (plan.kind === 'reached') return 'reached';
  if (plan.kind === 'refused') return `!${/: (?:its |it is )(\w+)/.exec(plan.reason)?.[1] ?? plan.reason}`;
  return plan.steps.length === 0 ? '…' : plan.steps.map(stepWord).join(' ');
};

type Rows = Readonly<Record<PrintableStatus, readonly string[]>>;

const deleted = powerOperations.map(() => '!being');
const runs = ['reached', 'Halted /stop', 'Halted', '/reset', '/softreboot', '/pause', 'reached'];
const starts = ['…', 'Halted /stop', 'Halted', '!starting', '!starting', '!starting', '!starting'];
const rests = ['/start', 'Halted', 'Halted', '!powered', '!powered', '!powered', '!powered'];
const paused = ['/unpause', 'Halted /stop', '!suspended', '!suspended', '!suspended', 'reached', '/unpause'];
const unknown = ['…', 'Halted /stop', '!state', '!state', '!state', '!state', '!state'];

/** A VM with our run strategy in each state; the columns are those of `powerOperations`. */
const rerun: Rows = {
  Terminating: deleted,
  Stopping: ['…', 'Halted /stop', 'Halted', '!being', '!being', '!being', '!being'],
  Migrating: runs,
  Paused: paused,
  Running: runs,
  ErrorPvcNotFound: starts,
  // No start was requested since it last ran.
  DataVolumeError: rests,
  ErrorUnschedulable: starts,
  Provisioning: rests,
  WaitingForVolumeBinding: starts,
  ErrImagePull: starts,
  ImagePullBackOff: starts,
  Starting: starts,
  // Stopped before it ever ran: only a request will start it.
  CrashLoopBackOff: rests,
  Stopped: rests,
  WaitingForReceiver: starts,
  Unknown: unknown,
};

const stops = ['RerunOnFailure', '/stop', '…', '!being', '!being', '!being', '!being'];
const isOff = ['RerunOnFailure', 'reached', 'reached', '!powered', '!powered', '!powered', '!powered'];

const halted: Rows = {
  Terminating: deleted,
  Stopping: stops,
  Migrating: stops,
  Paused: stops,
  Running: stops,
  ErrorPvcNotFound: stops,
  DataVolumeError: isOff,
  ErrorUnschedulable: stops,
  Provisioning: isOff,
  WaitingForVolumeBinding: stops,
  ErrImagePull: stops,
  ImagePullBackOff: stops,
  Starting: stops,
  CrashLoopBackOff: isOff,
  Stopped: isOff,
  WaitingForReceiver: stops,
  Unknown: ['RerunOnFailure', '/stop', '…', '!state', '!state', '!state', '!state'],
};

/** The strategy that people choose: KubeVirt keeps starting the VM. */
const always: Rows = {
  ...rerun,
  DataVolumeError: starts,
  Provisioning: starts,
  CrashLoopBackOff: starts,
  Stopped: starts,
};

for (const [strategy, rows] of Object.entries({ RerunOnFailure: rerun, Halted: halted, Always: always, Manual: rerun }))
  suite(`what is sent for a machine with ${strategy}`, () => {
    for (const status of printableStatuses)
      test(`that is ${status}`, () => {
        const plans = powerOperations.map((operation) => powerPlan(operation, liveMachine(strategy, status)));
        assert.deepEqual(plans.map(word), rows[status]);
        assert.deepEqual(
          powerOperations.map((operation) => isReached(operation, liveMachine(strategy, status))),
          plans.map(({ kind }) => kind === 'reached'),
        );
      });
  });

suite('what is sent for a machine', () => {
  const cases: readonly (readonly [string, PowerOperation, object, string])[] = [
    ['that was never started is waited for', 'powerOn', { spec: { runStrategy: 'RerunOnFailure' } }, '…'],
    ['that was never started is halted', 'powerOff', { spec: { runStrategy: 'RerunOnFailure' } }, 'Halted /stop'],
    [
      'that has run once and ended runs again',
      'powerOn',
      liveMachine('Once', 'Stopped', { created: true }),
      'RerunOnFailure',
    ],
    [
      'that crashes is waited for, since KubeVirt tries again',
      'powerOn',
      liveMachine('RerunOnFailure', 'CrashLoopBackOff', {
        stateChangeRequests: [{ action: 'Start' }],
        startFailure: { consecutiveFailCount: 3 },
      }),
      '…',
    ],
    [
      'that crashes is stopped',
      'powerOff',
      liveMachine('RerunOnFailure', 'CrashLoopBackOff', {
        stateChangeRequests: [{ action: 'Start' }],
        startFailure: { consecutiveFailCount: 3 },
      }),
      'Halted /stop',
    ],
    [
      'that a user has asked to stop is waited for before it is started',
      'powerOn',
      liveMachine('RerunOnFailure', 'Running', { stateChangeRequests: [{ action: 'Stop' }] }),
      '…',
    ],
    [
      'whose stop is not finished, although it is off, is waited for: KubeVirt refuses to start it',
      'powerOn',
      liveMachine('RerunOnFailure', 'Stopped', { stateChangeRequests: [{ action: 'Stop' }] }),
      '…',
    ],
    ['that is in an unknown state', 'reset', { spec: {}, status: { printableStatus: 'Odd' } }, '!state'],
    ['that is no machine at all', 'powerOff', {}, 'reached'],
  ];
  for (const [reason, operation, vm, expected] of cases)
    test(reason, () => assert.equal(word(powerPlan(operation, vm)), expected));

  test('is sent to that very machine as it was read', () => {
    assert.deepEqual(powerPlan('powerOff', liveMachine('RerunOnFailure', 'Running')), {
      kind: 'act',
      waitsFor: 'the machine to be off',
      steps: [
        { kind: 'patch', patch: { metadata: { uid: 'u1', resourceVersion: '7' }, spec: { runStrategy: 'Halted' } } },
        {
          kind: 'subresource',
          of: 'virtualmachines',
          subresource: 'stop',
          body: { gracePeriod: 0 },
          conflict: 'done',
          once: false,
        },
      ],
    });
  });

  for (const [running, operation, runStrategy] of [
    [true, 'shutdown', 'Halted'],
    [false, 'powerOn', 'RerunOnFailure'],
  ] as const)
    test(`takes out running: ${running} with the strategy that takes its place`, () => {
      const vm = { spec: { running }, status: { printableStatus: running ? 'Running' : 'Stopped' } };
      const plan = powerPlan(operation, vm);
      assert.deepEqual(plan.kind === 'act' ? plan.steps : [], [
        { kind: 'patch', patch: { metadata: {}, spec: { running: null, runStrategy } } },
      ]);
    });

  test('is sent once where its effect cannot be observed, and 409 is the answer then', () => {
    for (const operation of powerOperations) {
      const plan = powerPlan(operation, liveMachine('Always', operation === 'resume' ? 'Paused' : 'Running'));
      const found = plan.kind === 'act' ? plan.steps.filter((step) => step.kind === 'subresource') : [];
      for (const { once, conflict } of found) {
        assert.equal(once, sentOnce.has(operation), operation);
        assert.equal(conflict === 'refused', once, operation);
      }
    }
  });

  const own = { ownerReferences: [{ kind: 'VirtualMachine', name: 'web', uid: 'u1', controller: true }] };
  const young = { metadata: { uid: 'u1' }, spec: { runStrategy: 'RerunOnFailure' } };
  test('goes by its instance where KubeVirt has written nothing about it yet', () => {
    const vmi = { metadata: own, status: { phase: 'Running' } };
    assert.equal(word(powerPlan('powerOn', young, vmi)), 'reached');
    assert.equal(isReached('powerOn', young, vmi), true);
  });

  test('does not go by an instance of its name that is not its own', () => {
    const vmi = { metadata: { ownerReferences: [] }, status: { phase: 'Running' } };
    assert.equal(word(powerPlan('powerOn', young, vmi)), '…');
  });
});
