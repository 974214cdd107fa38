import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { yieldToEventLoop } from '@ssvirt/base/async/yield';
import { LedgerFeed } from './ledger-feed.ts';

function feedOf(limit: number, signal: AbortSignal, clock = new FakeClock()): LedgerFeed {
  return new LedgerFeed({ clock, limit, signal, pending: () => undefined, failed: () => undefined });
}

test('there is room for more when fewer wait than may, or when reading has ended', async () => {
  for (const end of ['taken', 'aborted'] as const) {
    const ending = new AbortController();
    const feed = feedOf(2, ending.signal);
    await feed.room();
    const gate = Promise.withResolvers<void>();
    for (let i = 0; i < 2; i++) feed.push(() => gate.promise);
    let hasRoom = false;
    const room = feed.room().then(() => (hasRoom = true));
    for (let turn = 0; turn < 5; turn++) await yieldToEventLoop();
    assert.equal(hasRoom, false);
    if (end === 'taken') gate.resolve();
    else ending.abort();
    await room;
  }
});

test('what could not be handed over is handed over again before what came after it', async () => {
  const clock = new FakeClock();
  const feed = feedOf(9, new AbortController().signal, clock);
  const taken: string[] = [];
  let failures = 2;
  feed.push(() => {
    if (failures-- > 0) throw new Error('not yet');
    taken.push('first');
  });
  feed.push(() => void taken.push('second'));
  await clock.advance(60_000);
  assert.deepEqual([taken, feed.pending], [['first', 'second'], 0]);
});
