import assert from 'node:assert/strict';
import { createServer, request, Agent, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { MAX_BODY, readBody } from './body.ts';
import { StatusError } from '../status.ts';

/** Answers with the size of the body, or with the status code of the error. */
const server = createServer((incoming, response) => {
  readBody(incoming).then(
    (body) => response.end(String(body.length)),
    (error: unknown) => response.end(error instanceof StatusError ? `refused ${error.code}` : String(error)),
  );
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
after(() => {
  agent.destroy();
  server.close();
});

function post(size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', agent }, (answer: IncomingMessage) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(Buffer.alloc(size, 'a'));
  });
}

for (const size of [0, 1, 200_000, MAX_BODY]) {
  test(`a body of ${size} bytes is read`, async () => {
    assert.equal(await post(size), String(size));
  });
}

test('a body that is too large is refused, and the connection goes on', { timeout: 20_000 }, async () => {
  assert.equal(await post(MAX_BODY + 1), 'refused 413');
  assert.equal(await post(4 * MAX_BODY), 'refused 413');
  assert.equal(await post(3), '3');
});
