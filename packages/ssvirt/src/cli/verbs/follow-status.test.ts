/** Waiting for the status of a VM, on a server whose answers are scripted. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { ApiClient } from '../api/client.ts';
import { vapps, vms } from '../api/entity-kinds.ts';
import { clientOf, event } from '../api/server.fixture.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { ProgressLine } from '../output/progress.ts';
import { followStatus } from './follow-status.ts';
import { afterTask } from './task-verb.ts';

type Vm = Awaited<ReturnType<typeof vms.get>>;

const id = 'urn:vcloud:vm:1';
const vm = (status: string, more: object = {}): Vm =>
  ({ id, name: 'web', status, stale: false, fault: null, ...more }) as unknown as Vm;

/** A server on which the object is each of these in turn, and stays the last; undefined is gone. */
function serverOf(
  context: Parameters<typeof clientOf>[0],
  states: readonly (object | undefined)[],
  task?: object,
): Promise<ApiClient> {
  let reads = 0;
  return clientOf(context, (request: IncomingMessage, response: ServerResponse) => {
    const { url = '' } = request;
    if (url.includes('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const at of states.keys()) response.write(event(`1.${at}`, at === 0 ? 'ready' : 'vm', {}));
    } else if (url.includes('/tasks/')) response.end(JSON.stringify(task));
    else {
      const now = states[Math.min(reads++, states.length - 1)];
      if (now === undefined) response.writeHead(403).end('{"message":"No access."}');
      else response.end(JSON.stringify(now));
    }
  });
}

async function lines(client: ApiClient, awaited: string): Promise<readonly string[]> {
  let said = '';
  const asked = { kind: vms, one: vm('UNRESOLVED'), awaited, timeoutMs: 60_000 };
  await followStatus(client, asked, new ProgressLine({ write: (text) => (said += text) }));
  return said.split('\n').slice(0, -1);
}

const failing = (exitCode: number, sentence: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CliFailure);
  assert.equal(error.exitCode, exitCode);
  assert.match(error.message, sentence);
  return true;
};

test('each status is said once, one that is stale proves nothing, and the last line has the result', async (context) => {
  const states = [
    vm('UNRESOLVED'),
    vm('POWERED_ON', { stale: true, staleReason: { message: 'The cluster is silent.' } }),
    vm('POWERING_ON'),
    vm('POWERING_ON'),
    vm('POWERED_ON'),
  ];
  assert.deepEqual(await lines(await serverOf(context, states), 'running'), [
    'web: UNRESOLVED',
    'web: POWERED_ON (stale): The cluster is silent',
    'web: POWERING_ON',
    'web: POWERED_ON',
  ]);
});

test('a VM that has failed ends the wait with the reason, and not the wait for its deletion', async (context) => {
  const failed = vm('FAILED', { fault: { reason: 'NO_ROOM', message: 'No node has room.' } });
  const states = [vm('POWERING_ON'), failed];
  await assert.rejects(
    lines(await serverOf(context, states), 'running'),
    failing(exitCodes.taskFailed, /^web: FAILED: No node has room$/),
  );
  assert.deepEqual(await lines(await serverOf(context, [failed, undefined]), 'deleted'), [
    'web: FAILED: No node has room',
    'web: DELETED',
  ]);
});

test('one that is deleted meanwhile never runs, and a status that does not come times out', async (context) => {
  await assert.rejects(
    lines(await serverOf(context, [vm('POWERING_ON'), undefined]), 'running'),
    failing(exitCodes.notFound, /^web was deleted/),
  );
  const client = await serverOf(context, [vm('POWERED_ON')]);
  await assert.rejects(
    followStatus(client, { kind: vms, one: vm('POWERED_ON'), awaited: 'off', timeoutMs: 300 }),
    failing(exitCodes.timeout, /^web is not off after 300ms: .*See "ssvirt vm get urn:vcloud:vm:1"/),
  );
});

test('a vApp fails with one of its VMs', async (context) => {
  const of = (status: string) => ({
    ...vm('MIXED'),
    vms: [
      { name: 'a', status: 'POWERED_ON' },
      { name: 'b', status },
    ],
  });
  const client = await serverOf(context, [of('POWERING_ON'), of('FAILED')]);
  const one = { ...vm('UNRESOLVED'), name: 'shop' } as unknown as Awaited<ReturnType<typeof vapps.get>>;
  await assert.rejects(
    followStatus(client, { kind: vapps, one, awaited: 'running', timeoutMs: 60_000 }),
    failing(exitCodes.taskFailed, /^shop: MIXED: failed: b$/),
  );
});

test('the wait for a creation goes on until the VM runs, if the task says that it is powered on', async (context) => {
  const task = (powerOn: boolean) => ({
    id: 'urn:vcloud:task:1',
    operation: 'Creating web',
    operationName: 'vmCreate',
    status: 'success',
    progress: 100,
    step: '',
    message: '',
    details: { powerOn },
  });
  const wait = async (powerOn: boolean): Promise<string> => {
    const client = await serverOf(context, [vm('POWERING_ON'), vm('POWERED_ON')], task(powerOn));
    const answered = { ...vm('UNRESOLVED'), task: { id: 'urn:vcloud:task:1' } as never };
    return (await afterTask(client, vms, answered, 60_000)).status;
  };
  assert.equal(await wait(true), 'POWERED_ON');
  assert.equal(await wait(false), 'POWERING_ON');
});
