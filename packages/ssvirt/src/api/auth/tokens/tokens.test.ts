/** API tokens, with the requests of VCD's clients. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import {
  startApi,
  testSettings,
  type Answer,
  type ApiHarness,
  type Person,
} from '../../../../../../test/api/harness.ts';
import { fromElsewhere } from '../../../../../../test/api/log-in.ts';
import { someoneWaits, unique } from '../../../../../../test/database/rows.ts';
import { lockUser } from '../../../db/tenants/lock-user.ts';
import { updateOrganization } from '../../../db/tenants/organizations.ts';
import type { OrganizationId } from '../../../db/schema/schema.ts';
import { updateUser } from '../../../db/tenants/users.ts';
import { systemOrganization } from '../../caller.ts';
import { sessionHousekeeping } from '../sessions/housekeeping.ts';

const tokens = '/cloudapi/1.0.0/tokens';
const current = '/cloudapi/1.0.0/sessions/current';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

suite('API tokens', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi({ settings: { ...testSettings, trustProxy: '127.0.0.1' } });
  });
  after(() => api.stop());

  async function nameOf(organization: OrganizationId): Promise<string> {
    const row = await api.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organization)
      .executeTakeFirstOrThrow();
    return row.name;
  }

  async function doorOf({ organizationId }: Person): Promise<string> {
    const name = await nameOf(organizationId);
    return name === 'System' ? '/oauth/provider' : `/oauth/tenant/${name}`;
  }

  function form(path: string, fields: Readonly<Record<string, string>>, headers = fromElsewhere()): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    return api.ask('POST', path, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  const register = async (me: Person, name = unique('client')): Promise<Answer> =>
    api.ask('POST', `${await doorOf(me)}/register`, { token: me.token, body: { client_name: name } });

  async function handedOut(
    me: Person,
  ): Promise<{ readonly id: string; readonly refresh: string; readonly door: string }> {
    const door = await doorOf(me);
    const { client_id } = (await register(me)).body as { readonly client_id: string };
    const answer = await form(`${door}/token`, { grant_type: jwtBearer, assertion: me.token, client_id });
    assert.equal(answer.status, 200, answer.text);
    return { id: client_id, refresh: String(answer.body['refresh_token']), door };
  }

  const exchange = (door: string, refresh_token: string, headers = fromElsewhere()): Promise<Answer> =>
    form(`${door}/token`, { grant_type: 'refresh_token', refresh_token }, headers);

  const use = async (token: unknown): Promise<number> =>
    (await api.ask('GET', current, { token: String(token) })).status;

  test('a token is registered, read, handed out once, and exchanged for sessions as often as one likes', async () => {
    for (const role of ['vApp User', 'System Administrator'] as const) {
      const me = await api.person(role);
      const door = await doorOf(me);
      const name = unique('client');
      const registered = await register(me, name);
      assert.equal(registered.status, 200, registered.text);
      const { client_id, client_name } = registered.body as {
        readonly client_id: string;
        readonly client_name: string;
      };
      assert.equal(client_name, name);
      const shown = await api.ask('GET', `${tokens}/urn:vcloud:token:${client_id}`, { token: me.token });
      assert.deepEqual([shown.body['name'], shown.body['token'], shown.body['type']], [name, null, 'REFRESH']);
      const grant = { grant_type: jwtBearer, assertion: me.token, client_id };
      const first = await form(`${door}/token`, grant);
      assert.equal(first.status, 200, first.text);
      const refresh = String(first.body['refresh_token']);
      assert.match(refresh, /^[\w-]{43}$/);
      assert.equal((await form(`${door}/token`, grant)).status, 401, 'once');
      for (let time = 0; time < 2; time += 1) {
        const { status, body } = await exchange(door, refresh);
        assert.equal(status, 200);
        const { access_token, ...rest } = body;
        assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, refresh_token: null });
        assert.equal(await use(access_token), 200);
      }
      const { rows } = await sql<{ readonly text: string }>`
        SELECT t::text AS text FROM api_tokens t UNION ALL SELECT e::text FROM audit_events e
      `.execute(api.db);
      assert.equal(`${JSON.stringify(rows)}${JSON.stringify(api.log)}`.includes(refresh), false);
    }
  });

  test('the session of a token lasts as long as configured, used or not', async () => {
    const { refresh, door } = await handedOut(await api.person('vApp User'));
    await exchange(door, refresh);
    const { rows } = await sql<{ readonly seconds: number }>`
      SELECT DISTINCT extract(epoch FROM expires_at - created_at)::integer AS seconds FROM sessions
      WHERE api_token_id IS NOT NULL AND expires_at = lasts_until
    `.execute(api.db);
    assert.deepEqual(rows, [{ seconds: 3600 }]);
  });

  test('revoking a token ends its sessions, and it is worth nothing from then on', async () => {
    const me = await api.person('vApp User');
    const { id, refresh, door } = await handedOut(me);
    const { access_token } = (await exchange(door, refresh)).body;
    const path = `${tokens}/urn:vcloud:token:${id}`;
    assert.equal((await api.ask('DELETE', path, { token: me.token })).status, 204);
    assert.equal(await use(access_token), 401);
    assert.equal((await exchange(door, refresh)).status, 401);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await api.ask(method, path, { token: me.token })).status, 403);
    assert.equal(await use(me.token), 200, 'the session in which it was revoked goes on');
  });

  test('a token is worth nothing when it is none, expired, at another door, or its user may not log in; in one answer', async () => {
    const none = await exchange('/oauth/provider', 'x'.repeat(43));
    assert.deepEqual([none.status, none.body['minorErrorCode']], [401, 'UNAUTHORIZED']);
    const other = await doorOf(await api.person('vApp User'));
    type Case = (me: Person, door: string) => Promise<string>;
    const cases: Readonly<Record<string, Case>> = {
      'of another organization': async () => other,
      'of the provider': async () => '/oauth/provider',
      'of no organization': async () => '/oauth/tenant/nowhere',
      'user disabled': async ({ userId }, door) => (await updateUser(api.db, userId, { enabled: false }), door),
      'user locked': async ({ userId }, door) => (await updateUser(api.db, userId, { locked: true }), door),
      'organization disabled': async ({ organizationId }, door) => (
        await updateOrganization(api.db, organizationId, { enabled: false }),
        door
      ),
      expired: async ({ userId }, door) => (
        await sql`UPDATE api_tokens SET expires_at = now() WHERE user_id = ${userId}`.execute(api.db),
        door
      ),
    };
    for (const [reason, spoil] of Object.entries(cases)) {
      const me = await api.person('vApp User');
      const { refresh, door } = await handedOut(me);
      const answer = await exchange(await spoil(me, door), refresh);
      assert.deepEqual([answer.status, answer.text], [401, none.text], reason);
    }
    assert.equal(
      (await exchange('/oauth/tenant/System', (await handedOut(await api.person('System Administrator'))).refresh))
        .status,
      401,
    );
  });

  test('a token is handed out to who registered it, and not by a session that came from a token', async () => {
    const [me, other] = [await api.person('vApp User'), await api.person('vApp User')];
    const { client_id } = (await register(me)).body as { readonly client_id: string };
    const grant = { grant_type: jwtBearer, client_id };
    const colleague = await api.person('Organization Administrator', me.organizationId);
    for (const { token } of [other, colleague])
      assert.equal((await form(`${await doorOf(me)}/token`, { ...grant, assertion: token })).status, 401);
    assert.equal((await form(`${await doorOf(me)}/token`, { ...grant, assertion: 'a.b.c' })).status, 401);

    const { refresh, door } = await handedOut(me);
    const { access_token } = (await exchange(door, refresh)).body;
    const again = await api.ask('POST', `${door}/register`, {
      token: String(access_token),
      body: { client_name: 'x' },
    });
    assert.equal(again.status, 403, again.text);
    assert.equal((await form(`${door}/token`, { ...grant, assertion: String(access_token) })).status, 401);
  });

  test('one registers in the own organization, each name once', async () => {
    const [me, other] = [await api.person('vApp User'), await api.person('vApp User')];
    const name = unique('client');
    const at = (door: string, client_name: string): Promise<Answer> =>
      api.ask('POST', `${door}/register`, { token: me.token, body: { client_name } });
    assert.equal((await at(await doorOf(other), name)).status, 403);
    assert.equal((await at('/oauth/tenant/nowhere', name)).status, 403);
    assert.equal((await at('/oauth/provider', name)).status, 403);
    assert.equal(
      (await at((await doorOf(me)).toUpperCase().replace('/OAUTH/TENANT', '/oauth/tenant'), name)).status,
      200,
    );
    assert.equal((await register(me, name.toUpperCase())).status, 409);
    assert.equal((await register(other, name)).status, 200);
    assert.equal((await register(me, '')).status, 400);
  });

  test('people see and revoke their own tokens, administrators those of their organization', async () => {
    const admin = await api.person('Organization Administrator');
    const [me, colleague] = [
      await api.person('vApp User', admin.organizationId),
      await api.person('vApp Author', admin.organizationId),
    ];
    const [mine, theirs, foreign] = [
      await handedOut(me),
      await handedOut(colleague),
      await handedOut(await api.person('vApp User')),
    ];
    const seen = async ({ token }: Person, query = ''): Promise<string[]> => {
      const { body } = await api.ask<{ values: { id: string }[]; resultTotal: number }>('GET', `${tokens}${query}`, {
        token,
      });
      assert.equal(body.resultTotal, body.values.length);
      return body.values.map(({ id }) => id.slice(-36)).toSorted();
    };
    assert.deepEqual(await seen(me), [mine.id]);
    assert.deepEqual(await seen(admin), [mine.id, theirs.id].toSorted());
    const { username } = await api.db
      .selectFrom('users')
      .select('username')
      .where('id', '=', me.userId)
      .executeTakeFirstOrThrow();
    const filter = `?filter=(owner.name==${username};(type==PROXY,type==REFRESH))`;
    assert.deepEqual(await seen(admin, filter), [mine.id]);
    const ask = async (method: string, { token }: Person, { id }: { readonly id: string }): Promise<number> =>
      (await api.ask(method, `${tokens}/urn:vcloud:token:${id}`, { token })).status;
    for (const method of ['GET', 'DELETE']) {
      assert.equal(await ask(method, me, theirs), 403);
      assert.equal(await ask(method, admin, foreign), 403);
    }
    assert.equal(await ask('DELETE', admin, theirs), 204);
    assert.equal((await exchange(theirs.door, theirs.refresh)).status, 401);
    // Deleting a user deletes the user's tokens.
    assert.equal(
      (await api.ask('DELETE', `/cloudapi/1.0.0/users/urn:vcloud:user:${me.userId}`, { token: admin.token })).status,
      204,
    );
    assert.deepEqual(await seen(admin), []);
  });

  test("an administrator of the provider's organization does not reach the tokens of system administrators", async () => {
    const { id } = await handedOut(await api.person('System Administrator'));
    const { token } = await api.person('Organization Administrator', systemOrganization);
    assert.equal((await api.ask('DELETE', `${tokens}/urn:vcloud:token:${id}`, { token })).status, 403);
    assert.equal((await api.ask('GET', tokens, { token })).body['resultTotal'], 0);
  });

  test('a request that is none says what is missing, without repeating secrets', async () => {
    const door = '/oauth/provider/token';
    const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{}, /grant_type is missing|body/],
      [{ grant_type: 'password', username: 'x' }, /grant_type: \\"password\\" is not supported/],
      [{ grant_type: 'refresh_token' }, /refresh_token is missing/],
      [{ grant_type: jwtBearer, client_id: 'x', assertion: 'secret' }, /client_id/],
      [{ grant_type: jwtBearer, client_id: '00000000-0000-4000-8000-0000000000ff' }, /assertion is missing/],
      [{ grant_type: 'refresh_token', refresh_token: 'secret'.repeat(1000) }, /refresh_token/],
    ];
    for (const [fields, message] of cases) {
      const answer = await form(door, fields);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, message);
      assert.equal(answer.text.includes('secretsecret'), false);
    }
  });

  test('who repeats a token that is none has to wait; others behind the same address have not', async () => {
    const { refresh, door } = await handedOut(await api.person('vApp User'));
    const headers = fromElsewhere();
    for (let guess = 0; guess < testSettings.loginFailures; guess += 1)
      assert.equal((await exchange(door, 'worth nothing', headers)).status, 401);
    await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(api.db);
    assert.equal((await exchange(door, 'worth nothing', headers)).status, 429);
    assert.equal((await exchange(door, refresh, headers)).status, 200);
  });

  const usersPath = ({ userId }: Person): string => `/cloudapi/1.0.0/users/urn:vcloud:user:${userId}`;
  const newPassword = 'a password that is new';

  test('a new password and disabling revoke the tokens of the user, also those that were not handed out', async () => {
    for (const body of [{ password: newPassword }, { enabled: false }]) {
      const admin = await api.person('Organization Administrator');
      const me = await api.person('vApp User', admin.organizationId);
      const { refresh, door } = await handedOut(me);
      const { access_token } = (await exchange(door, refresh)).body;
      const colleague = await handedOut(await api.person('vApp User', admin.organizationId));
      await register(me);
      assert.equal((await api.ask('PUT', usersPath(me), { token: admin.token, body })).status, 200);
      assert.equal(await use(access_token), 401);
      await updateUser(api.db, me.userId, { enabled: true });
      assert.equal((await exchange(door, refresh)).status, 401, 'it does not come back');
      assert.equal((await api.ask('GET', tokens, { token: admin.token })).body['resultTotal'], 1);
      assert.equal((await exchange(colleague.door, colleague.refresh)).status, 200);
    }
  });

  test('a new password keeps the tokens of the user if the request says so; disabling never does', async () => {
    const admin = await api.person('Organization Administrator');
    const me = await api.person('vApp User', admin.organizationId);
    const { refresh, door } = await handedOut(me);
    const put = (body: object): Promise<Answer> => api.ask('PUT', usersPath(me), { token: admin.token, body });
    assert.equal((await put({ password: newPassword, keepApiTokens: true })).status, 200);
    assert.equal((await exchange(door, refresh)).status, 200);
    const alone = await put({ keepApiTokens: true });
    assert.equal(alone.status, 400);
    assert.match(alone.text, /keepApiTokens: is used only with a new password; leave it out/);
    assert.equal((await put({ password: `${newPassword}er`, keepApiTokens: true, enabled: false })).status, 200);
    await updateUser(api.db, me.userId, { enabled: true });
    assert.equal((await exchange(door, refresh)).status, 401);
  });

  test('who changes the own password in a session of a token loses both, unless the tokens are kept', async () => {
    const admin = await api.person('Organization Administrator');
    const me = await api.person('vApp User', admin.organizationId);
    await api.ask('PUT', usersPath(me), { token: admin.token, body: { password: newPassword } });
    for (const keepApiTokens of [true, false]) {
      const { token } = await api.sessionOf(me);
      const { refresh, door } = await handedOut({ ...me, token });
      const access = String((await exchange(door, refresh)).body['access_token']);
      const body = { password: newPassword, currentPassword: newPassword, keepApiTokens };
      assert.equal((await api.ask('PUT', usersPath(me), { token: access, body })).status, 200);
      assert.equal(await use(access), keepApiTokens ? 200 : 401);
      assert.equal((await exchange(door, refresh)).status, keepApiTokens ? 200 : 401);
    }
  });

  test('a token that is handed out while the password changes is revoked with the others', async () => {
    const admin = await api.person('Organization Administrator');
    const me = await api.person('vApp User', admin.organizationId);
    const { client_id } = (await register(me)).body as { readonly client_id: string };
    const door = await doorOf(me);
    const holder = await api.db.startTransaction().execute();
    await lockUser(holder, 'all', me.userId);
    const changed = api.ask('PUT', usersPath(me), { token: admin.token, body: { password: newPassword } });
    await someoneWaits(api.db);
    const fetched = form(`${door}/token`, { grant_type: jwtBearer, assertion: me.token, client_id });
    await someoneWaits(api.db, 2);
    await holder.commit().execute();
    assert.deepEqual([(await changed).status, (await fetched).status], [200, 401]);
  });

  test('a log-out leaves the tokens of the user', async () => {
    const me = await api.person('vApp User');
    const { refresh, door } = await handedOut(me);
    assert.equal((await api.ask('DELETE', current, { token: me.token })).status, 204);
    assert.equal(await use(me.token), 401);
    const { status, body } = await exchange(door, refresh);
    assert.equal(status, 200);
    assert.equal((await api.ask('DELETE', current, { token: String(body['access_token']) })).status, 204);
    assert.equal((await exchange(door, refresh)).status, 200);
  });

  test('registering a token needs a log-in of the last five minutes', async () => {
    const me = await api.person('vApp User');
    const began = (seconds: number): Promise<unknown> =>
      sql`UPDATE sessions SET created_at = now() - ${seconds} * interval '1 second' WHERE user_id = ${me.userId}`.execute(
        api.db,
      );
    await began(301);
    const refused = await register(me);
    assert.deepEqual([refused.status, refused.body['minorErrorCode']], [403, 'ACCESS_TO_RESOURCE_IS_FORBIDDEN']);
    assert.match(refused.text, /within 5 minutes of a log-in, and this session began 5 minutes ago; log in again/);
    await began(200);
    assert.equal((await register(me)).status, 200);
  });

  test('a token ends when its registration said, with its sessions, and its name is free then', async () => {
    const me = await api.person('vApp User');
    const door = await doorOf(me);
    const name = unique('client');
    const body = { client_name: name, expires_in: 1200 };
    const registered = await api.ask('POST', `${door}/register`, { token: me.token, body });
    const { client_id, expires_at } = registered.body as { client_id: string; expires_at: string };
    const { body: shown } = await api.ask('GET', `${tokens}/urn:vcloud:token:${client_id}`, { token: me.token });
    assert.equal(shown['expirationDate'], expires_at);
    assert.equal(Date.parse(expires_at) - Date.parse(String(shown['createdAt'])), 1_200_000);
    const first = await form(`${door}/token`, { grant_type: jwtBearer, assertion: me.token, client_id });
    assert.ok(Number(first.body['expires_in']) <= 1200, 'its session is no longer than it');
    const refresh = String(first.body['refresh_token']);
    assert.equal((await exchange(door, refresh)).status, 200);
    await sql`UPDATE api_tokens SET expires_at = now() WHERE id = ${client_id}`.execute(api.db);
    assert.equal((await exchange(door, refresh)).status, 401);
    await sessionHousekeeping(api.db);
    assert.equal((await api.ask('GET', tokens, { token: me.token })).body['resultTotal'], 0);
    assert.equal((await register(me, name)).status, 200);
  });

  test('what was registered and never handed out is removed after a day', async () => {
    const me = await api.person('vApp User');
    await sessionHousekeeping(api.db);
    const kept = await handedOut(me);
    await register(me);
    await sql`UPDATE api_tokens SET created_at = now() - interval '25 hours' WHERE user_id = ${me.userId}`.execute(
      api.db,
    );
    assert.equal((await sessionHousekeeping(api.db)).tokens, 1);
    assert.equal((await exchange(kept.door, kept.refresh)).status, 200);
  });
});

suite('the longest lifetime of API tokens', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi({ settings: { ...testSettings, apiTokenMaxMs: 3_600_000 } });
  });
  after(() => api.stop());

  test('limits what a registration may ask for, and applies if it asks for nothing', async () => {
    const { token } = await api.person('System Administrator');
    const register = (more: object): Promise<Answer> =>
      api.ask('POST', '/oauth/provider/register', { token, body: { client_name: unique('client'), ...more } });
    const tooLong = await register({ expires_in: 3601 });
    assert.equal(tooLong.status, 400);
    assert.match(tooLong.text, /expires_in: 3601 is more than 3600, the longest lifetime/);
    assert.equal((await register({ expires_in: 3600 })).status, 200);
    const { client_id } = (await register({})).body as { client_id: string };
    const { body } = await api.ask('GET', `${tokens}/urn:vcloud:token:${client_id}`, { token });
    assert.equal(Date.parse(String(body['expirationDate'])) - Date.parse(String(body['createdAt'])), 3_600_000);
  });
});
