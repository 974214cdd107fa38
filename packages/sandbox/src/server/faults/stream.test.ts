import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { cutMidLine, muteAfterHeaders, slowDown } from './stream.ts';

interface Read {
  readonly text: string;
  /** Whether the answer ended correctly by HTTP's rules. */
  readonly whole: boolean;
}

/** What a client receives of an answer; `enough` ends reading an answer that does not end by itself. */
async function read(serve: (response: ServerResponse) => void, enough?: (text: string) => boolean): Promise<Read> {
  const server = createServer((_request, response) => serve(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    let text = '';
    response.on('error', () => undefined); // an interrupted answer; `complete` shows its result
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (enough?.(text) === true) response.destroy();
    });
    await new Promise((closed) => response.once('close', closed));
    return { text, whole: response.complete };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const fixed = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Length': '8' });
  response.end('12345678');
};
const stream = (response: ServerResponse): void => {
  response.writeHead(200);
  response.flushHeaders();
  response.write('1234\n');
  response.write('5678\n');
};
const forms = [
  ['an answer of a known length', fixed, '1234'],
  ['a stream', stream, '12'],
] as const;

for (const [name, send, half] of forms) {
  test(`${name} that is truncated ends politely in its middle`, async () => {
    const answer = await read((response) => {
      cutMidLine(response, true, () => assert.fail('nothing is to be cut'));
      send(response);
    });
    assert.deepEqual(answer, { text: half, whole: true });
  });

  test(`${name} that is cut breaks off in its middle`, async () => {
    const answer = await read((response) => {
      cutMidLine(response, false, () => response.destroy());
      send(response);
    });
    assert.deepEqual(answer, { text: half, whole: false });
  });
}

test('a muted stream has headers and nothing else', async () => {
  const answer = await read(
    (response) => {
      const write = response.write.bind(response);
      muteAfterHeaders(response);
      stream(response);
      setImmediate(() => write('end of the test'));
    },
    (text) => text.length > 0,
  );
  assert.equal(answer.text, 'end of the test');
});

test('chunks of a slow stream come in their order, one delay after the other, and then its end', async () => {
  const began = performance.now();
  const answer = await read((response) => {
    slowDown(response, 30);
    stream(response);
    response.end('last');
  });
  assert.deepEqual(answer, { text: '1234\n5678\nlast', whole: true });
  // Timers may fire a millisecond early.
  assert.ok(performance.now() - began >= 4 * 29);
});

test('a slow stream that is far behind is cut', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const answer = await read((response) => {
    response.writeHead(200);
    response.flushHeaders();
    slowDown(response, 60_000);
    for (let i = 0; i < 40; i++) response.write(megabyte);
  });
  assert.deepEqual(answer, { text: '', whole: false });
});
