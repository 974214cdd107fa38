/**
 * How a leader loses the lease, and what must not happen then. Times are the defaults: a lease of 15 s, 10 s to renew
 * it, a try every 2 s.
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createElector } from '../../../packages/kube/src/leader-election/elector.ts';
import { LeadershipLost } from '../../../packages/kube/src/leader-election/term.ts';
import { election, isPut, lost } from '../arena.ts';
import { pass } from '../candidate.ts';
import type { RuntimeCase } from '../case.ts';
import { until } from '../until.ts';

export const leadershipCases: readonly RuntimeCase[] = [
  election(
    'L5',
    'a server that cannot be reached costs the lease after 10 s, and another has it only after 15 s',
    async (arena) => {
      const proxy = await arena.newProxy();
      const a = arena.enter('a', { proxy });
      await a.rests();
      await a.pass(2000);
      const b = arena.enter('b');
      await b.rests();
      await proxy.refuse();
      await pass([a, b], 9500);
      assert.equal(a.leads, true);
      await pass([a, b], 500);
      assert.equal(a.leads, false);
      await lost(a, /not renewed for 10000 ms/);
      await b.pass(5000);
      assert.equal(b.term, undefined, 'what a sent at last has 5 s to arrive');
      await b.pass(2000);
      assert.equal(b.leads, true);
      const status = await a.metrics.leader.isLeader.get();
      assert.equal(status.values[0]?.value, 0);
    },
  ),

  {
    id: 'L5',
    name: 'a single request that hangs does not cost the lease: it is given up at half of the deadline',
    async run(harness) {
      const namespace = await harness.namespace('election');
      const proxy = await harness.newProxy();
      const times = { leaseDurationMs: 12_000, renewDeadlineMs: 10_000, retryPeriodMs: 100 };
      const log = pino({ level: 'silent' });
      const elector = createElector({ client: harness.client({ proxy }), namespace, name: 'leader', log, ...times });
      await elector.run(async (term) => {
        proxy.add({ fault: { kind: 'silence' }, match: isPut, times: 1 });
        const before = proxy.count(isPut);
        await until('it was renewed after the one that hung', () => proxy.count(isPut) >= before + 3);
        term.assertHeld();
        return 'ended';
      }, AbortSignal.timeout(60_000));
    },
  },

  election('L5', 'a server that is unreachable for less than 10 s costs nothing', async (arena) => {
    const proxy = await arena.newProxy();
    const a = arena.enter('a', { proxy });
    await a.rests();
    for (const outage of ['refused', '500', '503', '429', 'reset']) {
      if (outage === 'refused') await proxy.refuse();
      else if (outage === 'reset') proxy.add({ fault: { kind: 'reset' } });
      else proxy.add({ fault: { kind: 'status', code: Number(outage) } });
      await a.pass(7900);
      proxy.clear();
      await proxy.accept();
      await a.pass(2100);
      assert.equal(a.leads, true, outage);
    }
    assert.equal((await arena.lease()).spec?.leaseTransitions, 0);
  }),

  ...(['taken over', 'set free', 'deleted', 'deleted and recreated'] as const).map((what) =>
    election(
      'L5',
      `a lease that was ${what} is lost at the next renewal, and never taken back in the same term`,
      async (arena) => {
        const proxy = await arena.newProxy();
        const a = arena.enter('a', { proxy });
        await a.rests();
        if (what === 'taken over') await arena.change({ holderIdentity: 'b', leaseTransitions: 1 });
        else if (what === 'set free') await arena.change({ holderIdentity: '' });
        else await arena.remove(what === 'deleted' ? 'and leaves it' : 'and recreates it');
        await a.pass(2000);
        await lost(
          a,
          {
            'taken over': /is held by b/,
            'set free': /is held by no one/,
            deleted: /was deleted/,
            'deleted and recreated': /by another in between/,
          }[what],
        );
      },
    ),
  ),

  election('L6', 'every change of the leader has a greater epoch, even after the Lease was deleted', async (arena) => {
    const epochs: number[] = [];
    for (const identity of ['a', 'b', 'c', 'd']) {
      const candidate = arena.enter(identity);
      while (candidate.term === undefined) await candidate.pass(2000);
      epochs.push(candidate.term.epoch);
      await candidate.finish('ended');
      if (identity !== 'b') continue;
      const { metadata } = await arena.lease();
      await arena.remove('and leaves it');
      // A candidate that never saw the old Lease and creates a new one in the same second gets no greater epoch (see
      // epochOf).
      await until('the second has passed', () => Date.now() >= Date.parse(metadata.creationTimestamp ?? '') + 1000);
    }
    assert.deepEqual(
      epochs,
      epochs.toSorted((x, y) => x - y),
    );
    assert.equal(new Set(epochs).size, 4);
  }),

  election(
    'L6',
    'who saw the Lease before it was deleted counts on, so that even in the same second the epoch grows',
    async (arena) => {
      const a = arena.enter('a');
      await a.rests();
      const b = arena.enter('b');
      await b.rests();
      await arena.remove('and leaves it');
      await b.pass(2000);
      assert.ok((b.term?.epoch ?? 0) > (a.term?.epoch ?? Infinity));
      assert.equal((await arena.lease()).spec?.leaseTransitions, 1);
    },
  ),

  election(
    'L7',
    'a leader that was stalled for longer than its lease writes nothing, and renews nothing',
    async (arena) => {
      const proxy = await arena.newProxy();
      const a = arena.enter('a', { proxy });
      await a.rests();
      const b = arena.enter('b');
      await b.pass(17_000); // Meanwhile a does nothing.
      assert.equal(b.leads, true);
      const before = await arena.lease();
      proxy.forget();
      a.clock.stall(17_000);
      assert.equal(a.term?.signal.aborted, false, 'no timer of a could fire');
      assert.throws(() => a.term?.assertHeld(), LeadershipLost);
      await lost(a, /not renewed for 10000 ms/);
      assert.equal(proxy.count(), 0, 'it does not even ask');
      assert.deepEqual(await arena.lease(), before);
    },
  ),

  election('L7', 'the watchdog sees when the work of a lost lease still runs 20 s after its end', async (arena) => {
    const proxy = await arena.newProxy();
    const a = arena.enter('a', { proxy });
    await a.rests();
    a.elector.check();
    await proxy.refuse();
    await a.pass(12_000);
    await a.done;
    await a.pass(22_000);
    a.elector.check();
    await a.pass(2000);
    assert.throws(() => a.elector.check(), /expired 21 s ago and its work still runs/);
    await a.finish('ended');
    await a.clock.fake.advance(0);
    a.elector.check();
  }),
];
