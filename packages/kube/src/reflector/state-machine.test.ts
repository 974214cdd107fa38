import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStateMachine, isStale, next } from './state-machine.ts';
import type { Failure, StateMachine, ReflectorEvent } from './state-machine.ts';

const base: StateMachine = { ...createStateMachine(true), resourceVersion: '100' };
const inState = (state: StateMachine['state'], more: Partial<StateMachine> = {}): StateMachine => ({
  ...base,
  state,
  ...more,
});
const failed = (failure: Failure): ReflectorEvent => ({ type: 'failed', failure });

const events = {
  start: { type: 'start' },
  stop: { type: 'stop' },
  timer: { type: 'timer' },
  synced: { type: 'synced', resourceVersion: '200' },
  progress: { type: 'progress', resourceVersion: '200' },
  end: { type: 'ended', short: false },
  'short end': { type: 'ended', short: true },
  silence: { type: 'silence' },
  unsupported: failed('unsupported'),
  expired: failed('expired'),
  unavailable: failed('unavailable'),
  unauthorized: failed('unauthorized'),
  forbidden: failed('forbidden'),
  absent: failed('absent'),
  internal: failed('internal'),
  malformed: failed('malformed'),
  stale: failed('stale'),
  other: failed('other'),
} satisfies Record<string, ReflectorEvent>;

/**
 * The next state for each event: `·` stays, `(x)` is a backoff that leads to x. A backoff in these rows leads to
 * watching.
 */
const table = `
              idle       streaming    listing    watching     backoff   stopped
start         streaming  ·            ·          ·            ·         ·
stop          stopped    stopped      stopped    stopped      stopped   ·
timer         ·          ·            ·          ·            watching  ·
synced        ·          watching     watching   ·            ·         ·
progress      ·          ·            ·          ·            ·         ·
end           ·          (streaming)  ·          ·            ·         ·
short-end     ·          (streaming)  ·          (watching)   ·         ·
silence       ·          listing      ·          ·            ·         ·
unsupported   ·          listing      (listing)  (streaming)  ·         ·
expired       ·          ·            ·          streaming    ·         ·
unavailable   ·          (streaming)  (listing)  (watching)   ·         ·
unauthorized  ·          (streaming)  (listing)  (watching)   ·         ·
forbidden     ·          (streaming)  (listing)  (streaming)  ·         ·
absent        ·          (streaming)  (listing)  (streaming)  ·         ·
internal      ·          (streaming)  (listing)  (watching)   ·         ·
malformed     ·          (streaming)  (listing)  (streaming)  ·         ·
stale         ·          (streaming)  (listing)  (streaming)  ·         ·
other         ·          (streaming)  (listing)  (streaming)  ·         ·
`;

function where(machine: StateMachine): string {
  return machine.state === 'backoff' ? `(${machine.resume})` : machine.state;
}

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

test('the table has a row for each event', () => {
  assert.deepEqual(
    rows.map(([name]) => name?.replace('-', ' ')),
    Object.keys(events),
  );
});

for (const [name = '', ...cells] of rows)
  for (const [at, cell] of cells.entries()) {
    const state = head[at] as StateMachine['state'];
    test(`the machine in ${state} on ${name} goes to ${cell}`, () => {
      const before = inState(state, { resume: 'watching' });
      const after = next(before, events[name.replace('-', ' ') as keyof typeof events]);
      assert.equal(where(after), cell === '·' ? where(before) : cell);
    });
  }

test('every way to a list is one to a paged list where watch-lists are not known', () => {
  const known = { watchList: false };
  assert.equal(next(inState('idle', known), events.start).state, 'listing');
  for (const failure of ['expired', 'forbidden', 'absent', 'malformed', 'stale', 'other'] as const) {
    const after = next(inState('watching', known), failed(failure));
    assert.equal(after.state === 'backoff' ? after.resume : after.state, 'listing', failure);
  }
  assert.equal(next(inState('watching', { ...known, silences: 1 }), events.silence).state, 'listing');
});

test('F1: after 410 a list is asked for with the version unset, once at once and then after a pause', () => {
  for (const state of ['streaming', 'listing'] as const) {
    const once = next(inState(state), events.expired);
    assert.deepEqual([once.state, once.unset], [state, true]);
    const twice = next(once, events.expired);
    assert.deepEqual([twice.state, twice.resume, twice.unset], ['backoff', state, true]);
    const synced = next(once, events.synced);
    assert.deepEqual([synced.unset, synced.resourceVersion], [false, '200'], 'and then back');
  }
});

test('F1: a list that is older than what was seen is refused, and believed when the newest is older too', () => {
  const listing = inState('listing');
  assert.equal(isStale(listing, '99'), true);
  assert.equal(isStale(listing, '100'), false);
  assert.equal(
    isStale(inState('listing', { unset: true }), '99'),
    true,
    'one answer alone may come from a replica that lags',
  );
  const doubted = next(listing, events.stale);
  assert.deepEqual([doubted.state, doubted.unset, doubted.doubts], ['backoff', true, 1]);
  assert.equal(isStale(next(doubted, events.timer), '99'), false);
});

test('F1: a list whose version cannot be compared is taken', () => {
  assert.equal(isStale(inState('listing'), 'abc'), false);
});

test('F1: an event that is older than what was seen is one doubt already', () => {
  const doubted = next(inState('watching'), events.stale);
  assert.deepEqual([doubted.unset, doubted.doubts], [true, 1]);
  assert.equal(isStale(next(doubted, events.timer), '99'), false);
});

test('F4: progress moves the version and never back', () => {
  const progress = (resourceVersion: string): StateMachine =>
    next(inState('watching'), { type: 'progress', resourceVersion });
  assert.equal(progress('101').resourceVersion, '101');
  assert.equal(progress('99').resourceVersion, '100');
});

test('a 410 right after a list backs off, so that a server that always says so is not asked without end', () => {
  const fresh = next(inState('listing'), events.synced);
  assert.equal(where(next(fresh, events.expired)), '(streaming)');
  const moved = next(fresh, { type: 'progress', resourceVersion: '201' });
  assert.equal(where(next(moved, events.expired)), 'streaming');
});

test('a first silence watches again, a second one in a row lists with the version unset', () => {
  const once = next(inState('watching'), events.silence);
  assert.equal(once.state, 'watching');
  const twice = next(once, events.silence);
  assert.deepEqual([twice.state, twice.unset], ['streaming', true]);
  const spoke = next(once, { type: 'progress', resourceVersion: '100' });
  assert.equal(next(spoke, events.silence).state, 'watching', 'a bookmark between them makes the second the first');
});
