/** Waiting for a task survives an outage of the server. If the server never returns, the error names the task. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, event } from '../api/server.fixture.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { ProgressLine } from '../output/progress.ts';
import { followTask } from './follow.ts';

const id = 'urn:vcloud:task:1';
const task = (status: string): object => ({ id, operation: 'Creating', status, progress: 0, step: '', message: '' });

test('a server that breaks off while it is asked how far the task is, and is gone for a moment, is asked again', async (context) => {
  let looks = 0;
  const client = await clientOf(context, (request, response) => {
    if (request.url?.includes('/events') === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('1.1', 'ready', {}));
      return;
    }
    looks++;
    if (looks === 1) request.socket.destroy();
    else if (looks === 2)
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"Just now."}');
    else response.end(JSON.stringify(task('success')));
  });
  const ended = await followTask(client, id, 60_000);
  assert.equal(ended.status, 'success');
  assert.equal(looks, 3);
});

test('where no answer reports the task at all, the output says how to go on waiting for it', async (context) => {
  const client = await clientOf(context, (request) => request.socket.destroy());
  await assert.rejects(followTask(client, id, 60_000), (error) => {
    assert.ok(error instanceof CliFailure);
    assert.equal(error.exitCode, exitCodes.unavailable);
    assert.match(error.message, /was lost before the response arrived.*"ssvirt task wait urn:vcloud:task:1"/);
    return true;
  });
});

test('what the server refuses is not asked again', async (context) => {
  const client = await clientOf(context, (request, response) => {
    if (request.url?.includes('/events') === true)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('1.1', 'ready', {}));
    else response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Not for you."}');
  });
  await assert.rejects(followTask(client, id, 60_000), /Not for you/);
});

test('the progress never goes back, and the result is the last line', async (context) => {
  const progress = [0, 40, 20, 60, 100];
  const client = await clientOf(context, (request, response) => {
    if (request.url?.includes('/events') === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const at of progress.keys()) response.write(event(`1.${at}`, at === 0 ? 'ready' : 'task', {}));
      return;
    }
    const now = progress.shift() ?? 100;
    response.end(JSON.stringify({ ...task(now === 100 ? 'success' : 'running'), progress: now }));
  });
  let said = '';
  await followTask(client, id, 60_000, new ProgressLine({ write: (text) => (said += text) }));
  assert.equal(
    said,
    'Creating: running 0 %\nCreating: running 40 %\nCreating: running 60 %\nCreating: success 100 %\n',
  );
});
