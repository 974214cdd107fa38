/** Users by real requests. Tests for defects of the predecessor say so in their names. */
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
import { fromElsewhere, goodPassword, logIn, makeLogin, tokenOf } from '../../../../../../test/api/log-in.ts';
import { makeOrganization, makeUser, someoneWaits, unique } from '../../../../../../test/database/rows.ts';
import { lockAdministrators } from '../../../db/tenants/administrators.ts';
import { roleIds } from '../../../db/tenants/roles.ts';
import type { RoleId, UserId } from '../../../db/schema/schema.ts';
import { getUser, type User } from '../../../db/tenants/users.ts';
import { systemOrganization } from '../../caller.ts';

const users = '/cloudapi/1.0.0/users';
const newPassword = 'another long password';

suite('users', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi({ settings: { ...testSettings, trustProxy: '127.0.0.1' } });
  });
  after(() => api.stop());

  const at = (id: UserId): string => `${users}/urn:vcloud:user:${id}`;
  const role = (id: RoleId) => ({ id: `urn:vcloud:role:${id}` });
  const whoOf = ({ username, organization_name }: User): string => `${username}@${organization_name}`;
  const put = (id: UserId, token: string, body: unknown): Promise<Answer> => api.ask('PUT', at(id), { token, body });
  const post = (token: string, body: object): Promise<Answer> => api.ask('POST', users, { token, body });

  async function session(user: User, password = goodPassword): Promise<string> {
    const answer = await logIn(api, whoOf(user), { password, headers: fromElsewhere() });
    assert.equal(answer.status, 200, answer.text);
    return tokenOf(answer);
  }

  function assertIs({ status, text }: Answer, expected: number, message?: RegExp): void {
    assert.equal(status, expected, text);
    if (message !== undefined) assert.match(text, message);
  }

  test('an administrator makes a user with everything, and reads it back; the password is nowhere', async () => {
    const admin = await api.person('Organization Administrator');
    const username = unique('user');
    const made = await post(admin.token, {
      username,
      fullName: 'Ann Other',
      description: 'two\nlines',
      email: 'ann@example.com',
      password: newPassword,
      deployedVmQuota: 3,
      storedVmQuota: 0,
      enabled: false,
      providerType: 'LOCAL',
      roleEntityRefs: [
        role(roleIds.vappUser),
        { ...role(roleIds.vappAuthor), name: 'whatever' },
        role(roleIds.vappUser),
      ],
    });
    assertIs(made, 201);
    const { id, createdAt, updatedAt, organizationName, orgEntityRef, ...body } = made.body;
    assert.deepEqual(body, {
      username,
      fullName: 'Ann Other',
      description: 'two\nlines',
      email: 'ann@example.com',
      deployedVmQuota: 3,
      storedVmQuota: 0,
      nameInSource: username,
      enabled: false,
      isGroupRole: false,
      locked: false,
      stranded: false,
      providerType: 'LOCAL',
      organizationId: `urn:vcloud:org:${admin.organizationId}`,
      roleEntityRefs: [
        { name: 'vApp Author', id: role(roleIds.vappAuthor).id },
        { name: 'vApp User', id: role(roleIds.vappUser).id },
      ],
    });
    assert.deepEqual(orgEntityRef, { name: organizationName, id: body.organizationId });
    for (const time of [createdAt, updatedAt]) assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual((await api.ask('GET', `${users}/${String(id)}`, { token: admin.token })).body, made.body);
    const page = await api.ask('GET', `${users}?filter=username==${username}`, { token: admin.token });
    assert.deepEqual(page.body['values'], [made.body]);
    const { rows } = await sql<{ readonly text: string }>`
      SELECT e::text AS text FROM audit_events e WHERE entity_name = ${username} AND action = 'users.create'
    `.execute(api.db);
    assert.equal(rows.length, 1);
    assert.equal(`${JSON.stringify(rows)}${JSON.stringify(api.log)}${page.text}`.includes(newPassword), false);
    assert.equal(page.text.includes('argon2'), false);
  });

  test('bad input says which field and which rule, and never the password', async () => {
    const { token, userId } = await api.person('Organization Administrator');
    const username = unique('user');
    const cases: readonly (readonly [object, RegExp])[] = [
      [{}, /username is missing/],
      [{ username: 'a:b' }, /username is \\"a:b\\"; it must have no spaces, no colons/],
      [{ username: 'a b' }, /username/],
      [{ username: 'admin\u200B' }, /username/],
      [{ username: 'nimda\u202E' }, /username/],
      [{ username: 'half\uD800' }, /username/],
      [{ username, password: 'elevenchars' }, /password must have at least 12 characters/],
      [{ username, password: 'x'.repeat(257) }, /password must have at most 256 characters/],
      [{ username: 'Administrator', password: 'administrator' }, /password: must not contain the user name/],
      [{ username, email: 'nobody' }, /email is \\"nobody\\"; it must be an email address such as/],
      [{ username, enabled: 'false' }, /enabled is \\"false\\"; it must be true or false/],
      [{ username, deployedVmQuota: -1 }, /deployedVmQuota/],
      [{ username, fullName: 'a\0b' }, /fullName/],
      [{ username, isAdmin: true }, /isAdmin is not a field/],
      [{ username, roleEntityRefs: [role('00000000-0000-4000-8000-0000000000ff' as RoleId)] }, /there is no role/],
      [{ username, roleEntityRefs: [{ id: 'urn:vcloud:user:x' }] }, /roleEntityRefs/],
      [{ username, organizationId: 'urn:vcloud:org:x' }, /organizationId/],
      [{ username, password: 'abcabcabcabc' }, /password: must not repeat/],
      [{ username, password: ' '.repeat(12) }, /password: must not consist of blanks/],
    ];
    for (const [body, message] of cases) {
      const answer = await post(token, body);
      assertIs(answer, 400, message);
      assert.equal(answer.text.includes('elevenchars'), false);
    }
    assertIs(
      await put(userId, token, { organizationId: `urn:vcloud:org:${systemOrganization}` }),
      400,
      /cannot move to another organization/,
    );
    assertIs(await put(userId, token, { currentPassword: goodPassword }), 400, /currentPassword/);
  });

  test('a name is taken once in an organization, in whatever case, and free again after a deletion', async () => {
    const { token } = await api.person('Organization Administrator');
    const username = unique('User');
    const made = await post(token, { username });
    assertIs(made, 201);
    assertIs(await post(token, { username: username.toUpperCase() }), 409, /DUPLICATE_NAME/);
    const other = await post(token, { username: unique('user') });
    assertIs(await api.ask('PUT', `${users}/${String(other.body['id'])}`, { token, body: { username } }), 409);
    assertIs(await api.ask('DELETE', `${users}/${String(made.body['id'])}`, { token }), 204);
    assertIs(await post(token, { username }), 201);
    assertIs(await post((await api.person('Organization Administrator')).token, { username }), 201);
  });

  test('a name that looks like another in the organization is refused, also at the same moment', async () => {
    const { token } = await api.person('Organization Administrator');
    const other = await api.person('Organization Administrator');
    assertIs(await post(token, { username: 'Barbara.l0pez' }), 201);
    const bob = await post(token, { username: 'bob' });
    const alike = [
      'B\u0430rbara.l0pez',
      'Barbara.1opez',
      '\uff22arbara.l0pez',
      'Ba\u034frbara.lOpez',
      'Barbara.\u2160opez',
    ];
    for (const username of alike) {
      assertIs(await post(token, { username }), 409, /DUPLICATE_NAME.*looks like \\"Barbara\.l0pez\\"/s);
      assertIs(
        await api.ask('PUT', `${users}/${String(bob.body['id'])}`, { token, body: { username } }),
        409,
        /looks like/,
      );
    }
    for (const username of ['barbara.lope', 'bárbara.l0pez']) assertIs(await post(token, { username }), 201);
    assertIs(await post(other.token, { username: alike[0] }), 201);
    // A name may change to one that looks like itself.
    assertIs(await api.ask('PUT', `${users}/${String(bob.body['id'])}`, { token, body: { username: 'B0b' } }), 200);
    const both = await Promise.all(['r\u0430ce', 'race'].map((username) => post(token, { username })));
    assert.equal(both.filter(({ status }) => status === 201).length, 1);
    assert.equal(both.filter(({ status }) => status === 409).length, 1);
  });

  test('false, zero and empty texts are kept, what is absent stays, and what was read can be sent back', async () => {
    const { token, organizationId } = await api.person('Organization Administrator');
    const { id } = await makeUser(api.db, {
      organization_id: organizationId,
      description: 'text',
      email: 'a@example.com',
      deployed_vm_quota: 7,
      roles: [roleIds.vappUser],
    });
    const changed = await put(id, token, { enabled: false, deployedVmQuota: 0, description: '', email: '' });
    assertIs(changed, 200);
    const { enabled, deployedVmQuota, description, email, roleEntityRefs } = changed.body;
    assert.deepEqual([enabled, deployedVmQuota, description, email], [false, 0, '', '']);
    assert.equal((roleEntityRefs as unknown[]).length, 1);
    const again = await put(id, token, changed.body);
    assertIs(again, 200);
    assert.deepEqual(again.body, changed.body, 'nothing was changed, not even the time');
    assertIs(await put(id, token, { roleEntityRefs: [] }), 200);
    assert.deepEqual((await getUser(api.db, 'all', id))?.roles, []);
  });

  test('any user cannot make administrators, nor users, nor change others or what is the administrators’', async () => {
    const organization = (await makeOrganization(api.db)).id;
    const victim = await makeUser(api.db, { organization_id: organization });
    for (const name of ['vApp Author', 'vApp User', 'Read-only'] as const) {
      const me = await api.person(name, organization);
      assertIs(
        await post(me.token, { username: unique('x'), roleEntityRefs: [role(roleIds.systemAdministrator)] }),
        403,
      );
      assertIs(await post(me.token, { username: unique('x') }), 403);
      for (const body of [{ fullName: 'x' }, { password: newPassword }, { enabled: false }])
        assertIs(await put(victim.id, me.token, body), 403);
      assertIs(await api.ask('GET', at(victim.id), { token: me.token }), 403);
      assertIs(await api.ask('DELETE', at(victim.id), { token: me.token }), 403);
      for (const id of Object.values(roleIds))
        if (!(await has(me, id))) assertIs(await put(me.userId, me.token, { roleEntityRefs: [role(id)] }), 403);
      for (const body of [
        { enabled: false },
        { locked: true },
        { username: unique('x') },
        { storedVmQuota: 5 },
        { deployedVmQuota: 5 },
      ])
        assertIs(await put(me.userId, me.token, body), 403, /only an administrator/);
      assertIs(await put(me.userId, me.token, { fullName: 'Me', email: 'me@example.com', description: 'mine' }), 200);
    }
    const { roles, full_name, enabled } = await found(victim.id);
    assert.deepEqual([roles, full_name, enabled], [[], '', true]);
  });

  async function found(id: UserId): Promise<User> {
    const user = await getUser(api.db, 'all', id);
    assert.ok(user !== undefined);
    return user;
  }

  async function has({ userId }: Person, id: RoleId): Promise<boolean> {
    return (await found(userId)).roles.some((one) => one.id === id);
  }

  test('an organization’s administrator stays in the organization, and makes no system administrators', async () => {
    const me = await api.person('Organization Administrator');
    const foreign = await makeUser(api.db);
    const missing = '00000000-0000-4000-8000-0000000000ff' as UserId;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const asked = { token: me.token, ...(method === 'PUT' ? { body: { fullName: 'x' } } : {}) };
      const [refused, nobody] = [
        await api.ask(method, at(foreign.id), asked),
        await api.ask(method, at(missing), asked),
      ];
      assert.deepEqual([refused.status, refused.text], [403, nobody.text], method);
    }
    assertIs(await post(me.token, { username: 'x', organizationId: `urn:vcloud:org:${foreign.organization_id}` }), 403);
    assertIs(await post(me.token, { username: 'x', organizationId: `urn:vcloud:org:${systemOrganization}` }), 403);
    const own = await makeUser(api.db, { organization_id: me.organizationId });
    const roleEntityRefs = [role(roleIds.systemAdministrator)];
    assertIs(await post(me.token, { username: unique('x'), roleEntityRefs }), 403, /only a system administrator/);
    assertIs(await put(own.id, me.token, { roleEntityRefs }), 403);
    assertIs(await put(me.userId, me.token, { roleEntityRefs }), 403);
    assertIs(await put(own.id, me.token, { roleEntityRefs: [role(roleIds.organizationAdministrator)] }), 200);
    const list = await api.ask<{ values: { organizationId: string }[] }>('GET', users, { token: me.token });
    assert.ok(list.body.values.length >= 2);
    for (const each of list.body.values) assert.equal(each.organizationId, `urn:vcloud:org:${me.organizationId}`);
  });

  test('system administrators are users of System only, and only they can touch one', async () => {
    const admin = await api.person('System Administrator');
    const tenant = await makeUser(api.db);
    const roleEntityRefs = [role(roleIds.systemAdministrator)];
    assertIs(await put(tenant.id, admin.token, { roleEntityRefs }), 400, /users of the organization System/);
    const made = await post(admin.token, { username: unique('admin'), roleEntityRefs });
    assertIs(made, 201);
    assert.equal(made.body['organizationName'], 'System');
    const nowhere = { username: 'x', organizationId: 'urn:vcloud:org:00000000-0000-4000-8000-0000000000ff' };
    assertIs(await post(admin.token, nowhere), 400, /the organization does not exist/);

    // In System too, an organization administrator ranks below a system administrator.
    const clerk = await api.person('Organization Administrator', systemOrganization);
    const path = `${users}/${String(made.body['id'])}`;
    for (const body of [{ password: newPassword }, { enabled: false }, { fullName: 'x' }])
      assertIs(await api.ask('PUT', path, { token: clerk.token, body }), 403);
    assertIs(await api.ask('DELETE', path, { token: clerk.token }), 403);
    assertIs(await put(clerk.userId, clerk.token, { roleEntityRefs }), 403);
    assertIs(await api.ask('DELETE', path, { token: admin.token }), 204);
  });

  test('cannot delete, disable, lock or demote themselves', async () => {
    for (const name of ['System Administrator', 'Organization Administrator'] as const) {
      const me = await api.person(name);
      assertIs(await api.ask('DELETE', at(me.userId), { token: me.token }), 409);
      for (const body of [{ enabled: false }, { locked: true }, { roleEntityRefs: [] }])
        assertIs(await put(me.userId, me.token, body), 409, /you cannot/i);
    }
  });

  const each: readonly (readonly [what: string, remove: (id: UserId, token: string) => Promise<Answer>])[] = [
    ['disable', (id, token) => put(id, token, { enabled: false })],
    ['demote', (id, token) => put(id, token, { roleEntityRefs: [role(roleIds.readOnly)] })],
    ['delete', (id, token) => api.ask('DELETE', at(id), { token })],
  ];
  for (const [what, remove] of each)
    test(`the last system administrator stays, though two ${what} each other at the same moment`, async () => {
      const [a, b] = [await api.person('System Administrator'), await api.person('System Administrator')];
      const others = await api.db
        .selectFrom('user_roles')
        .select('user_id')
        .where('role_id', '=', roleIds.systemAdministrator)
        .where('user_id', 'not in', [a.userId, b.userId])
        .execute();
      for (const { user_id } of others) await put(user_id, a.token, { enabled: false });
      // Both requests are authenticated and wait for the lock before one of them gets it.
      const asked = await api.db.transaction().execute(async (tx) => {
        await lockAdministrators(tx);
        const both = [remove(b.userId, a.token), remove(a.userId, b.token)];
        await someoneWaits(api.db, 2);
        return both;
      });
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 409).length, 1, String(statuses));
      assert.equal(statuses.filter((status) => status < 300).length, 1, String(statuses));
      for (const { user_id } of others)
        await sql`UPDATE users SET enabled = true WHERE id = ${user_id}`.execute(api.db);
    });

  test('the own password takes the current one, ends the other sessions, and keeps this one', async () => {
    const user = await makeLogin(api);
    const [here, elsewhere] = [await session(user), await session(user)];
    assertIs(await put(user.id, here, { password: newPassword }), 400, /currentPassword is missing/);
    assertIs(
      await put(user.id, here, { password: newPassword, currentPassword: newPassword }),
      400,
      /not your current password/,
    );
    assertIs(await put(user.id, here, { password: newPassword, currentPassword: goodPassword }), 200);
    assert.equal((await api.ask('GET', '/api/v1/user/profile', { token: here })).status, 200);
    assert.equal((await api.ask('GET', '/api/v1/user/profile', { token: elsewhere })).status, 401);
    assert.equal((await logIn(api, whoOf(user), { headers: fromElsewhere() })).status, 401);
    await session(user, newPassword);
  });

  test('guessing the current password in a stolen session makes wait like guessing at log-in', async () => {
    const user = await makeLogin(api);
    const token = await session(user);
    const body = { password: newPassword, currentPassword: 'a wrong one, again' };
    const headers = fromElsewhere();
    for (let guess = 0; guess < testSettings.loginFailures; guess += 1)
      assertIs(await api.ask('PUT', at(user.id), { token, body, headers }), 400);
    await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(api.db);
    assertIs(
      await api.ask('PUT', at(user.id), { token, body: { ...body, currentPassword: goodPassword }, headers }),
      429,
    );
    assert.equal((await logIn(api, whoOf(user), { headers })).status, 429);
  });

  test('what an administrator does to a user ends the user’s sessions: a new password, disabling, locking, deleting', async () => {
    const admin = await api.person('Organization Administrator');
    const user = await makeLogin(api, { organization: admin.organizationId });
    const use = async (token: string) => (await api.ask('GET', '/api/v1/user/profile', { token })).status;
    for (const [body, undo] of [
      [{ password: newPassword }, { password: goodPassword }],
      [{ enabled: false }, { enabled: true }],
      [{ locked: true }, { locked: false }],
    ]) {
      const token = await session(user);
      assertIs(await put(user.id, admin.token, body), 200);
      assert.equal(await use(token), 401);
      assertIs(await put(user.id, admin.token, undo), 200);
      assert.equal(await use(token), 401, 'and they do not come back');
    }
    const token = await session(user);
    assertIs(await api.ask('DELETE', at(user.id), { token: admin.token }), 204);
    assert.equal(await use(token), 401);
    assertIs(await api.ask('GET', at(user.id), { token: admin.token }), 403);
  });

  test('changes are in the audit by the names of their fields', async () => {
    const admin = await api.person('Organization Administrator');
    const user = await makeLogin(api, { organization: admin.organizationId });
    await put(user.id, admin.token, { fullName: 'New Name', enabled: true, password: newPassword });
    const { rows } = await sql<{ readonly details: unknown; readonly user_id: string }>`
      SELECT details, user_id FROM audit_events WHERE entity_id = ${user.id} AND action = 'users.update'
    `.execute(api.db);
    assert.deepEqual(rows, [{ details: { changed: ['fullName', 'password'] }, user_id: admin.userId }]);
  });

  test('the profile is the own user', async () => {
    const me = await api.person('Read-only');
    const profile = await api.ask('GET', '/api/v1/user/profile', { token: me.token });
    assert.deepEqual(profile.body, (await api.ask('GET', at(me.userId), { token: me.token })).body);
    assert.equal(profile.body['id'], `urn:vcloud:user:${me.userId}`);
  });
});
