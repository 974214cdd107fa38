/**
 * Which candidate gets the lease, how it renews and releases it. Times are the defaults: a lease of 15 s, 10 s to renew
 * it, a try every 2 s.
 */
import assert from 'node:assert/strict';
import { election, isGet, isPut } from '../arena.ts';
import { pass } from '../candidate.ts';
import type { RuntimeCase } from '../case.ts';
import { until } from '../until.ts';

export const electionCases: readonly RuntimeCase[] = [
  election(
    'L1',
    'the first candidate creates the Lease and renews it every 2 s; the second one waits',
    async (arena) => {
      const proxy = await arena.newProxy();
      const a = arena.enter('a', { proxy });
      await a.rests();
      const b = arena.enter('b');
      proxy.forget();
      await pass([a, b], 20_000);
      assert.equal(a.leads, true);
      assert.equal(b.term, undefined);
      assert.equal(b.elector.leader, 'a');
      assert.equal(proxy.count(isPut), 10);
      const { spec } = await arena.lease();
      assert.deepEqual([spec?.holderIdentity, spec?.leaseDurationSeconds, spec?.leaseTransitions], ['a', 15, 0]);
      const status = await a.metrics.leader.isLeader.get();
      assert.deepEqual(status.values, [{ labels: { name: 'leader' }, value: 1 }]);
    },
  ),

  election('L1', 'a candidate tries every 2 s, stretched by up to 1.2 times as much', async (arena) => {
    const [soon, late] = [await arena.newProxy(), await arena.newProxy()];
    const a = arena.enter('a');
    await a.rests();
    const eager = arena.enter('eager', { proxy: soon, random: () => 0 });
    const patient = arena.enter('patient', { proxy: late, random: () => 1 });
    await pass([a, eager, patient], 22_100);
    assert.deepEqual([soon.count(isGet), late.count(isGet)], [12, 6]);
  }),

  election('L2', 'the clocks of two candidates may be a day apart, in either direction', async (arena) => {
    const day = 24 * 3_600_000;
    const a = arena.enter('a');
    await a.rests();
    const others = [arena.enter('ahead', { skewMs: day }), arena.enter('behind', { skewMs: -day })];
    await pass([a, ...others], 40_000);
    assert.deepEqual(
      [a, ...others].map(({ leads }) => leads),
      [true, false, false],
    );
  }),

  election('L2', 'a lease is free when we saw no change of it for 15 s, whatever times stand in it', async (arena) => {
    const a = arena.enter('a');
    await a.rests();
    await arena.change({ holderIdentity: 'dead', renewTime: '2000-01-01T00:00:00.000000Z' });
    const b = arena.enter('b');
    await b.pass(15_900);
    assert.equal(b.term, undefined, 'although the time in it is long past');
    await b.pass(200);
    assert.equal(b.leads, true);
  }),

  election('L2', "the holder's own duration counts, not ours", async (arena) => {
    const a = arena.enter('a');
    await a.rests();
    await arena.change({ holderIdentity: 'dead', leaseDurationSeconds: 60 });
    const b = arena.enter('b');
    await b.pass(59_000);
    assert.equal(b.term, undefined);
    await b.pass(2000);
    assert.equal(b.leads, true);
  }),

  election('L3', 'a renewal is one write and no read, until another client changes the Lease', async (arena) => {
    const proxy = await arena.newProxy();
    const a = arena.enter('a', { proxy });
    await a.rests();
    proxy.forget();
    await a.pass(6000);
    assert.deepEqual([proxy.count(isPut), proxy.count(isGet)], [3, 0]);

    await arena.change({}, { labels: { by: 'somebody' } });
    proxy.forget();
    await a.pass(2000);
    const codes = proxy.requests().map(({ request, code }) => `${request.verb} ${code}`);
    assert.deepEqual(codes, ['update 409', 'get 200', 'update 200']);
    assert.equal(a.leads, true);
    assert.equal((await a.metrics.leader.slowPath.get()).values[0]?.value, 1);
    assert.deepEqual((await arena.lease()).metadata.labels, { by: 'somebody' }, 'and what they changed is kept');
  }),

  election(
    'L3',
    'a renewal that was done although its answer was lost is found again, in the same term',
    async (arena) => {
      const proxy = await arena.newProxy();
      const a = arena.enter('a', { proxy });
      await a.rests();
      const epoch = a.term?.epoch;
      proxy.add({ fault: { kind: 'lost-answer' }, match: isPut, times: 1 });
      await a.pass(6000);
      assert.deepEqual([a.leads, a.term?.epoch], [true, epoch]);
      assert.equal((await arena.lease()).spec?.leaseTransitions, 0);
    },
  ),

  election('L3', 'a lease that was won although the answer was lost is found at the next try', async (arena) => {
    const proxy = await arena.newProxy();
    proxy.add({ fault: { kind: 'lost-answer' }, match: ({ verb }) => verb === 'create', times: 1 });
    const a = arena.enter('a', { proxy });
    await a.rests();
    assert.equal(a.term, undefined, 'it cannot know yet');
    await a.pass(2000);
    assert.equal(a.leads, true);
    assert.equal((await arena.lease()).spec?.leaseTransitions, 0);
  }),

  election('L3', 'of candidates that come at once one wins', async (arena) => {
    const candidates = ['a', 'b', 'c', 'd', 'e'].map((identity) => arena.enter(identity));
    await Promise.all(candidates.map((candidate) => candidate.rests()));
    assert.equal(candidates.filter(({ leads }) => leads).length, 1);
  }),

  election('L4', 'the lease is released when the work has ended, and another has it at its next try', async (arena) => {
    const a = arena.enter('a');
    await a.rests();
    const b = arena.enter('b');
    await b.rests();
    const stopped = a.stop();
    await a.pass(4000);
    assert.equal(a.leads, true, 'it is renewed until the work has ended');
    assert.equal((await arena.lease()).spec?.holderIdentity, 'a');
    assert.equal(await a.finish('ended'), 'ended');
    assert.equal(await stopped, 'ended');
    assert.equal(a.term?.isHeld(), false, 'nothing may be written under it from now on');
    const { spec } = await arena.lease();
    assert.deepEqual([spec?.holderIdentity, spec?.leaseDurationSeconds, spec?.leaseTransitions], ['', 1, 0]);
    await b.pass(2000);
    assert.equal(b.leads, true);
    assert.equal((await arena.lease()).spec?.leaseTransitions, 1);
  }),

  election('L4', 'the lease is not released while work goes on that could not be stopped', async (arena) => {
    const a = arena.enter('a');
    await a.rests();
    assert.equal(await a.finish('unfinished'), 'ended');
    assert.equal((await arena.lease()).spec?.holderIdentity, 'a');
    assert.equal(a.term?.isHeld(), false);
  }),

  election('L4', 'a release that meets a conflict is tried again', async (arena) => {
    const proxy = await arena.newProxy();
    const a = arena.enter('a', { proxy });
    await a.rests();
    proxy.add({ fault: { kind: 'status', code: 409 }, match: isPut, times: 2 });
    const finished = a.finish('ended');
    while (!a.ended) {
      // The release deadline must not pass during a request.
      await until('it pauses, or has ended', () => a.ended || a.clock.fake.timers > 0);
      await a.clock.fake.advance(20);
    }
    assert.equal(await finished, 'ended');
    assert.equal((await arena.lease()).spec?.holderIdentity, '');
  }),

  election('L4', 'who is stopped while it may have won releases what it won', async (arena) => {
    const proxy = await arena.newProxy();
    proxy.add({ fault: { kind: 'lost-answer' }, match: ({ verb }) => verb === 'create', times: 1 });
    const a = arena.enter('a', { proxy });
    await a.rests();
    assert.equal((await arena.lease()).spec?.holderIdentity, 'a');
    assert.equal(await a.stop(), 'ended');
    assert.equal((await arena.lease()).spec?.holderIdentity, '');
  }),

  election('L4', 'who is stopped as a standby leaves the lease alone', async (arena) => {
    const a = arena.enter('a');
    await a.rests();
    const b = arena.enter('b');
    await b.rests();
    const before = await arena.lease();
    assert.equal(await b.stop(), 'ended');
    assert.deepEqual(await arena.lease(), before);
  }),
];
