import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import type { ReflectorHealth } from './informer.ts';
import { cachesReady } from './ready.ts';

const clock = new FakeClock();
const well: ReflectorHealth = {
  state: 'watching',
  synced: true,
  lastSyncResourceVersion: '7',
  lastActivityAt: clock.now(),
  consecutiveFailures: 0,
  failingSince: undefined,
  lastError: undefined,
  trouble: 'none',
};

const table: readonly { reason: string; health: Partial<ReflectorHealth>; complaint: RegExp | undefined }[] = [
  { reason: 'all is well', health: {}, complaint: undefined },
  { reason: 'a quiet kind is well', health: { lastActivityAt: clock.now() - 3_600_000 }, complaint: undefined },
  { reason: 'a short outage is not told', health: { trouble: 'failing' }, complaint: undefined },
  {
    reason: 'a long one is',
    health: { trouble: 'failing', lastActivityAt: clock.now() - 200_000 },
    complaint: /^widgets is out of touch for 200 s \(failing\)$/,
  },
  {
    reason: 'a watch that fell silent is',
    health: { trouble: 'silent', lastActivityAt: clock.now() - 151_000 },
    complaint: /^widgets is out of touch for 151 s \(silent\)$/,
  },
  { reason: 'a first list is awaited', health: { synced: false }, complaint: /^widgets has not synced$/ },
  {
    reason: 'a kind that may not be read says so',
    health: { synced: false, trouble: 'forbidden' },
    complaint: /^widgets has not synced \(forbidden\)$/,
  },
];

for (const { reason, health, complaint } of table) {
  test(`F10, M2: readiness looks at caches: ${reason}`, () => {
    const check = cachesReady({ healths: () => [{ resource: 'widgets', health: { ...well, ...health } }] }, { clock });
    if (complaint === undefined) check();
    else assert.throws(check, (error: Error) => complaint.test(error.message));
  });
}

test('F10, M2: readiness names every cache that is not in step', () => {
  const health = { ...well, synced: false };
  const healths = () => ['widgets', 'pods'].map((resource) => ({ resource, health }));
  assert.throws(cachesReady({ healths }, { clock }), /^Error: widgets has not synced; pods has not synced$/);
});
