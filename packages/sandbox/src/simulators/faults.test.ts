import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { FAULT_ANNOTATION, type SimulatedFault } from './dials.ts';
import { changedFaults, suffers, type Sufferer } from './faults.ts';
import { Stopwatch } from './stopwatch.ts';

test('a fault is for those whom it names, and for those who ask for it', () => {
  const shop: Sufferer = { namespace: 'shop', names: ['db'], node: 'node01' };
  const asking = (text: string): Sufferer => ({ ...shop, annotations: [undefined, { [FAULT_ANNOTATION]: text }] });
  const cases: readonly (readonly [
    reason: string,
    faults: readonly SimulatedFault[],
    sufferer: Sufferer,
    expected: boolean,
  ])[] = [
    ['nothing is wrong', [], shop, false],
    ['everybody suffers', [{ kind: 'crash-loop' }], shop, true],
    ['another fault', [{ kind: 'no-agent' }], shop, false],
    ['its namespace', [{ kind: 'crash-loop', namespace: 'shop' }], shop, true],
    ['another namespace', [{ kind: 'crash-loop', namespace: 'x' }], shop, false],
    ['its name', [{ kind: 'crash-loop', namespace: 'shop', name: 'db' }], shop, true],
    ['another name', [{ kind: 'crash-loop', namespace: 'shop', name: 'x' }], shop, false],
    ['its node', [{ kind: 'crash-loop', node: 'node01' }], shop, true],
    ['another node', [{ kind: 'crash-loop', node: 'node02' }], shop, false],
    ['it asks', [], asking('no-agent, crash-loop'), true],
    ['it asks for another', [], asking('no-agent'), false],
  ];
  for (const [reason, faults, sufferer, expected] of cases)
    assert.equal(suffers({ faults }, 'crash-loop', sufferer), expected, reason);
});

test('those whom a fault was or is for look again', () => {
  const one: SimulatedFault = { kind: 'crash-loop' };
  const two: SimulatedFault = { kind: 'node-lost', node: 'node01' };
  assert.deepEqual(changedFaults([one], [two]), [one, two]);
  assert.deepEqual(changedFaults([one, two], [{ ...two }]), [one]);
  assert.deepEqual(changedFaults([one], [one]), []);
});

test('a stage takes as long as it takes, whoever watches', async () => {
  const clock = new FakeClock();
  const watch = new Stopwatch(clock);
  assert.equal(watch.left('u', 'boot', 3000), 3000);
  await clock.advance(1000);
  assert.equal(watch.left('u', 'boot', 3000), 2000);
  assert.equal(watch.left('u', 'agent', 500), 500, 'another stage has its own time');
  await clock.advance(5000);
  assert.equal(watch.left('u', 'boot', 3000), 0);
  watch.restart('u', 'boot');
  assert.equal(watch.left('u', 'boot', 3000), 3000);
  const before = new Date(clock.date().getTime() - 3000).toISOString();
  assert.equal(new Stopwatch(clock).left('u', 'boot', 5000, before), 3000, 'the API remembers, to the second');
  assert.equal(new Stopwatch(clock).left('u', 'boot', 5000, 'yesterday'), 5000);
});
