import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentEvents, type SentEvent } from './event-lines.ts';

async function eventsOf(chunks: readonly (Buffer | string)[]): Promise<readonly SentEvent[]> {
  const events: SentEvent[] = [];
  const stream = (async function* () {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  })();
  for await (const event of sentEvents(stream)) events.push(event);
  return events;
}

test('events are read whole, wherever the pieces are cut, letters of several bytes included', async () => {
  const text =
    'retry: 2000\n\n: still here\n\nid: 7.1\nevent: vm\ndata: {"name":"wäb"}\n\nid: 7.2\nevent: ready\ndata: {}\n\nid: 8';
  const expected = [
    { id: '7.1', event: 'vm', data: '{"name":"wäb"}' },
    { id: '7.2', event: 'ready', data: '{}' },
  ];
  const bytes = Buffer.from(text);
  assert.deepEqual(await eventsOf([text]), expected);
  assert.deepEqual(await eventsOf([...bytes].map((byte) => Buffer.of(byte))), expected);
});
