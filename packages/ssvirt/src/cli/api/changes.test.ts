/** A server that breaks off the event stream: no event is delivered twice, and none is missed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes, type StreamMessage } from './changes.ts';
import { vms } from './entity-kinds.ts';
import { listOf } from './pages.ts';
import { clientOf, event } from './server.fixture.ts';

test('a stream that breaks off continues after the last event, also where the server is gone for a moment', async (context) => {
  const asked: (string | undefined)[] = [];
  const client = await clientOf(context, (request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    const turn = asked.length;
    if (turn === 2) {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"Just now."}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (turn === 1) {
      response.write(event('1.1', 'ready', {}));
      response.write(event('1.2', 'vm', { type: 'vm', operation: 'update', id: 'urn:vcloud:vm:1' }), () => {
        response.destroy();
      });
    } else {
      response.write(event('1.2', 'ready', {}));
      response.write(event('1.3', 'vm', { type: 'vm', operation: 'delete', id: 'urn:vcloud:vm:1' }));
    }
  });
  const stop = new AbortController();
  const told: StreamMessage[] = [];
  for await (const one of changes(client, { kinds: ['vm'] }, stop.signal)) {
    told.push(one);
    if (one.what === 'change' && one.change.operation === 'delete') stop.abort();
  }
  assert.deepEqual(asked, [undefined, '1.2', '1.2']);
  assert.deepEqual(
    told.map((one) => (one.what === 'change' ? one.change.operation : one.what)),
    ['ready', 'update', 'delete'],
  );
});

test('a list is fetched page by page, and no further than anybody reads', async (context) => {
  const asked: string[] = [];
  const client = await clientOf(context, (request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    asked.push(`${query.get('page')}/${query.get('pageSize')} ${query.get('sortDesc') ?? ''}`);
    const from = (Number(query.get('page')) - 1) * Number(query.get('pageSize'));
    const values = Array.from({ length: 300 }, (_, at) => ({ id: String(at) })).slice(
      from,
      from + Number(query.get('pageSize')),
    );
    response.end(JSON.stringify({ pageCount: Math.ceil(300 / Number(query.get('pageSize'))), values }));
  });
  assert.equal((await listOf(client, vms.list)).length, 300);
  assert.deepEqual(asked.splice(0), ['1/128 ', '2/128 ', '3/128 ']);
  const first = await listOf(client, vms.list, { limit: 2, sort: '-name' });
  assert.deepEqual(
    first.map(({ id }) => id),
    ['0', '1'],
  );
  assert.deepEqual(asked.splice(0), ['1/2 name']);
  assert.equal((await listOf(client, vms.list, { limit: 130 })).length, 130);
  assert.deepEqual(asked, ['1/128 ', '2/128 ']);
});
