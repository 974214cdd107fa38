/** What holds for every request, whatever it asks for. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startApi, type ApiGround } from '../../test/api/ground.ts';
import { someoneWaits } from '../../test/database/rows.ts';

suite('every request', () => {
  let api: ApiGround;
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
    assert.match(String(answer.body['message']), /roleId: "urn:vcloud:vdc:x" must match/);
  });

  test('that accepts XML only gets its error in XML', async () => {
    const answer = await api.ask('GET', '/cloudapi/1.0.0/roles', {
      headers: { accept: 'application/*+xml;version=37.0' },
    });
    assert.match(answer.text, /<Error [^>]*minorErrorCode="UNAUTHORIZED"/);
    const missing = await api.ask('GET', "/cloudapi/1.0.0/a'b&c", { headers: { accept: 'application/xml' } });
    assert.match(missing.text, /message="[^"<]*a&apos;b&amp;c [^"<]*" majorErrorCode="404"/);
  });

  test('whose connection to the database is cut gets 503, and is told when to come again', async () => {
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
      [`/cloudapi/1.0.0/roles/${'a'.repeat(300)}`, /a part of it is longer than 256 characters/],
      ['/cloudapi/1.0.0/roles/%zz', /it is not encoded as URLs are/],
    ] as const) {
      const answer = await api.ask('GET', path);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(Object.keys(answer.body), ['minorErrorCode', 'message', 'stackTrace']);
      assert.match(String(answer.body['message']), rule);
      const id = answer.headers['x-vmware-vcloud-request-id'];
      assert.ok(api.log.some((line) => line['requestId'] === id && line['status'] === 400));
    }
  });
});
