import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { createMetrics } from '@ssvirt/kube/metrics/metrics';
import { LocalMember } from './local-member.ts';
import { Members } from './members.ts';
import { defaultTimes } from '../health/health-times.ts';

/** Members that never get credentials, so that none of them connects. */
function idleMembers(t: TestContext): Members {
  const [clock, log, times] = [new FakeClock(), pino({ level: 'silent' }), defaultTimes];
  const nothing = (): void => undefined;
  const members = new Members({
    parts: { clock, log, metrics: createMetrics(new Registry()), userAgent: 'test', component: 'test' },
    times,
    local: new LocalMember({
      cluster: { name: 'local' } as Cluster,
      clock,
      log,
      times,
      engaged: nothing,
      holderOf: () => Promise.resolve(undefined),
    }),
    configs: () => [],
    engaged: nothing,
    disengaged: nothing,
    record: (_name, identity) => Promise.resolve(identity),
    changed: nothing,
  });
  t.after(() => members.stop());
  return members;
}

test('a KubevirtConfig has one member for as long as it lives', async (t) => {
  const members = idleMembers(t);
  const first = await members.ensure('east', 'uid-1');
  assert.equal(await members.ensure('east', 'uid-1'), first);
});

test('D4: a KubevirtConfig that was deleted and created again between two looks is another member', async (t) => {
  const members = idleMembers(t);
  const first = await members.ensure('east', 'uid-1');
  const second = await members.ensure('east', 'uid-2');
  assert.notEqual(second, first);
  assert.equal(members.get('east'), second);
});

test('a member that is removed is gone, and may be removed twice', async (t) => {
  const members = idleMembers(t);
  await members.ensure('east', 'uid-1');
  await Promise.all([members.remove('east'), members.remove('east')]);
  assert.equal(members.get('east'), undefined);
  assert.equal(members.assess('east'), undefined);
});

test('no caller gets a member any more when they have been stopped', async (t) => {
  const members = idleMembers(t);
  await members.stop();
  await assert.rejects(members.ensure('east', 'uid-1'), /it has stopped/);
  assert.deepEqual(members.all(), []);
});
