/** Behavior of every request, whatever its route. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startApi, type ApiHarness } from '../../../../test/api/harness.ts';
import { someoneWaits } from '../../../../test/database/rows.ts';

suite('every request', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  test('without a session gets 401 in the one error shape, with an id that is in the log', async () => {
    const answer = await api.ask('GET', '/cloudapi/1.0.0/roles', {
      headers: { 'x-vmware-vcloud-client-request-id': 'mine-1' },
    });
    assert.equal(answer.status, 401);
    assert.equal(answer.body['minorErrorCode'], 'UNAUTHORIZED');
    assert.equal(answer.body['stackTrace'], null);
    const id = String(answer.headers['x-vmware-vcloud-request-id']);
    assert.match(id, /^mine-1-[0-9a-f-]{36}$/);
    assert.ok(api.log.some((line) => line['requestId'] === id));
  });

  test('for the root leads to the explorer page, which has our name', async () => {
    const root = await api.ask('GET', '/');
    assert.deepEqual([root.status, root.headers['location']], [302, '/docs']);
    const page = await api.ask('GET', '/docs');
    assert.equal(page.status, 200);
    assert.match(page.text, /<title>ssvirt API<\/title>/);
  });

  test('with a session is answered, in an envelope', async () => {
    const { token } = await api.person('Read-only');
    const answer = await api.ask('GET', '/cloudapi/1.0.0/roles/', { token });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body['resultTotal'], 5);
  });

  test('for what is not there at all gets 404, for a missing object 403', async () => {
    const { token } = await api.person('vApp User');
    assert.equal((await api.ask('GET', '/cloudapi/1.0.0/nothing', { token })).status, 404);
    const missing = await api.ask('GET', '/cloudapi/1.0.0/roles/urn:vcloud:role:00000000-0000-4000-8000-0000000000ff', {
      token,
    });
    assert.equal(missing.status, 403);
    assert.equal(missing.body['minorErrorCode'], 'ACCESS_TO_RESOURCE_IS_FORBIDDEN');
  });

  test('with a malformed id gets 400 that names field, value and rule', async () => {
    const { token } = await api.person('vApp User');
    const answer = await api.ask('GET', '/cloudapi/1.0.0/roles/urn:vcloud:vdc:x', { token });
    assert.equal(answer.status, 400);
    assert.match(String(answer.body['message']), /roleId is "urn:vcloud:vdc:x"; it must be urn:vcloud:role:UUID/);
  });

  test('that accepts XML only gets its error in XML', async () => {
    const answer = await api.ask('GET', '/cloudapi/1.0.0/roles', {
      headers: { accept: 'application/*+xml;version=37.0' },
    });
    assert.match(answer.text, /<Error [^>]*minorErrorCode="UNAUTHORIZED"/);
    const missing = await api.ask('GET', "/cloudapi/1.0.0/a'b&c", { headers: { accept: 'application/xml' } });
    assert.match(missing.text, /message="[^"<]*a&apos;b&amp;c[^"<]*" majorErrorCode="404"/);
  });

  test('whose connection to the database is cut gets 503, and when to come again', async () => {
    const { token } = await api.person('vApp User');
    const asked = await api.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const held = api.ask('GET', '/cloudapi/1.0.0/roles', { token });
      await someoneWaits(api.db, 1);
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
      `.execute(tx);
      return held;
    });
    assert.deepEqual([asked.status, asked.body['minorErrorCode']], [503, 'SERVICE_UNAVAILABLE']);
    assert.match(String(asked.headers['retry-after']), /^\d+$/);
  });

  test('whose URL cannot be read gets 400 in the one error shape, with an id that is in the log', async () => {
    for (const [path, rule] of [
      [`/cloudapi/1.0.0/roles/${'a'.repeat(300)}`, /a path segment is longer than 256 characters/],
      ['/cloudapi/1.0.0/roles/%zz', /it is not percent-encoded correctly/],
    ] as const) {
      const answer = await api.ask('GET', path);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(Object.keys(answer.body), ['minorErrorCode', 'message', 'stackTrace']);
      assert.match(String(answer.body['message']), rule);
      const id = answer.headers['x-vmware-vcloud-request-id'];
      assert.ok(api.log.some((line) => line['requestId'] === id && line['status'] === 400));
    }
  });

  test('that is no HTTP, or is too large to be read, gets 400 in the one error shape, with an id that is in the log', async () => {
    for (const [sent, rule] of [
      ['GET /healthz HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', /it is not HTTP/],
      [
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
        /its headers are larger than 16 KiB/,
      ],
    ] as const) {
      const [head = '', body = ''] = (await answerTo(sent)).split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 400 /);
      const { minorErrorCode, message, stackTrace } = JSON.parse(body) as Record<string, unknown>;
      assert.deepEqual([minorErrorCode, stackTrace], ['BAD_REQUEST', null]);
      assert.match(String(message), rule);
      const id = /x-vmware-vcloud-request-id: (\S+)/.exec(head)?.[1];
      assert.ok(api.log.some((line) => line['requestId'] === id && line['status'] === 400));
    }
  });

  test('with a body that is deeper than any stack gets 400, also without a session', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answer = await api.ask('POST', '/oauth/provider/token', {
      headers: { 'content-type': 'application/json' },
      body: `{"grant_type":${deep}}`,
    });
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body['message'], 'grant_type is a list; it must be a text.');
  });

  test('by a method that the path does not know gets 405, and the methods that it knows', async () => {
    const { token } = await api.person('System Administrator');
    for (const [method, path, allow] of [
      ['PATCH', '/cloudapi/1.0.0/orgs/', 'GET, HEAD, POST'],
      ['POST', '/cloudapi/1.0.0/sessions/current', 'GET, HEAD, DELETE'],
      ['OPTIONS', '/api/versions?x', 'GET, HEAD'],
    ] as const) {
      const answer = await api.ask(method, path, { token, headers: { 'x-http-method-override': 'GET' } });
      assert.deepEqual(
        [answer.status, answer.body['minorErrorCode'], answer.headers['allow']],
        [405, 'METHOD_NOT_ALLOWED', allow],
      );
    }
  });

  test('with a body of a kind that is not asked for gets 415', async () => {
    const { token } = await api.person('System Administrator');
    for (const type of ['application/x-www-form-urlencoded', 'application/json-not', 'text/plain']) {
      const answer = await api.ask('POST', '/cloudapi/1.0.0/orgs', {
        token,
        headers: { 'content-type': type },
        body: type.endsWith('urlencoded') ? 'name=made' : '{"name":"made"}',
      });
      assert.deepEqual([answer.status, answer.body['minorErrorCode']], [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
    }
  });

  test('with a body that is no JSON, or has a key that could poison objects, gets 400 and where to look', async () => {
    const { token } = await api.person('System Administrator');
    for (const body of ['{"name": "x", ', '{"name": "x", "__proto__": {}}']) {
      const answer = await api.ask('POST', '/cloudapi/1.0.0/orgs', {
        token,
        headers: { 'content-type': 'application/json' },
        body,
      });
      assert.equal(answer.status, 400, body);
      assert.match(String(answer.body['message']), /not valid JSON: check quotes.*"__proto__"/);
    }
  });

  async function answerTo(sent: string): Promise<string> {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer came')));
    socket.write(sent);
    return text(socket);
  }
});
