import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { powerDecision, powerOperations, powerStatuses, type PowerOperation } from './table.ts';

const words = (operation: PowerOperation, status: string): string => {
  const decision = powerDecision(operation, status);
  return decision.allowed ? 'do' : decision.reason;
};

suite('power operations', () => {
  const off = 'it is powered off: power it on first.';
  const start = 'it is starting: wait until it runs.';
  const stop = 'it is being stopped: wait until it is off, then power it on.';
  const suspended = 'it is suspended, so its guest does not respond: resume it first, or power it off.';
  const failed = 'it has failed: power it on to try again, or power it off.';
  const unknown = 'its state is not known now: only power on and power off are possible.';
  const unmade = 'it does not exist yet: only power on and power off are possible.';

  // In the order of `powerOperations`.
  const expected: Readonly<Record<string, readonly string[]>> = {
    POWERED_ON: ['do', 'do', 'do', 'do', 'do', 'do', 'do'],
    POWERED_OFF: ['do', 'do', 'do', off, off, off, 'it is powered off, not suspended: power it on instead.'],
    POWERING_ON: ['do', 'do', 'do', start, start, start, start],
    POWERING_OFF: ['do', 'do', 'do', stop, stop, stop, stop],
    SUSPENDED: ['do', 'do', suspended, suspended, suspended, 'do', 'do'],
    FAILED: ['do', 'do', failed, failed, failed, failed, failed],
    UNKNOWN: ['do', 'do', unknown, unknown, unknown, unknown, unknown],
    UNRESOLVED: ['do', 'do', unmade, unmade, unmade, unmade, unmade],
    DELETING: powerOperations.map(() => 'it is being deleted.'),
    DELETED: powerOperations.map(() => 'it has been deleted.'),
  };
  const verbs = ['powered on', 'powered off', 'shut down', 'reset', 'rebooted', 'suspended', 'resumed'];

  for (const status of powerStatuses)
    test(`on a machine that is ${status}`, () => {
      const row = expected[status]?.map((cell, index) =>
        cell.startsWith('it') ? `The machine cannot be ${verbs[index]}: ${cell}` : cell,
      );
      assert.deepEqual(
        powerOperations.map((operation) => words(operation, status)),
        row,
      );
    });

  test('on a machine in an unknown state are those of UNKNOWN', () => {
    for (const status of ['', 'MIXED', 'constructor', '__proto__'])
      for (const operation of powerOperations)
        assert.deepEqual(powerDecision(operation, status), powerDecision(operation, 'UNKNOWN'));
  });
});
