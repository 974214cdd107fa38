import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import { startApi, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVdc, unique } from '../../../../../test/database/rows.ts';
import type { AuditEvent } from '../../db/retention/audit.ts';
import type { UserId } from '../../db/schema/schema.ts';

const trail = '/cloudapi/1.0.0/auditTrail';

suite('the audit', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let provider: Person;
  before(async () => {
    api = await startApi();
    provider = await api.person('System Administrator');
  });
  after(() => api.stop());

  const eventsOf = (user: UserId): Promise<Omit<AuditEvent, 'organization_name'>[]> =>
    api.db.selectFrom('audit_events').selectAll().where('user_id', '=', user).orderBy('at').execute();

  /** Records are written after the response. */
  async function eventually(user: UserId, count: number): Promise<Omit<AuditEvent, 'organization_name'>[]> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const events = await eventsOf(user);
      if (events.length >= count) return events;
      await pause(5);
    }
    throw new Error(`there are not ${count} events after 10 s`);
  }

  test('tells who did what to what, when, from where, and by which request', async () => {
    const name = unique('org');
    const made = await api.ask('POST', '/cloudapi/1.0.0/orgs', { token: provider.token, body: { name } });
    const orgId = String(made.body['id']);
    const filter = encodeURIComponent(`entity.id==${orgId}`);
    const listed = await api.ask('GET', `${trail}?filter=${filter}`, { token: provider.token });
    assert.equal(listed.status, 200, listed.text);
    const [event, ...more] = listed.body['values'] as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.ok(event !== undefined);
    const { id, eventId, timestamp, user, ...rest } = event;
    assert.equal(id, `urn:vcloud:auditTrail:${String(eventId)}`);
    assert.match(String(timestamp), /^\d{4}-.*Z$/);
    assert.equal((user as { id: string }).id, `urn:vcloud:user:${provider.userId}`);
    assert.deepEqual(rest, {
      action: 'organizations.create',
      outcome: 'success',
      org: { name, id: orgId },
      entity: { name, id: orgId },
      requestId: made.headers['x-vmware-vcloud-request-id'],
      clientAddress: '127.0.0.1',
      details: { fields: ['name'] },
    });
    const one = await api.ask('GET', `${trail}/${id}`, { token: provider.token });
    assert.deepEqual(one.body, event);
  });

  test('is read by administrators, of their own organization only', async () => {
    const [mine, theirs] = [await api.person('Organization Administrator'), await api.person('vApp User')];
    for (const { organizationId } of [mine, theirs])
      await api.ask('PUT', `/cloudapi/1.0.0/orgs/urn:vcloud:org:${organizationId}`, {
        token: provider.token,
        body: { description: 'x' },
      });
    const { body } = await api.ask('GET', trail, { token: mine.token });
    const listed = body['values'] as { org: { id: string } }[];
    assert.deepEqual(
      listed.map(({ org }) => org.id),
      [`urn:vcloud:org:${mine.organizationId}`],
    );
    const foreign = await api.db
      .selectFrom('audit_events')
      .select('id')
      .where('organization_id', '=', theirs.organizationId)
      .executeTakeFirstOrThrow();
    const path = `${trail}/urn:vcloud:auditTrail:${foreign.id}`;
    assert.equal((await api.ask('GET', path, { token: mine.token })).status, 403);
    assert.equal((await api.ask('GET', path, { token: provider.token })).status, 200);
    assert.equal((await api.ask('GET', trail, { token: theirs.token })).status, 403);
  });

  test('has each refused request once, with the user who sent it', async () => {
    const user = await api.person('vApp User');
    const { id } = await makeVdc(api.db);
    const path = `/api/admin/org/urn:vcloud:org:${user.organizationId}/vdcs/urn:vcloud:vdc:${id}`;
    const answer = await api.ask('DELETE', path, { token: user.token });
    assert.equal(answer.status, 403);
    const [event] = await eventually(user.userId, 1);
    assert.deepEqual(
      [event?.action, event?.outcome, event?.entity_kind, event?.entity_id, event?.organization_id],
      ['vdcs.delete', 'refused', 'vdc', id, user.organizationId],
    );
    assert.equal(event?.request_id, answer.headers['x-vmware-vcloud-request-id']);
    assert.deepEqual(event?.details, {
      code: 'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      method: 'DELETE',
      route: '/api/admin/org/:orgId/vdcs/:vdcId',
    });
    // Reads, bad requests and requests without a session are not recorded; the next refusal is the next record.
    await api.ask('GET', trail, { token: user.token });
    await api.ask('POST', '/cloudapi/1.0.0/tasks/urn:vcloud:task:x/cancel', { token: user.token });
    await api.ask('POST', '/cloudapi/1.0.0/orgs', { token: user.token, body: { name: 'x' } });
    const all = await eventually(user.userId, 2);
    assert.deepEqual(
      all.map(({ action }) => action),
      ['vdcs.delete', 'organizations.create'],
    );
  });

  test('has a refused request whose client hung up before the answer', async () => {
    const user = await api.person('vApp User');
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = [
      'DELETE /cloudapi/1.0.0/orgs/urn:vcloud:org:00000000-0000-4000-8000-0000000000ff HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${user.token}`,
    ];
    await new Promise<void>((written) => socket.write(`${head.join('\r\n')}\r\n\r\n`, () => written()));
    socket.destroy();
    const events = await eventually(user.userId, 1);
    assert.deepEqual(
      events.map(({ action, outcome }) => [action, outcome]),
      [['organizations.delete', 'refused']],
    );
  });

  test('has what failed on our side, and not a word of what was undone', async () => {
    const admin = await api.person('System Administrator');
    // An unexpected error at the end of the transaction: the audit record in it is rolled back with the rest.
    await api.test.database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'hidden away'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      const body = { name: unique('org') };
      const answer = await api.ask('POST', '/cloudapi/1.0.0/orgs', { token: admin.token, body });
      assert.equal(answer.status, 500);
      assert.doesNotMatch(answer.text, /hidden away/);
    } finally {
      await api.test.database.pool.query('DROP TRIGGER refuse ON organizations');
    }
    const events = await eventually(admin.userId, 1);
    assert.deepEqual(
      events.map(({ action, outcome }) => [action, outcome]),
      [['organizations.create', 'failed']],
    );
  });
});
