import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { BoundedMap } from '@ssvirt/kube/bounded-map';
import { KubeError } from '@ssvirt/kube/errors';
import type { WebhookRecord } from '../../../kubevirt/order/resource.ts';
import { askAap, askAapToDelete, type Aap, type AapWork } from './aap.ts';
import type { Order } from '../operator/order-types.ts';
import { WebhookClient } from './webhook-client.ts';

const log = pino({ level: 'silent' });
const order: Order = {
  metadata: { name: 'web', namespace: 'orders', uid: 'u-1', resourceVersion: '1', managedFields: [{ manager: 'x' }] },
  spec: { templateID: 'osac.templates.ocp_virt_vm', templateParameters: '{"cpu_cores":2}' },
};

interface Call {
  readonly path: string;
  readonly key: string;
  readonly body: { readonly metadata: object; readonly status: { readonly desiredConfigVersion: string } };
  /** The record in the order when the call arrived. */
  readonly record: WebhookRecord | undefined;
}

interface Harness {
  readonly work: AapWork;
  readonly calls: Call[];
  readonly counted: string[];
  /** The next answers; 200 when the list is empty. 0 closes the connection. */
  readonly answers: number[];
  /** This many writes are refused with a conflict. */
  conflicts: number;
  readonly record: () => WebhookRecord | undefined;
}

/** AAP at a real address, and an order whose status is kept in memory. */
async function groundOf(t: TestContext, times: Partial<Aap['times']> = {}): Promise<Harness> {
  const calls: Call[] = [];
  const answers: number[] = [];
  const counted: string[] = [];
  let now = order;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      calls.push({
        path: request.url ?? '',
        key,
        body: JSON.parse(text) as Call['body'],
        record: now.status?.webhook,
      });
      const status = answers.shift() ?? 200;
      if (status === 0) response.socket?.resetAndDestroy();
      else response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => void server.close());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new WebhookClient({ timeoutMs: 5000 }, log);
  t.after(() => client.close());
  const aap: Aap = {
    client,
    urls: { create: new URL(`${at}/create-vm`), delete: new URL(`${at}/delete-vm`) },
    times: {
      minimumIntervalMs: 0,
      retryInitialMs: 60_000,
      retryLongestMs: 300_000,
      repeatAfterMs: 900_000,
      quietPeriodMs: 900_000,
      ...times,
    },
    calling: { now: 0, most: 1 },
    unwritten: new BoundedMap(10),
    called: (action, outcome) => void counted.push(`${action} ${outcome}`),
  };
  const harness: Harness = {
    work: {
      aap,
      log,
      refuse: () => Promise.resolve(),
      signal: new AbortController().signal,
      journal: {
        get order(): Order {
          return now;
        },
        status(some) {
          if (harness.conflicts > 0) {
            harness.conflicts--;
            return Promise.reject(new KubeError('Conflict', 'another wrote first'));
          }
          now = { ...now, status: { ...now.status, ...some } };
          return Promise.resolve();
        },
      },
    },
    calls,
    counted,
    answers,
    conflicts: 0,
    record: () => now.status?.webhook,
  };
  return harness;
}

test('AAP: an order is posted once, and not again while AAP works on it', async (t) => {
  const { work, calls, counted, record } = await groundOf(t);
  const first = await askAap(work, 'v1');
  const second = await askAap(work, 'v1');
  assert.equal(first.state, 'accepted');
  assert.equal(second.state, 'accepted');
  assert.equal(calls.length, 1);
  assert.deepEqual(counted, ['create accepted']);
  const [call] = calls;
  assert.equal(call?.path, '/create-vm');
  assert.equal(call?.key, 'u-1-create-v1');
  assert.equal(call?.body.status.desiredConfigVersion, 'v1');
  assert.ok(!('managedFields' in (call?.body.metadata ?? {})));
  assert.equal(record()?.acceptedTime, record()?.lastAttemptTime);
});

test('AAP: before AAP is asked the status has the call, as not answered', async (t) => {
  const { work, calls } = await groundOf(t);
  await askAap(work, 'v1');
  const ahead = calls[0]?.record;
  assert.equal(ahead?.action, 'create');
  assert.equal(ahead?.configVersion, 'v1');
  assert.equal(ahead?.acceptedTime, undefined);
  assert.notEqual(ahead?.unansweredTime, undefined);
});

test('AAP: nothing is sent where that cannot be written down before', async (t) => {
  const harness = await groundOf(t);
  harness.conflicts = 1;
  await assert.rejects(askAap(harness.work, 'v1'), KubeError);
  assert.equal(harness.calls.length, 0);
});

test('AAP: an outcome that could not be written is written in the next round, and AAP is not asked again for it', async (t) => {
  const harness = await groundOf(t);
  const { work, calls } = harness;
  const write = work.journal.status.bind(work.journal);
  let writes = 0;
  const second: AapWork = {
    ...work,
    journal: {
      get order(): Order {
        return work.journal.order;
      },
      status(some) {
        if (++writes === 2) harness.conflicts = 1;
        return write(some);
      },
    },
  };
  await assert.rejects(askAap(second, 'v1'), KubeError);
  assert.equal(harness.record()?.acceptedTime, undefined);
  assert.equal((await askAap(work, 'v1')).state, 'accepted');
  assert.notEqual(harness.record()?.acceptedTime, undefined);
  assert.equal(calls.length, 1);
});

test('AAP: after a crash in the middle of a call the same key is sent again, when the back-off is over', async (t) => {
  const { work, calls } = await groundOf(t, { retryInitialMs: 1 });
  // The record that a previous process left.
  const lastAttemptTime = new Date(Date.now() - 10).toISOString();
  const webhook: WebhookRecord = {
    action: 'create',
    configVersion: 'v1',
    attempts: 1,
    lastAttemptTime,
    lastError: 'x',
  };
  await work.journal.status({ webhook });
  assert.equal((await askAap(work, 'v1')).state, 'accepted');
  assert.deepEqual(
    calls.map(({ key }) => key),
    ['u-1-create-v1'],
  );
});

test('AAP: a failure is reported, counted and not repeated before its time', async (t) => {
  const { work, calls, counted, answers, record } = await groundOf(t);
  answers.push(503);
  const outcome = await askAap(work, 'v1');
  assert.equal(outcome.state, 'failing');
  assert.ok(outcome.state === 'failing' && outcome.problem.reason === 'WebhookFailed');
  assert.match(outcome.problem.message, /answers 503; it was called once, and is called again automatically/);
  assert.ok(outcome.requeueAfterMs > 30_000 && outcome.requeueAfterMs <= 60_000);
  assert.equal((await askAap(work, 'v1')).state, 'failing');
  assert.equal(calls.length, 1);
  assert.deepEqual(counted, ['create failed']);
  assert.equal(record()?.unansweredTime, undefined);
});

test('AAP: failures in a row use one key, and an answer that is lost counts as perhaps taken', async (t) => {
  const { work, calls, answers, counted, record } = await groundOf(t, { retryInitialMs: 0, retryLongestMs: 0 });
  answers.push(500, 0, 200);
  assert.equal((await askAap(work, 'v1')).state, 'failing');
  assert.equal((await askAap(work, 'v1')).state, 'failing');
  assert.equal(record()?.attempts, 2);
  assert.notEqual(record()?.unansweredTime, undefined);
  assert.equal((await askAap(work, 'v1')).state, 'accepted');
  assert.deepEqual(new Set(calls.map(({ key }) => key)), new Set(['u-1-create-v1']));
  assert.deepEqual(counted, ['create failed', 'create unreachable', 'create accepted']);
});

test('AAP: another version is asked for at once with a key of its own, but not within the minimum interval', async (t) => {
  const { work, calls } = await groundOf(t);
  await askAap(work, 'v1');
  await askAap(work, 'v2');
  await askAapToDelete(work, 'v2');
  assert.deepEqual(
    calls.map(({ path, key }) => `${path} ${key}`),
    ['/create-vm u-1-create-v1', '/create-vm u-1-create-v2', '/delete-vm u-1-delete-v2'],
  );
  const slow = await groundOf(t, { minimumIntervalMs: 60_000 });
  await askAap(slow.work, 'v1');
  const outcome = await askAap(slow.work, 'v2');
  assert.equal(outcome.state, 'waiting');
  assert.equal(slow.calls.length, 1);
});

test('AAP: what was accepted and brought nothing is asked for again, by the same key', async (t) => {
  const { work, calls } = await groundOf(t, { repeatAfterMs: 0 });
  await askAap(work, 'v1');
  await askAap(work, 'v1');
  assert.deepEqual(
    calls.map(({ key }) => key),
    ['u-1-create-v1', 'u-1-create-v1'],
  );
});

test('AAP: without a URL nothing is written or sent, and the order says what to do', async (t) => {
  const { work, calls, record } = await groundOf(t);
  const bare = { ...work, aap: { ...work.aap, urls: {} } };
  const outcomes = [await askAap(bare, 'v1'), await askAapToDelete(bare, 'v1')];
  for (const [at, url] of ['createUrl', 'deleteUrl'].entries()) {
    const outcome = outcomes[at];
    assert.ok(outcome?.state === 'unconfigured' && outcome.problem.reason === 'WebhookNotConfigured');
    assert.match(outcome.problem.message, new RegExp(`cloudkit\\.aap\\.${url} is not set`));
  }
  assert.equal(calls.length, 0);
  assert.equal(record(), undefined);
});

test('AAP: a process that ends during a call leaves what it has written ahead', async (t) => {
  const { work, record } = await groundOf(t);
  const ending = new AbortController();
  ending.abort();
  await assert.rejects(askAap({ ...work, signal: ending.signal }, 'v1'), { kind: 'Aborted' });
  assert.notEqual(record()?.unansweredTime, undefined);
});
