/** Sessions by real requests. Tests for defects of the predecessor say so in their names. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startApi, testSettings, type Answer, type ApiHarness } from '../../../../../../test/api/harness.ts';
import { basic, fromElsewhere, goodPassword, logIn, makeLogin, tokenOf } from '../../../../../../test/api/log-in.ts';
import { makeUser, someoneWaits, unique } from '../../../../../../test/database/rows.ts';
import { updateOrganization } from '../../../db/tenants/organizations.ts';
import { roleIds } from '../../../db/tenants/roles.ts';
import { updateUser, type User } from '../../../db/tenants/users.ts';
import { systemOrganization, type RoleName } from '../../caller.ts';
import { hashOfToken } from '../../http/authenticate.ts';
import { hashPassword, isOutdated } from '../passwords/argon2id.ts';
import { sessionHousekeeping } from './housekeeping.ts';

const current = '/cloudapi/1.0.0/sessions/current';

suite('sessions', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi({ settings: { ...testSettings, trustProxy: '127.0.0.1' } });
  });
  after(() => api.stop());

  const whoOf = ({ username, organization_name }: User): string => `${username}@${organization_name}`;
  const use = async (token: string): Promise<number> => (await api.ask('GET', current, { token })).status;

  async function loggedIn(user?: User): Promise<{ readonly user: User; readonly token: string; readonly id: string }> {
    const one = user ?? (await makeLogin(api));
    const answer = await logIn(api, whoOf(one), { headers: fromElsewhere() });
    assert.equal(answer.status, 200, answer.text);
    return { user: one, token: tokenOf(answer), id: String(answer.body['id']) };
  }

  test('a log-in gives the token in three headers, and says who is logged in where', async () => {
    const user = await makeLogin(api, { role: 'vApp Author' });
    const answer = await logIn(api, whoOf(user));
    assert.equal(answer.status, 200, answer.text);
    const token = tokenOf(answer);
    assert.equal(answer.headers['authorization'], `Bearer ${token}`);
    assert.equal(answer.headers['x-vmware-vcloud-token-type'], 'Bearer');
    const { id: siteId } = await api.db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    const { id, ...body } = answer.body;
    assert.match(String(id), /^urn:vcloud:session:/);
    const org = { name: user.organization_name, id: `urn:vcloud:org:${user.organization_id}` };
    assert.deepEqual(body, {
      site: { name: 'test', id: `urn:vcloud:site:${siteId}` },
      user: { name: user.username, id: `urn:vcloud:user:${user.id}` },
      org,
      operatingOrg: org,
      location: `${user.organization_id}@${siteId}`,
      roles: ['vApp Author'],
      roleRefs: [{ name: 'vApp Author', id: `urn:vcloud:role:${roleIds.vappAuthor}` }],
      sessionIdleTimeoutMinutes: 30,
    });
    const { operations, ...session } = (await api.ask('GET', current, { token })).body;
    assert.deepEqual(session, answer.body);
    assert.ok(Array.isArray(operations));
    assert.deepEqual((await api.ask('GET', `/cloudapi/1.0.0/sessions/${String(id)}`, { token })).body, answer.body);
  });

  test('the current session names the operations that the roles permit, by their ids in the OpenAPI document', async () => {
    const { body } = await api.ask<{ paths: Record<string, Record<string, { operationId: string }>> }>(
      'GET',
      '/openapi.json',
    );
    const all = Object.values(body.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    const operationsOf = async (role: RoleName): Promise<readonly string[]> => {
      const { token } = await api.person(role);
      return (await api.ask<{ operations: readonly string[] }>('GET', current, { token })).body.operations;
    };
    assert.deepEqual(await operationsOf('System Administrator'), all.toSorted());
    const reader = await operationsOf('Read-only');
    const user = await operationsOf('vApp User');
    for (const id of ['listVms', 'getCurrentSession']) assert.ok(reader.includes(id), id);
    for (const id of ['powerOnVm', 'createVm', 'createOrganization']) assert.ok(!reader.includes(id), id);
    assert.deepEqual([user.includes('powerOnVm'), user.includes('createVm')], [true, false]);
  });

  test('the token reads as a JWT that ends when the session does at the latest, and is stored as a hash only', async () => {
    const { token } = await loggedIn();
    const [, claims = '', secret = ''] = token.split('.');
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly exp: number };
    assert.ok(Math.abs(exp * 1000 - Date.now() - testSettings.sessionMaxMs) < 60_000);
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
    const { rows } = await sql<{ readonly text: string }>`SELECT s::text AS text FROM sessions s`.execute(api.db);
    assert.ok(rows.some(({ text }) => text.includes(hashOfToken(token).toString('hex'))));
    assert.ok(rows.every(({ text }) => !text.includes(secret)));
  });

  test('the last @ separates the organization, case does not matter, and a password may have colons', async () => {
    const user = await makeLogin(api);
    await updateUser(api.db, user.id, { username: 'first.last@example.com' });
    const who = `First.Last@example.com@${user.organization_name.toUpperCase()}`;
    assert.equal((await logIn(api, who)).status, 200);
  });

  test('the body of a log-in is not looked at', async () => {
    const user = await makeLogin(api);
    for (const [type, body] of [
      ['application/json', ''],
      ['application/json', '{not json'],
      ['application/*+json', 'null'],
      ['text/xml', '<Session/>'],
      ['application/x-www-form-urlencoded', 'a=b'],
    ] as const) {
      const headers = { authorization: basic(whoOf(user), goodPassword), 'content-type': type };
      const answer = await api.ask('POST', '/cloudapi/1.0.0/sessions', { headers, body });
      assert.equal(answer.status, 200, `${type} ${body}: ${answer.text}`);
    }
  });

  test('the provider logs in at its own door, with or without the name of its organization', async () => {
    const admin = await makeLogin(api, { role: 'System Administrator', organization: systemOrganization });
    for (const who of [admin.username, `${admin.username}@System`, `${admin.username}@system`])
      assert.equal((await logIn(api, who, { door: 'provider' })).status, 200, who);
  });

  test('who may not log in cannot find out why: every failure has the same answer', async () => {
    const [user, disabled, locked, orphan, admin] = await Promise.all([
      makeLogin(api),
      makeLogin(api),
      makeLogin(api),
      makeLogin(api),
      makeLogin(api, { role: 'System Administrator', organization: systemOrganization }),
    ]);
    const bare = await makeUser(api.db);
    await updateUser(api.db, disabled.id, { enabled: false });
    await updateUser(api.db, locked.id, { locked: true });
    await updateOrganization(api.db, orphan.organization_id, { enabled: false });
    const wrong: Readonly<Record<string, Promise<Answer>>> = {
      'unknown organization': logIn(api, `${user.username}@nowhere`),
      'unknown user': logIn(api, `nobody@${user.organization_name}`),
      'wrong password': logIn(api, whoOf(user), { password: 'wrong password' }),
      'empty password': logIn(api, whoOf(user), { password: '' }),
      'disabled user': logIn(api, whoOf(disabled)),
      'locked user': logIn(api, whoOf(locked)),
      'disabled organization': logIn(api, whoOf(orphan)),
      'user without a password': logIn(api, whoOf(bare), { password: '' }),
      'a system administrator at the door of tenants': logIn(api, whoOf(admin)),
      'a tenant at the door of the provider': logIn(api, whoOf(user), { door: 'provider' }),
      'no organization': logIn(api, user.username),
      'a zero in the name': logIn(api, `a\0b@${user.organization_name}`),
      'no header': api.ask('POST', '/cloudapi/1.0.0/sessions'),
      'no colon': api.ask('POST', '/cloudapi/1.0.0/sessions', { headers: { authorization: 'Basic YWRtaW4=' } }),
      'not base64': api.ask('POST', '/cloudapi/1.0.0/sessions', { headers: { authorization: 'Basic {}' } }),
      'a bearer token': api.ask('POST', '/cloudapi/1.0.0/sessions', { headers: { authorization: 'Bearer abc' } }),
    };
    const first = await logIn(api, `${unique('x')}@${unique('y')}`, { headers: fromElsewhere() });
    for (const [reason, asked] of Object.entries(wrong)) {
      const { status, text, headers } = await asked;
      assert.deepEqual([status, text], [401, first.text], reason);
      assert.equal(headers['x-vmware-vcloud-access-token'], undefined, reason);
    }
  });

  test('a token with an empty signature belongs to no user, and neither does any other that was not issued', async () => {
    const { token } = await loggedIn();
    const [header, claims, secret] = token.split('.');
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}.${claims}.${'A'.repeat(43)}`,
      `${part({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `${part({ alg: 'none', typ: 'JWT' })}.${claims}.${secret}`,
      // Without `exp`; the predecessor answered 500.
      `${header}.${part({ iat: 1 })}.${secret}`,
      `${header}.${part({ user_id: 'urn:vcloud:user:1', exp: 4_102_444_800 })}.${secret}`,
      hashOfToken(token).toString('hex'),
      hashOfToken(token).toString('base64url'),
      `${token}=`,
      token.toUpperCase(),
    ];
    for (const one of forged) assert.equal(await use(one), 401, one);
    assert.equal(await use(token), 200);
  });

  test('logout ends the token, at each of its addresses, with the header twice, and for XML clients', async () => {
    const addresses = [
      (id: string) => `/cloudapi/1.0.0/sessions/${id}`,
      () => current,
      () => '/cloudapi/1.0.0/sessions',
    ];
    for (const address of addresses) {
      const { token, id } = await loggedIn();
      const headers = {
        'x-vmware-vcloud-access-token': `${token}, ${token}`,
        accept: 'application/*+xml;version=37.0',
      };
      const answer = await api.ask('DELETE', address(id), { headers });
      assert.deepEqual([answer.status, answer.text], [204, '']);
      assert.equal(await use(token), 401);
      assert.match((await api.ask('DELETE', address(id), { headers })).text, /minorErrorCode="UNAUTHORIZED"/);
    }
  });

  test('one sees and ends the own sessions, this and others, and not those of other users', async () => {
    const mine = await loggedIn();
    const another = await loggedIn(mine.user);
    const foreign = await loggedIn();
    const at = (id: string): string => `/cloudapi/1.0.0/sessions/${id}`;
    assert.equal((await api.ask('GET', at(another.id), { token: mine.token })).status, 200);
    for (const method of ['GET', 'DELETE']) {
      const refused = await api.ask(method, at(foreign.id), { token: mine.token });
      const missing = await api.ask(method, at('urn:vcloud:session:00000000-0000-4000-8000-0000000000ff'), {
        token: mine.token,
      });
      assert.deepEqual([refused.status, refused.text], [403, missing.text]);
    }
    assert.equal(await use(foreign.token), 200);
    assert.equal((await api.ask('DELETE', at(another.id), { token: mine.token })).status, 204);
    assert.deepEqual([await use(another.token), await use(mine.token)], [401, 200]);
  });

  test('a session ends when it is idle, use prolongs it until its last day, and is not written down every time', async () => {
    const { token } = await loggedIn();
    const hash = hashOfToken(token);
    const ends = async () =>
      await api.db
        .selectFrom('sessions')
        .select(['expires_at', 'last_used_at'])
        .where('token_hash', '=', hash)
        .executeTakeFirstOrThrow();
    const set = (change: Readonly<Record<string, unknown>>) =>
      api.db.updateTable('sessions').set(change).where('token_hash', '=', hash).execute();
    const fresh = await ends();
    assert.equal(await use(token), 200);
    assert.deepEqual(await ends(), fresh, 'used a moment ago: nothing to write');

    const soon = new Date(Date.now() + 60_000);
    await set({ last_used_at: sql`now() - interval '1 minute'`, expires_at: soon });
    assert.equal(await use(token), 200);
    assert.ok((await ends()).expires_at.getTime() > soon.getTime() + 20 * 60_000);

    await set({
      last_used_at: sql`now() - interval '1 minute'`,
      expires_at: soon,
      lasts_until: new Date(soon.getTime() + 1),
    });
    assert.equal(await use(token), 200);
    assert.deepEqual((await ends()).expires_at, new Date(soon.getTime() + 1));

    await set({ expires_at: sql`now() - interval '1 second'` });
    assert.equal(await use(token), 401);
    const { sessions } = await sessionHousekeeping(api.db);
    assert.ok(sessions >= 1);
  });

  test('while one request writes down that a session was used, others in it are answered', async () => {
    const { token } = await loggedIn();
    const unused = { last_used_at: sql<Date>`now() - interval '1 minute'` };
    await api.db.updateTable('sessions').set(unused).where('token_hash', '=', hashOfToken(token)).execute();
    const [writing, others] = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('sessions').select('id').where('token_hash', '=', hashOfToken(token)).forUpdate().execute();
      const first = use(token);
      await someoneWaits(api.db);
      return [first, await Promise.all([use(token), use(token)])];
    });
    assert.deepEqual([await writing, ...others], [200, 200, 200]);
  });

  test('what ends a user’s rights ends them with the next request: disabled, locked, deleted, organization disabled', async () => {
    const ends: readonly ((user: User) => Promise<unknown>)[] = [
      ({ id }) => updateUser(api.db, id, { enabled: false }),
      ({ id }) => updateUser(api.db, id, { locked: true }),
      ({ organization_id }) => updateOrganization(api.db, organization_id, { enabled: false }),
    ];
    for (const end of ends) {
      const { user, token } = await loggedIn();
      assert.equal(await use(token), 200);
      await end(user);
      assert.equal(await use(token), 401);
    }
    const { user, token } = await loggedIn(await makeLogin(api, { role: 'Organization Administrator' }));
    assert.equal((await api.ask('GET', '/cloudapi/1.0.0/users', { token })).status, 200);
    await updateUser(api.db, user.id, { roles: [roleIds.readOnly] });
    assert.equal((await api.ask('GET', '/cloudapi/1.0.0/users', { token })).status, 403);
  });

  test('who logs in while the organization is being disabled has no session that would come back with it', async () => {
    const user = await makeLogin(api);
    const { token } = await api.person('System Administrator');
    const [entered, disabled] = await api.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE audit_events IN EXCLUSIVE MODE`.execute(tx);
      const entering = logIn(api, whoOf(user), { headers: fromElsewhere() });
      await someoneWaits(tx, 1);
      const path = `/cloudapi/1.0.0/orgs/urn:vcloud:org:${user.organization_id}`;
      const disabling = api.ask('PUT', path, { token, body: { isEnabled: false } });
      await someoneWaits(tx, 2);
      return [entering, disabling];
    });
    assert.ok([200, 401].includes((await entered).status), (await entered).text);
    assert.equal((await disabled).status, 200);
    const open = await api.db.selectFrom('sessions').select('ended_at').where('user_id', '=', user.id).execute();
    assert.deepEqual(
      open.map(({ ended_at }) => ended_at === null),
      [false],
    );
  });

  test('a hash of another cost is renewed at the next log-in, of which many at once succeed', async () => {
    const cost = { memoryKiB: 128, passes: 1, parallelism: 1 };
    const user = await makeUser(api.db, { password_hash: await hashPassword(goodPassword, cost) });
    const answers = await Promise.all([1, 2, 3].map(() => logIn(api, whoOf(user))));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const { password_hash } = await api.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    assert.equal(isOutdated(password_hash ?? '', testSettings.passwordCost ?? cost), false);
    assert.equal((await logIn(api, whoOf(user))).status, 200);
  });

  test('guessing makes wait, for names that exist and for those that do not; the right password ends it', async () => {
    const user = await makeLogin(api);
    const [here, there] = [fromElsewhere(), fromElsewhere()];
    const wrong = { password: 'a wrong password', headers: here };
    for (const who of [whoOf(user), `nobody@${user.organization_name}`, 'nobody@nowhere']) {
      for (let guess = 0; guess < testSettings.loginFailures; guess += 1)
        assert.equal((await logIn(api, who, wrong)).status, 401);
      // Extends the block, so that a slow next request is still within it.
      await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(api.db);
      const refused = await logIn(api, who, wrong);
      assert.deepEqual([refused.status, refused.body['minorErrorCode']], [429, 'TOO_MANY_REQUESTS'], who);
      assert.ok(Number(refused.headers['retry-after']) > 3000, who);
    }
    assert.equal((await logIn(api, whoOf(user), { headers: here })).status, 429, 'the right one has to wait as well');
    assert.equal(
      (await logIn(api, whoOf(user), { headers: there })).status,
      200,
      'nobody is locked out from elsewhere',
    );
    const patient = await makeLogin(api);
    const headers = fromElsewhere();
    for (const round of ['first', 'second']) {
      for (let guess = 1; guess < testSettings.loginFailures; guess += 1)
        assert.equal((await logIn(api, whoOf(patient), { ...wrong, headers })).status, 401);
      assert.equal((await logIn(api, whoOf(patient), { headers })).status, 200, `${round}: each success begins anew`);
    }
  });

  test('strangers who guess elsewhere do not keep a user out of where the user has logged in before', async () => {
    const user = await makeLogin(api);
    const home = fromElsewhere();
    assert.equal((await logIn(api, whoOf(user), { headers: home })).status, 200);
    const guess = (): Promise<Answer> =>
      logIn(api, whoOf(user), { password: 'a wrong password', headers: fromElsewhere() });
    for (let stranger = 0; stranger < testSettings.loginFailures * 10; stranger += 1)
      assert.equal((await guess()).status, 401);
    await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(api.db);
    assert.equal((await guess()).status, 429);
    assert.equal((await logIn(api, whoOf(user), { password: 'mistyped at home', headers: home })).status, 401);
    assert.equal((await logIn(api, whoOf(user), { headers: home })).status, 200);
  });

  test('log-ins and their failures are in the audit, and no secret is, nor in the log', async () => {
    const user = await makeLogin(api);
    const password = 'mistyped: a very secret thing';
    await logIn(api, whoOf(user), { password, headers: fromElsewhere() });
    const { token } = await loggedIn(user);
    const { rows } = await sql<{ readonly text: string; readonly outcome: string; readonly entity_name: string }>`
      SELECT outcome, entity_name, e::text AS text FROM audit_events e
      WHERE organization_id = ${user.organization_id} AND action = 'sessions.create' ORDER BY at
    `.execute(api.db);
    assert.deepEqual(
      rows.map(({ outcome, entity_name }) => [outcome, entity_name]),
      [
        ['refused', whoOf(user)],
        ['success', user.username],
      ],
    );
    const written = `${rows.map(({ text }) => text).join('\n')}${JSON.stringify(api.log)}`;
    for (const secret of [password, goodPassword, token, basic(whoOf(user), goodPassword).slice(6)])
      assert.equal(written.includes(secret), false);
  });
});
