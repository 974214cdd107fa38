import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletedOf } from './deleted.ts';

const at = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const rows: readonly { readonly reason: string; readonly answer: object; readonly gone: boolean }[] = [
  { reason: 'a Status', answer: { kind: 'Status', details: { uid: 'u' } }, gone: true },
  {
    reason: 'an object that finalizers hold',
    answer: { kind: 'VirtualMachine', metadata: { uid: 'u', ...at, finalizers: ['x'], deletionGracePeriodSeconds: 0 } },
    gone: false,
  },
  {
    reason: 'a Pod in its grace period',
    answer: { kind: 'Pod', metadata: { uid: 'u', ...at, deletionGracePeriodSeconds: 30 } },
    gone: false,
  },
  {
    reason: 'a Pod without one',
    answer: { kind: 'Pod', metadata: { uid: 'u', ...at, deletionGracePeriodSeconds: 0 } },
    gone: true,
  },
  {
    reason: 'a Namespace that is being emptied',
    answer: { kind: 'Namespace', metadata: { uid: 'u', ...at } },
    gone: false,
  },
  { reason: 'a Service as it last was', answer: { kind: 'Service', metadata: { uid: 'u' } }, gone: true },
];

for (const { reason, answer, gone } of rows) {
  test(`a deletion that is answered with ${reason} ${gone ? 'is done' : 'goes on'}`, () => {
    const deleted = deletedOf(answer as never);
    assert.deepEqual(deleted, gone ? { gone: true, uid: 'u' } : { gone: false, object: answer });
  });
}
