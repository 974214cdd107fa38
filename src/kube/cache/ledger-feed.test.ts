import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { yieldTurn } from '../turn.ts';
import { LedgerFeed } from './ledger-feed.ts';

function feedOf(limit: number, signal: AbortSignal): LedgerFeed {
  return new LedgerFeed({ clock: new FakeClock(), limit, signal, pending: () => undefined, failed: () => undefined });
}

test('there is room for more when fewer wait than may, or when nobody reads any more', async () => {
  for (const end of ['taken', 'aborted'] as const) {
    const ending = new AbortController();
    const feed = feedOf(2, ending.signal);
    await feed.room();
    const gate = Promise.withResolvers<void>();
    for (let i = 0; i < 2; i++) feed.push(() => gate.promise);
    let hasRoom = false;
    const room = feed.room().then(() => (hasRoom = true));
    for (let turn = 0; turn < 5; turn++) await yieldTurn();
    assert.equal(hasRoom, false);
    if (end === 'taken') gate.resolve();
    else ending.abort();
    await room;
  }
});
