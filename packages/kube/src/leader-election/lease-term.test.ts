import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StallingClock } from '../../../../test/runtime/stalling-clock.ts';
import { FakeClock } from '../fake-clock.ts';
import { LeaseTerm } from './lease-term.ts';
import { LeadershipLost } from './term.ts';

function newTerm(): { clock: StallingClock; term: LeaseTerm } {
  const clock = new StallingClock();
  return { clock, term: new LeaseTerm({ epoch: 7, renewDeadlineMs: 10_000, sentAt: clock.now(), clock }) };
}

test('L5: a term that is not renewed ends at the renew deadline, and says so to all who listen', async () => {
  const { clock, term } = newTerm();
  await clock.fake.advance(9999);
  assert.equal(term.isHeld(), true);
  await clock.fake.advance(1);
  assert.equal(term.signal.aborted, true);
  assert.ok(term.signal.reason instanceof LeadershipLost);
  assert.throws(() => term.assertHeld(), LeadershipLost);
});

test('L5: a timer that fires early does not keep the loss from being noticed', async () => {
  const fake = new FakeClock();
  const early = {
    now: () => fake.now(),
    date: () => fake.date(),
    after: (ms: number, wake: () => void) => fake.after(ms - 0.5, wake),
  };
  const term = new LeaseTerm({ epoch: 7, renewDeadlineMs: 10_000, sentAt: early.now(), clock: early });
  await fake.advance(10_001);
  assert.equal(term.signal.aborted, true);
});

test('L2: a renewal counts from when it was sent, not from when its answer came', async () => {
  const { clock, term } = newTerm();
  const sentAt = clock.now() + 2000;
  await clock.fake.advance(8000);
  term.renew(sentAt);
  await clock.fake.advance(3999);
  assert.equal(term.isHeld(), true);
  await clock.fake.advance(1);
  assert.equal(term.isHeld(), false);
});

test('L7: a stalled event loop is noticed by whoever asks first, before any timer can fire', () => {
  const { clock, term } = newTerm();
  clock.stall(10_000);
  assert.equal(term.signal.aborted, false, 'no timer has fired');
  assert.throws(() => term.assertHeld(), LeadershipLost);
  assert.equal(term.signal.aborted, true);
});

test('L7: a renewal whose answer is read too late does not bring the term back', () => {
  const { clock, term } = newTerm();
  const sentAt = clock.now();
  clock.stall(20_000);
  assert.throws(() => term.renew(sentAt), LeadershipLost);
  assert.equal(term.isHeld(), false);
  assert.equal(term.remainingMs, 0);
});

test('L7: not even a renewal that was sent in time and answered after the deadline does', () => {
  const { clock, term } = newTerm();
  const sentAt = clock.now() + 9000;
  // Sent at 9 s, so it would be valid until 19 s; but from 10 s to 11 s the lease was possibly not ours.
  clock.stall(11_000);
  assert.throws(() => term.renew(sentAt), LeadershipLost);
});

test('L4: a term that has ended as planned has no holder, and leaves no timer behind', () => {
  const { clock, term } = newTerm();
  term.end();
  assert.equal(term.isHeld(), false);
  assert.equal(clock.fake.timers, 0);
});
