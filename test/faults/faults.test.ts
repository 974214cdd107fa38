/** Every fault that the sandbox simulates, as its clients see it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { startCluster, type Cluster } from '../../packages/sandbox/src/server/cluster.ts';
import { FAULT_KINDS } from '../../packages/sandbox/src/server/faults/rule.ts';
import { loadIdentity } from '../../packages/sandbox/src/server/identity.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { httpClient, type HttpAnswer, type HttpClient } from '../conformance/http.ts';
import { parseAnswer, rawRequest, type RawAnswer } from './raw.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const tested = new Set<string>();

describe('faults', { timeout: 180_000 }, () => {
  let cluster: Cluster;
  let credentials: Credentials;
  let client: HttpClient;
  const opened: RawAnswer[] = [];
  const defects: unknown[] = [];

  before(async () => {
    const identity = await loadIdentity({ host: '127.0.0.1' });
    const onDefect = (error: unknown): void => void defects.push(error);
    cluster = await startCluster({ name: 'faults', host: '127.0.0.1', port: 0, identity, eventWindow: 1000, onDefect });
    credentials = { url: cluster.url, ca: identity.authority.certificate, token: identity.token };
    client = httpClient(credentials);
    for (const name of ['a', 'b']) await create(name);
  });
  afterEach(async () => {
    for (const answer of opened.splice(0)) answer.close();
    assert.equal((await control('DELETE', 'faults')).status, 200);
  });
  after(async () => {
    client?.close();
    await cluster?.stop();
    assert.deepEqual(defects, []);
    assert.deepEqual([...tested].toSorted(), Object.keys(FAULT_KINDS).toSorted(), 'every kind is tested');
  });

  const control = (method: string, what: string, body?: JsonObject): Promise<HttpAnswer> =>
    client.send({ method, path: `/sandbox/${what}`, body });
  const get = (path: string): Promise<HttpAnswer> => client.send({ method: 'GET', path });
  const create = async (name: string): Promise<number> =>
    (
      await client.send({
        method: 'POST',
        path: CONFIG_MAPS,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(300) } },
      })
    ).status;
  const raw = (path: string): RawAnswer => {
    const answer = rawRequest(credentials, 'GET', path);
    opened.push(answer);
    return answer;
  };
  async function begin(rule: JsonObject): Promise<string> {
    const { status, body } = await control('POST', 'faults', rule);
    assert.equal(status, 201, JSON.stringify(body));
    tested.add(String(rule['kind']));
    return String((body as JsonObject)['id']);
  }
  async function until(what: string, condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!condition()) {
      assert.ok(Date.now() < deadline, `not in time: ${what}`);
      await new Promise((wake) => setTimeout(wake, 5));
    }
  }

  describe('that are answers', () => {
    const cases: readonly [kind: string, code: number, reason: string, more: JsonObject][] = [
      ['401', 401, 'Unauthorized', {}],
      ['403', 403, 'Forbidden', {}],
      ['429', 429, 'TooManyRequests', { retryAfterSeconds: 7 }],
      ['500', 500, 'InternalError', {}],
      ['503', 503, 'ServiceUnavailable', { retryAfterSeconds: 3 }],
      ['gone', 410, 'Expired', {}],
    ];
    for (const [kind, code, reason, more] of cases) {
      test(`${kind} is a Status with code ${code}`, async () => {
        await begin({ kind, ...more });
        const { status, headers, body } = await get(CONFIG_MAPS);
        const answer = body as JsonObject;
        assert.equal(status, code);
        assert.deepEqual(
          [answer['kind'], answer['status'], answer['code'], answer['reason']],
          ['Status', 'Failure', code, reason],
        );
        assert.equal(
          headers['retry-after'],
          'retryAfterSeconds' in more ? String(more['retryAfterSeconds']) : undefined,
        );
        await control('DELETE', 'faults');
        assert.equal((await get(CONFIG_MAPS)).status, 200, 'it is over when it was ended');
      });
    }
  });

  test('406 is a text without a Status, as of a framework before its handler', async () => {
    await begin({ kind: '406', path: CONFIG_MAPS });
    const { status, headers, body } = await get(CONFIG_MAPS);
    assert.deepEqual([status, headers['content-type']], [406, 'text/plain; charset=utf-8']);
    assert.match(String(body), /^406: Not Acceptable/);
    await control('DELETE', 'faults');
  });

  describe('strike', () => {
    test('requests whose path begins so, with * for any characters', async () => {
      const cases: readonly [pattern: string, hit: readonly string[], missed: readonly string[]][] = [
        ['', ['/api/v1/pods', '/version'], []],
        [
          '/api/v1/pods',
          ['/api/v1/pods', '/api/v1/pods?limit=1'],
          ['/api/v1/namespaces/default/pods', '/api/v1/nodes'],
        ],
        ['/api/v1/namespaces/*/pods', ['/api/v1/namespaces/default/pods'], ['/api/v1/pods', CONFIG_MAPS]],
        ['*configmaps', [CONFIG_MAPS, '/api/v1/configmaps'], ['/api/v1/secrets']],
        ['/apis/a.b', [], ['/apis/axb']],
      ];
      for (const [path, hit, missed] of cases) {
        const id = await begin({ kind: '503', path });
        for (const each of hit) assert.equal((await get(each)).status, 503, `${path} strikes ${each}`);
        for (const each of missed) assert.notEqual((await get(each)).status, 503, `${path} misses ${each}`);
        await control('DELETE', `faults/${id}`);
      }
    });

    test('only the verbs that they name', async () => {
      const requests: Readonly<Record<string, () => Promise<number>>> = {
        get: async () => (await get(`${CONFIG_MAPS}/a`)).status,
        list: async () => (await get(CONFIG_MAPS)).status,
        watch: async () => {
          const stream = await client.open({ method: 'GET', path: `${CONFIG_MAPS}?watch=true` });
          stream.destroy();
          return stream.statusCode ?? 0;
        },
        create: () => create('verbs'),
        update: async () =>
          (
            await client.send({
              method: 'PUT',
              path: `${CONFIG_MAPS}/verbs`,
              body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'verbs' } },
            })
          ).status,
        patch: async () =>
          (
            await client.send({
              method: 'PATCH',
              path: `${CONFIG_MAPS}/verbs`,
              headers: { 'content-type': 'application/merge-patch+json' },
              body: {},
            })
          ).status,
        delete: async () => (await client.send({ method: 'DELETE', path: `${CONFIG_MAPS}/verbs` })).status,
        deletecollection: async () =>
          (await client.send({ method: 'DELETE', path: `${CONFIG_MAPS}?labelSelector=none` })).status,
      };
      for (const verb of Object.keys(requests)) {
        const id = await begin({ kind: '403', verbs: [verb], path: CONFIG_MAPS });
        for (const [other, send] of Object.entries(requests)) {
          assert.equal((await send()) === 403, other === verb, `a fault for ${verb} and a ${other}`);
        }
        await control('DELETE', `faults/${id}`);
      }
    });

    test('as large a share of the requests as they say', async () => {
      const struck = async (share: number, requests: number): Promise<number> => {
        const id = await begin({ kind: '503', path: CONFIG_MAPS, share });
        let count = 0;
        for (let i = 0; i < requests; i++) if ((await get(`${CONFIG_MAPS}/a`)).status === 503) count++;
        await control('DELETE', `faults/${id}`);
        return count;
      };
      assert.equal(await struck(0, 50), 0);
      assert.equal(await struck(1, 50), 50);
      // Five standard deviations of a binomial distribution: by chance, less than one run in a million is outside.
      const count = await struck(0.3, 400);
      assert.ok(Math.abs(count - 120) < 5 * Math.sqrt(400 * 0.3 * 0.7), `${count} of 400`);
    });

    test('as often as they say, and are then over', async () => {
      const id = await begin({ kind: '503', path: CONFIG_MAPS, times: 2 });
      const struckOnce = await get(CONFIG_MAPS);
      const items = ((await control('GET', 'faults')).body as { items: { id: string; struck: number }[] }).items;
      assert.deepEqual(
        items.map((item) => [item.id, item.struck]),
        [[id, 1]],
      );
      const codes = [struckOnce.status, (await get(CONFIG_MAPS)).status, (await get(CONFIG_MAPS)).status];
      assert.deepEqual(codes, [503, 503, 200]);
      assert.deepEqual(((await control('GET', 'faults')).body as JsonObject)['items'], []);
    });

    test('never what the sandbox itself is steered by', async () => {
      for (const kind of Object.keys(FAULT_KINDS)) await begin({ kind, delayMs: 60_000 });
      const { status, body } = await control('GET', 'faults');
      assert.equal(status, 200);
      assert.equal((body as { items: unknown[] }).items.length, Object.keys(FAULT_KINDS).length);
      assert.equal((await control('POST', 'compact')).status, 200);
    });
  });

  describe('of connections', () => {
    test('reset cuts the connection before any byte', async () => {
      await begin({ kind: 'reset', path: CONFIG_MAPS });
      const answer = raw(CONFIG_MAPS);
      assert.equal(await answer.ended, 'ECONNRESET');
      assert.equal(answer.text(), '');
    });

    for (const [what, path] of [
      ['a list', CONFIG_MAPS],
      ['an object', `${CONFIG_MAPS}/a`],
      ['a watch', `${CONFIG_MAPS}?watch=true`],
      ['an error', `${CONFIG_MAPS}/missing`],
    ] as const) {
      test(`reset-mid-line cuts ${what} in the middle of a line`, async () => {
        await begin({ kind: 'reset-mid-line', path: CONFIG_MAPS });
        const answer = raw(path);
        assert.equal(await answer.ended, 'ECONNRESET');
        const { status, body, whole } = parseAnswer(answer.text());
        assert.equal(status, what === 'an error' ? 404 : 200);
        assert.ok(body.startsWith('{'), body);
        assert.ok(!body.includes('\n'), 'the line is not whole');
        assert.throws(() => JSON.parse(body) as unknown);
        assert.equal(whole, false);
      });

      test(`truncate ends ${what} in the middle of a line, as if it were whole`, async () => {
        await begin({ kind: 'truncate', path: CONFIG_MAPS });
        const answer = raw(path);
        await until('the answer has ended', () => parseAnswer(answer.text()).whole);
        const { status, body } = parseAnswer(answer.text());
        assert.equal(status, what === 'an error' ? 404 : 200);
        assert.ok(body.startsWith('{') && !body.includes('\n'), body);
        assert.throws(() => JSON.parse(body) as unknown);
        assert.notEqual(answer.ending(), 'ECONNRESET');
      });
    }

    test('silence sends headers of a watch and then nothing, and keeps the connection', async () => {
      await begin({ kind: 'silence', path: CONFIG_MAPS, verbs: ['watch'] });
      const silent = raw(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`);
      await until('the headers are there', () => silent.text().includes('\r\n\r\n'));
      // Another watch that began later sees an object and reaches its time limit; the silent one shows neither.
      await control('DELETE', 'faults');
      const other = raw(`${CONFIG_MAPS}?watch=true&timeoutSeconds=2`);
      await until('the other watch has begun', () => other.text().includes('"name":"a"'));
      assert.equal(await create('heard'), 201);
      await until('the other watch has ended', () => parseAnswer(other.text()).whole);
      assert.ok(other.text().includes('"name":"heard"'));
      assert.equal(parseAnswer(silent.text()).body, '');
      assert.equal(silent.ending(), undefined);
    });

    test('silence answers nothing at all to anything else', async () => {
      await begin({ kind: 'silence', path: CONFIG_MAPS });
      const silent = raw(CONFIG_MAPS);
      await until('it has struck', () => cluster.faults.list()[0]?.struck === 1);
      for (let i = 0; i < 20; i++) await get('/version');
      assert.equal(silent.text(), '');
      assert.equal(silent.ending(), undefined);
    });

    test('latency delays the answer', async () => {
      await begin({ kind: 'latency', path: CONFIG_MAPS, delayMs: 300 });
      const began = performance.now();
      assert.equal((await get(CONFIG_MAPS)).status, 200);
      assert.ok(performance.now() - began >= 295, `${performance.now() - began} ms`);
    });

    test('a client that leaves ends its latency', async () => {
      await begin({ kind: 'latency', path: CONFIG_MAPS, delayMs: 3_600_000 });
      const answer = raw(CONFIG_MAPS);
      await until('it has struck', () => cluster.faults.list()[0]?.struck === 1);
      answer.close();
    });
  });

  describe('of lists and watches', () => {
    test('a stale list is what was there some revisions ago', async () => {
      const names = (answer: HttpAnswer): string[] =>
        (answer.body as unknown as { items: { metadata: { name: string } }[] }).items.map(
          ({ metadata }) => metadata.name,
        );
      const revision = (answer: HttpAnswer): number =>
        Number((answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
      const before = await get(CONFIG_MAPS);
      assert.equal(await create('new-1'), 201);
      assert.equal(await create('new-2'), 201);
      assert.equal((await client.send({ method: 'DELETE', path: `${CONFIG_MAPS}/a` })).status, 200);
      const now = await get(CONFIG_MAPS);
      await begin({ kind: 'stale-list', path: CONFIG_MAPS, behind: revision(now) - revision(before) });
      const stale = await get(CONFIG_MAPS);
      assert.deepEqual(stale.body, before.body);
      assert.ok(names(stale).includes('a') && !names(now).includes('a'));
      assert.equal((await get(`${CONFIG_MAPS}/a`)).status, 404, 'a get is not stale');
      const tooNew = await get(`${CONFIG_MAPS}?resourceVersion=${revision(now)}`);
      assert.equal(tooNew.status, 504, 'a lagging replica cannot know what is newer than itself');
      await control('DELETE', 'faults');
      await begin({ kind: 'stale-list', behind: 1_000_000 });
      assert.ok(
        revision(await get(CONFIG_MAPS)) < revision(now),
        'further back than the window is the beginning of the window',
      );
      await create('a');
    });

    test('a slow watch delays each event, in their order', async () => {
      await begin({ kind: 'slow-watch', path: CONFIG_MAPS, delayMs: 150 });
      const at = ((await get(CONFIG_MAPS)).body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
      const watch = raw(`${CONFIG_MAPS}?watch=true&resourceVersion=${at}`);
      await until('the watch has begun', () => watch.text().includes('\r\n\r\n'));
      const began = performance.now();
      for (const name of ['slow-1', 'slow-2', 'slow-3']) assert.equal(await create(name), 201);
      await until('three events', () => parseAnswer(watch.text()).body.split('\n').length === 4);
      const took = performance.now() - began;
      assert.ok(took >= 3 * 145, `${took} ms`);
      const seen = parseAnswer(watch.text())
        .body.trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name);
      assert.deepEqual(seen, ['slow-1', 'slow-2', 'slow-3']);
    });

    test('gone-in-stream is an event of a watch, and strikes nothing else', async () => {
      await begin({ kind: 'gone-in-stream', path: CONFIG_MAPS });
      const watch = raw(`${CONFIG_MAPS}?watch=true`);
      await until('the watch has ended', () => parseAnswer(watch.text()).whole);
      const { status, body } = parseAnswer(watch.text());
      assert.equal(status, 200);
      const { type, object } = JSON.parse(body) as { type: string; object: JsonObject };
      assert.deepEqual([type, object['kind'], object['code'], object['reason']], ['ERROR', 'Status', 410, 'Expired']);
      assert.equal((await get(CONFIG_MAPS)).status, 200);
    });

    test('compaction makes older watches and pages of lists 410', async () => {
      const page = (await get(`${CONFIG_MAPS}?limit=1`)).body as {
        metadata: { resourceVersion: string; continue: string };
      };
      assert.equal(await create(`compacted`), 201);
      const { status, body } = await control('POST', 'compact');
      assert.equal(status, 200);
      assert.ok(Number((body as JsonObject)['revision']) > Number(page.metadata.resourceVersion));
      const watch = await get(`${CONFIG_MAPS}?watch=true&resourceVersion=${page.metadata.resourceVersion}`);
      assert.equal(watch.status, 200);
      const event = watch.body as { type: string; object: { code: number; message: string } };
      assert.deepEqual([event.type, event.object.code], ['ERROR', 410]);
      assert.match(event.object.message, /^too old resource version: \d+ \(\d+\)$/);
      const next = await get(`${CONFIG_MAPS}?limit=1&continue=${page.metadata.continue}`);
      assert.equal(next.status, 410);
      assert.equal((next.body as JsonObject)['reason'], 'Expired');
    });

    test('a revision that goes back ends watches, and counts on from there', async () => {
      const watch = raw(`${CONFIG_MAPS}?watch=true`);
      await until('the watch has begun', () => watch.text().includes('"ADDED"'));
      const { status, body } = await control('POST', 'revision', { revision: 5 });
      assert.deepEqual([status, body], [200, { revision: 5 }]);
      await until('the watch has ended', () => parseAnswer(watch.text()).whole);
      const list = (await get(CONFIG_MAPS)).body as { metadata: { resourceVersion: string } };
      assert.equal(list.metadata.resourceVersion, '5');
      assert.equal(await create('after-reset'), 201);
      const made = (await get(`${CONFIG_MAPS}/after-reset`)).body as { metadata: { resourceVersion: string } };
      assert.ok(Number(made.metadata.resourceVersion) >= 6 && Number(made.metadata.resourceVersion) < 10);
      const stranger = await get(`${CONFIG_MAPS}?resourceVersion=100000`);
      assert.equal(stranger.status, 504, 'a client with a future version gets 504');
    });
  });

  describe('that are asked for wrongly', () => {
    const wrong: readonly [what: string, rule: JsonObject, says: RegExp][] = [
      ['an unknown kind', { kind: '418' }, /kind: Unsupported value: "418": supported values: "401"/],
      ['no kind', {}, /kind: /],
      ['a kind of Object', { kind: 'constructor' }, /kind: Unsupported value/],
      [
        'an unknown verb',
        { kind: '503', verbs: ['look'] },
        /verbs: Unsupported value: "look": supported values: "get", "list"/,
      ],
      ['verbs that are no list', { kind: '503', verbs: 'get' }, /verbs: Invalid value: "get": must be a list/],
      [
        'a path that is no text',
        { kind: '503', path: 7 },
        /path: Invalid value: 7: must be a string that begins with \/ or \*/,
      ],
      [
        'a path that no request has',
        { kind: '503', path: 'api/v1' },
        /path: Invalid value: "api\/v1": must be a string that begins with \/ or \*/,
      ],
      ['a share above one', { kind: '503', share: 30 }, /share: Invalid value: 30: must be a number from 0 to 1/],
      [
        'a share that is no number',
        { kind: '503', share: '0.5' },
        /share: Invalid value: "0\.5": must be a number from 0 to 1/,
      ],
      [
        'a broken number of times',
        { kind: '503', times: 1.5 },
        /times: Invalid value: 1\.5: must be a whole number from 0/,
      ],
      [
        'a negative delay',
        { kind: 'latency', delayMs: -1 },
        /delayMs: Invalid value: -1: must be a whole number from 0/,
      ],
      [
        'a broken revision',
        { kind: 'stale-list', behind: 0.5 },
        /behind: Invalid value: 0\.5: must be a whole number from 0/,
      ],
      [
        'an unknown field',
        { kind: '503', probability: 1 },
        /probability: Invalid value: 1: unknown field: use kind, path/,
      ],
      ['several mistakes', { kind: 'x', share: 2, times: -1 }, /\[kind: .*, share: .*, times: /],
    ];
    for (const [what, rule, says] of wrong) {
      test(`${what} is a 422 that says what is right`, async () => {
        const { status, body } = await control('POST', 'faults', rule);
        assert.equal(status, 422, JSON.stringify(body));
        assert.equal((body as JsonObject)['reason'], 'Invalid');
        assert.match(String((body as JsonObject)['message']), says);
        assert.deepEqual(((await control('GET', 'faults')).body as JsonObject)['items'], []);
      });
    }

    test('what is no rule, no revision or no path of the controls is refused', async () => {
      const cases: readonly [method: string, what: string, body: string | undefined, code: number][] = [
        ['POST', 'faults', '[1]', 400],
        ['POST', 'faults', '{', 400],
        ['DELETE', 'faults/none', undefined, 404],
        ['POST', 'revision', '{"revision": -1}', 400],
        ['POST', 'revision', '{"revision": "5"}', 400],
        ['POST', 'revision', 'null', 400],
        ['GET', 'nothing', undefined, 404],
        ['PUT', 'faults', '{}', 404],
      ];
      for (const [method, what, body, code] of cases) {
        const { status } = await client.send({
          method,
          path: `/sandbox/${what}`,
          ...(body === undefined ? {} : { body: Buffer.from(body) }),
        });
        assert.equal(status, code, `${method} ${what} ${body}`);
      }
    });

    test('strangers do not steer', async () => {
      const stranger = httpClient(credentials, {});
      assert.equal(
        (await stranger.send({ method: 'POST', path: '/sandbox/faults', body: { kind: '503' } })).status,
        403,
      );
      stranger.close();
      assert.equal((await get(CONFIG_MAPS)).status, 200);
    });
  });
});
