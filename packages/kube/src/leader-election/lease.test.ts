import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acquiredSpec, epochOf, released, renewed, takenOver } from './lease.ts';
import type { Lease } from './lease.ts';

const date = new Date('2026-01-02T03:04:05.678Z');
const claim = { identity: 'b', leaseDurationMs: 15_000, date };

function lease(transitions: number, created = '2026-01-01T00:00:00Z'): Lease {
  return {
    metadata: { name: 'leader', uid: 'u', resourceVersion: '7', creationTimestamp: created, labels: { kept: 'yes' } },
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 30,
      acquireTime: '2026-01-01T00:00:00.000001Z',
      renewTime: '2026-01-01T00:00:00.000002Z',
      leaseTransitions: transitions,
    },
  };
}

test('L8: times are written with six digits', () => {
  const spec = acquiredSpec(claim, 0);
  assert.equal(spec.acquireTime, '2026-01-02T03:04:05.678000Z');
  assert.equal(spec.renewTime, '2026-01-02T03:04:05.678000Z');
});

test('L3: taking over counts a transition and keeps what else is in the object', () => {
  const taken = takenOver(lease(4), claim);
  assert.deepEqual(taken.metadata, lease(4).metadata);
  assert.equal(taken.spec?.leaseTransitions, 5);
  assert.equal(taken.spec?.holderIdentity, 'b');
  assert.equal(taken.spec?.leaseDurationSeconds, 15);
});

test('L3: renewing changes neither the holder nor the time at which it was acquired', () => {
  const { spec } = renewed(lease(4), claim);
  assert.deepEqual(spec, { ...lease(4).spec, leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.678000Z' });
});

test('L4: a released lease has no holder, lasts one second and keeps its transitions', () => {
  const { spec } = released(lease(4), date);
  assert.equal(spec?.holderIdentity, '');
  assert.equal(spec?.leaseDurationSeconds, 1);
  assert.equal(spec?.leaseTransitions, 4);
});

test('L6: the epoch grows with every transition, and with a Lease that was deleted and created again', () => {
  const history = [
    lease(0),
    lease(1),
    lease(5000),
    lease(0, '2026-01-01T00:00:01Z'),
    lease(1, '2026-01-01T00:00:01Z'),
    lease(0, '2200-01-01T00:00:00Z'),
  ];
  const epochs = history.map(epochOf);
  for (const [index, epoch] of epochs.entries()) {
    assert.ok(Number.isSafeInteger(epoch));
    assert.ok(index === 0 || epoch > (epochs[index - 1] ?? Infinity), `${index}`);
  }
});

test('L6: a Lease without a time of creation has no epoch', () => {
  assert.throws(() => epochOf({ metadata: { name: 'leader' } }), /creationTimestamp/);
});
