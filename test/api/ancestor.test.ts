/**
 * The mistakes of the predecessor that an API can make, each by its number in its list and tried as an attacker or a
 * client would: 6.1 are holes, 6.2 are defects. The mistakes in clusters and virtual machines are tested with those.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { VappId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { deleteVapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import type { OfferedEntry } from '../../packages/ssvirt/src/kubevirt/catalog/entry.ts';
import { makeCatalog, makeOrganization, makeVapp, makeVdc, makeVm, observe, unique } from '../database/rows.ts';
import { roleIdOf, startApi, type Answer, type ApiHarness, type Person } from './harness.ts';
import { bodyOf, sourceOf } from './offers.ts';
import { goodPassword, logIn, makeLogin, tokenOf } from './log-in.ts';

const base = '/cloudapi/1.0.0';
const systemAdministrator = { id: `urn:vcloud:role:${roleIdOf['System Administrator']}` };
const instancetypes = [{ name: 'u1.small', cpus: 1, memoryMb: 2048 }];
const definition = { image: 'containerdisks/fedora:42', instancetype: 'u1.small' };

const template: OfferedEntry = {
  entry: {
    kind: 'Template',
    namespace: 'openshift',
    name: 'fedora',
    displayName: 'Fedora',
    description: '',
    vmCount: 1,
    parameters: [
      {
        name: 'NAME',
        displayName: 'NAME',
        description: '',
        required: false,
        hasDefault: false,
        generatedFrom: 'fedora-[a-z0-9]{8}',
      },
    ],
    body: bodyOf([{ name: '${NAME}' }]),
    machines: [{ name: '${NAME}', cpuCount: 1, memoryBytes: 2 ** 30, storageBytes: 0 }],
    tags: [],
    deprecated: false,
    ready: true,
    message: '',
  },
  offers: [{ cluster: 'local', available: true, message: '' }],
};

suite('the mistakes of the predecessor', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let system: Person;
  let admin: Person;
  let user: Person;
  before(async () => {
    const templates = [template];
    api = await startApi({ catalogSource: sourceOf(() => ({ entries: templates, instancetypes })) });
    system = await api.person('System Administrator');
    admin = await api.person('Organization Administrator');
    user = await api.person('vApp User', admin.organizationId);
  });
  after(() => api.stop());

  const ask = (method: string, path: string, { token }: Person, body?: unknown): Promise<Answer> =>
    api.ask(method, `${path.startsWith('/') ? '' : `${base}/`}${path}`, { token, body });
  const statusesOf = async (asked: readonly Promise<Answer>[]): Promise<readonly number[]> =>
    (await Promise.all(asked)).map(({ status }) => status);
  const userPath = (id: string): string => `users/urn:vcloud:user:${id}`;
  const orgPath = (id: string): string => `orgs/urn:vcloud:org:${id}`;

  async function made(path: string, who: Person, body: object): Promise<Record<string, unknown>> {
    const answer = await ask('POST', path, who, body);
    assert.ok(answer.status === 201 || answer.status === 202, answer.text);
    return answer.body;
  }

  async function nameOf(organization: string): Promise<string> {
    return String((await ask('GET', orgPath(organization), system)).body['name']);
  }

  /** A token as the predecessor made them. */
  function forged(claims: object, key: string): string {
    const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`;
  }

  const claimsOf = (exp?: number): object => ({
    sub: `urn:vcloud:user:${system.userId}`,
    user_id: `urn:vcloud:user:${system.userId}`,
    role: 'System Administrator',
    ...defined({ exp }),
  });

  test('6.1.1: a token signed with an empty key is refused', async () => {
    const token = forged(claimsOf(4_102_444_800), '');
    assert.equal((await api.ask('GET', `${base}/users`, { token })).status, 401);
  });

  test('6.1.2: a token signed with a known key is refused', async () => {
    for (const key of ['development-secret-change-in-production', 'secret', 'ssvirt'])
      assert.equal(
        (await api.ask('GET', `${base}/users`, { token: forged(claimsOf(4_102_444_800), key) })).status,
        401,
      );
  });

  test('6.1.3: any user cannot make administrators, change or delete others, or touch organizations and catalogs', async () => {
    const { id: catalog } = await makeCatalog(api.db, { organization_id: admin.organizationId });
    const username = unique('made');
    const asked: readonly (readonly [string, string, unknown?])[] = [
      ['POST', 'users', { username, roleEntityRefs: [systemAdministrator] }],
      ['POST', 'users', { username }],
      ['GET', 'users'],
      ['PUT', userPath(user.userId), { roleEntityRefs: [systemAdministrator] }],
      ['PUT', userPath(admin.userId), { password: goodPassword }],
      ['PUT', userPath(admin.userId), { enabled: false }],
      ['DELETE', userPath(admin.userId)],
      ['POST', 'orgs', { name: username }],
      ['PUT', orgPath(user.organizationId), { description: 'mine' }],
      ['DELETE', orgPath(user.organizationId)],
      ['POST', 'catalogs', { name: username }],
      ['DELETE', `catalogs/urn:vcloud:catalog:${catalog}`],
    ];
    for (const [method, path, body] of asked)
      assert.equal((await ask(method, path, user, body)).status, 403, `${method} ${path}`);
    const { rows } = await sql`
      SELECT FROM user_roles WHERE user_id IN (${user.userId}, ${admin.userId}) AND role_id = ${roleIdOf['System Administrator']}
      UNION ALL SELECT FROM users WHERE username = ${username} OR (id = ${admin.userId} AND (NOT enabled OR deleted_at IS NOT NULL))
    `.execute(api.db);
    assert.equal(rows.length, 0);
  });

  test('6.1.3: an administrator of one organization reaches nothing of another', async () => {
    const stranger = await api.person('Organization Administrator');
    const { id: catalog } = await makeCatalog(api.db, { organization_id: admin.organizationId });
    const statuses = await statusesOf([
      ask('PUT', userPath(user.userId), stranger, { password: goodPassword }),
      ask('DELETE', userPath(user.userId), stranger),
      ask('GET', orgPath(admin.organizationId), stranger),
      ask('DELETE', `catalogs/urn:vcloud:catalog:${catalog}`, stranger),
      ask('POST', 'catalogs', stranger, { name: 'x', orgId: `urn:vcloud:org:${admin.organizationId}` }),
    ]);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403]);
    const { body } = await ask('GET', 'users?filter=username==*', stranger);
    assert.equal(body['resultTotal'], 1);
  });

  test('6.1.4: log-out, disabling, deletion and a new password end every token', async () => {
    const logInAnew = async (): Promise<{ readonly id: string; readonly token: string }> => {
      const { id, username, organization_name } = await makeLogin(api, { organization: admin.organizationId });
      return { id, token: tokenOf(await logIn(api, `${username}@${organization_name}`)) };
    };
    const ways: readonly ((one: { readonly id: string; readonly token: string }) => Promise<Answer>)[] = [
      ({ token }) => api.ask('DELETE', `${base}/sessions/current`, { token }),
      ({ id }) => ask('PUT', userPath(id), admin, { enabled: false }),
      ({ id }) => ask('DELETE', userPath(id), admin),
      ({ id }) => ask('PUT', userPath(id), admin, { password: `${goodPassword} anew` }),
    ];
    for (const end of ways) {
      const one = await logInAnew();
      assert.equal((await api.ask('GET', `${base}/roles`, one)).status, 200);
      assert.ok((await end(one)).status < 300);
      assert.equal((await api.ask('GET', `${base}/roles`, one)).status, 401, String(end));
    }
  });

  test('6.1.5: whether a user exists shows neither in the answer to a log-in nor in how soon one has to wait', async () => {
    const { username, organization_name } = await makeLogin(api);
    const seen = await Promise.all(
      [username, unique('nobody')].map(async (name) => {
        const answers: unknown[] = [];
        for (let time = 0; time < 6; time += 1) {
          // Regardless of how long the last attempt takes.
          if (time === 5)
            await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(api.db);
          const { status, body } = await logIn(api, `${name}@${organization_name}`, { password: 'wrong password' });
          answers.push([status, status === 401 ? body : '']);
        }
        return answers;
      }),
    );
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(seen[0]?.at(-1), [429, '']);
  });

  test('6.1.5: foreign and missing objects answer alike', async () => {
    const { id } = await makeOrganization(api.db);
    const nowhere = '11111111-2222-4333-8444-555555555555';
    const [foreign, missing] = await Promise.all([ask('GET', orgPath(id), user), ask('GET', orgPath(nowhere), user)]);
    assert.deepEqual([foreign.status, foreign.text], [403, missing.text]);
  });

  test('6.1.6: unpublished catalogs of others are not readable, nor their items by the way of another catalog', async () => {
    const stranger = await api.person('Organization Administrator');
    const theirs = String((await made('catalogs', stranger, { name: unique('theirs') }))['id']);
    const item = String((await made(`catalogs/${theirs}/catalogItems`, stranger, { name: 'x', definition }))['id']);
    const mine = String((await made('catalogs', admin, { name: unique('mine') }))['id']);
    const offered = (await ask('GET', `catalogs/${theirs}/catalogItems?filter=name==fedora`, stranger)).body['values'];
    const [{ id: templateId = '' } = {}] = offered as readonly { readonly id?: string }[];
    const statuses = await statusesOf([
      ask('GET', `catalogs/${theirs}`, admin),
      ask('GET', `catalogs/${theirs}/catalogItems`, admin),
      ask('GET', `catalogs/${theirs}/catalogItems/${item}`, admin),
      ask('GET', `catalogs/${mine}/catalogItems/${item}`, admin),
      ask('GET', `catalogs/${mine}/catalogItems/${templateId}`, admin),
      ask('GET', `catalogs/${theirs}/catalogItems/${templateId}`, stranger),
    ]);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 200]);
  });

  test('6.1.6: only what the caller sees in a catalog can be instantiated, by no other way', async () => {
    const stranger = await api.person('Organization Administrator');
    const catalog = String((await made('catalogs', stranger, { name: unique('theirs') }))['id']);
    const row = String((await made(`catalogs/${catalog}/catalogItems`, stranger, { name: 'x', definition }))['id']);
    const listed = (await ask('GET', `catalogs/${catalog}/catalogItems?filter=name==fedora`, stranger)).body['values'];
    const [{ id: offered = '' } = {}] = listed as readonly { readonly id?: string }[];
    const hidden = String((await made('catalogs', admin, { name: unique('none'), includesTemplates: false }))['id']);
    const vdc = (await makeVdc(api.db, { organization_id: admin.organizationId })).id;
    const use = (catalogItem: object): Promise<Answer> =>
      ask('POST', `vdcs/urn:vcloud:vdc:${vdc}/actions/instantiateTemplate`, admin, { name: unique('v'), catalogItem });
    assert.deepEqual(
      await statusesOf([
        use({ id: row }),
        use({ id: offered }),
        // As the predecessor accepted them: an id without a catalog, and the name of any template.
        use({ id: 'urn:vcloud:catalogitem:11111111-2222-4333-8444-555555555555', name: 'fedora' }),
        use({ id: `urn:vcloud:catalogitem:${hidden.slice(-36)}`, name: 'fedora' }),
        use({ id: 'urn:vcloud:catalogitem:fedora', name: 'fedora' }),
        use({ name: 'fedora' }),
      ]),
      [403, 403, 403, 403, 400, 400],
    );
  });

  test('6.1.8: pages of other origins are not let in, and no cookie makes a browser send a session', async () => {
    const { username, organization_name } = await makeLogin(api);
    const answers = [
      await api.ask('OPTIONS', `${base}/users`, {
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      }),
      await logIn(api, `${username}@${organization_name}`, { headers: { origin: 'https://elsewhere.example' } }),
    ];
    for (const { headers } of answers)
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'set-cookie'),
        [],
      );
  });

  test('6.1.10: a password is long enough whenever it is set, and counts beyond 72 bytes', async () => {
    const short = { username: unique('short'), password: 'short' };
    assert.equal((await ask('POST', 'users', admin, short)).status, 400);
    assert.equal((await ask('PUT', userPath(user.userId), admin, { password: 'short' })).status, 400);
    const long = 'ä b ö c ü d '.repeat(9);
    const username = unique('long');
    await made('users', admin, { username, password: `${long}1` });
    const who = `${username}@${await nameOf(admin.organizationId)}`;
    assert.equal((await logIn(api, who, { password: `${long}1` })).status, 200);
    assert.equal((await logIn(api, who, { password: `${long}2` })).status, 401);
  });

  test('6.1.11: a token without an end is refused, and is not a server error', async () => {
    assert.equal((await api.ask('GET', `${base}/users`, { token: forged(claimsOf(), '') })).status, 401);
  });

  test('6.2.1: every id of a listed item leads to the item', async () => {
    const catalog = String((await made('catalogs', admin, { name: unique('c') }))['id']);
    await made(`catalogs/${catalog}/catalogItems`, admin, { name: 'own', definition });
    const items = (await ask('GET', `catalogs/${catalog}/catalogItems`, user)).body['values'] as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    assert.deepEqual(items.map(({ name }) => name).toSorted(), ['fedora', 'own']);
    for (const item of items)
      assert.deepEqual((await ask('GET', `catalogs/${catalog}/catalogItems/${item.id}`, user)).body, item);
  });

  test('6.2.1: every id of a listed item can be instantiated', async () => {
    const catalog = String((await made('catalogs', admin, { name: unique('c') }))['id']);
    await made(`catalogs/${catalog}/catalogItems`, admin, { name: 'own', definition });
    const items = (await ask('GET', `catalogs/${catalog}/catalogItems`, admin)).body['values'];
    const vdc = (await makeVdc(api.db, { organization_id: admin.organizationId })).id;
    for (const { id, name } of items as readonly { readonly id: string; readonly name: string }[]) {
      const asked = { name: unique('v'), catalogItem: { id, name } };
      const vapp = await made(`vdcs/urn:vcloud:vdc:${vdc}/actions/instantiateTemplate`, admin, asked);
      const { body } = await ask('GET', `vapps/${String(vapp['id'])}`, admin);
      assert.deepEqual([body['name'], body['numberOfVMs']], [asked.name, 1], name);
    }
  });

  test('6.2.2: a vApp with machines that run is refused before anything of it is deleted', async () => {
    const vdc = await makeVdc(api.db, { organization_id: admin.organizationId });
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const vm = await makeVm(api.db, { vapp_id: vapp.id });
    await observe(api.db, vm, 'POWERED_ON');
    assert.equal((await ask('DELETE', `vapps/urn:vcloud:vapp:${vapp.id}`, admin)).status, 409);
    const { rows } = await sql`
      SELECT FROM vapps WHERE id = ${vapp.id} AND desired_state <> 'present'
      UNION ALL SELECT FROM vms WHERE id = ${vm.id} AND desired_state <> 'present'
      UNION ALL SELECT FROM tasks WHERE owner_id IN (${vapp.id}, ${vm.id})
      UNION ALL SELECT FROM reconciliations WHERE entity_id IN (${vapp.id}, ${vm.id})
    `.execute(api.db);
    assert.equal(rows.length, 0);
  });

  test('6.2.3: names of vApps can be used again after a deletion, and after an instantiation that failed', async () => {
    const vdc = `vdcs/urn:vcloud:vdc:${(await makeVdc(api.db, { organization_id: admin.organizationId })).id}`;
    const name = unique('again');
    const first = String((await made(`${vdc}/vapps`, admin, { name }))['id']);
    assert.equal((await ask('POST', `${vdc}/vapps`, admin, { name })).status, 409);
    assert.equal((await ask('DELETE', `vapps/${first}`, admin)).status, 202);
    // As the worker ends it.
    await deleteVapp(api.db, first.slice(-36) as VappId);
    const nothing = { id: 'urn:vcloud:catalogitem:11111111-2222-4333-8444-555555555555' };
    const failed = await ask('POST', `${vdc}/actions/instantiateTemplate`, admin, { name, catalogItem: nothing });
    assert.equal(failed.status, 403);
    assert.notEqual((await made(`${vdc}/vapps`, admin, { name }))['id'], first);
  });

  test('6.2.5: in a virtual data center that is gone, nothing is instantiated or deleted, and nothing breaks', async () => {
    const gone = await makeVdc(api.db, { organization_id: admin.organizationId });
    const vapp = await makeVapp(api.db, { vdc_id: gone.id });
    await sql`UPDATE vapps SET deleted_at = now() WHERE id = ${vapp.id}`.execute(api.db);
    await sql`UPDATE vdcs SET deleted_at = now() WHERE id = ${gone.id}`.execute(api.db);
    const item = { id: 'urn:vcloud:catalogitem:11111111-2222-4333-8444-555555555555' };
    const statuses = await statusesOf([
      ask('POST', `vdcs/urn:vcloud:vdc:${gone.id}/actions/instantiateTemplate`, admin, {
        name: 'x',
        catalogItem: item,
      }),
      ask('DELETE', `vapps/urn:vcloud:vapp:${vapp.id}?force=true`, admin),
      ask('POST', `vapps/urn:vcloud:vapp:${vapp.id}/actions/powerOn`, admin),
    ]);
    assert.deepEqual(statuses, [403, 403, 403]);
  });

  test('6.2.3: names of users, organizations and catalogs can be used again after a deletion', async () => {
    for (const [path, body] of [
      ['users', { username: unique('again') }],
      ['orgs', { name: unique('again') }],
      ['catalogs', { name: unique('again') }],
    ] as const) {
      const { id } = await made(path, system, body);
      assert.equal((await ask('POST', path, system, body)).status, 409);
      assert.equal((await ask('DELETE', `${path}/${String(id)}`, system)).status, 204);
      assert.notEqual((await made(path, system, body))['id'], id);
    }
  });

  test('6.2.4: false and 0 are kept when something is made and when it is changed', async () => {
    const off = { enabled: false, deployedVmQuota: 0, storedVmQuota: 0 };
    const on = { enabled: true, deployedVmQuota: 3, storedVmQuota: 4 };
    for (const [path, no, yes] of [
      ['users', { username: unique('u'), ...off }, on],
      ['orgs', { name: unique('o'), isEnabled: false }, { isEnabled: true }],
    ] as const) {
      const one = `${path}/${String((await made(path, system, no))['id'])}`;
      for (const wanted of [undefined, yes, no]) {
        if (wanted !== undefined) assert.equal((await ask('PUT', one, system, wanted)).status, 200);
        const { body } = await ask('GET', one, system);
        assert.deepEqual({ ...body, ...(wanted ?? no) }, body, path);
      }
    }
    const vdcs = `/api/admin/org/urn:vcloud:org:${admin.organizationId}/vdcs`;
    assert.equal((await made(vdcs, system, { name: unique('v'), isEnabled: false, vmQuota: 0 }))['isEnabled'], false);
  });

  test('6.2.11: an organization that is renamed has its new name in its users, and can be logged in to by it', async () => {
    const { id, username, organization_id } = await makeLogin(api);
    const name = unique('renamed');
    assert.equal((await ask('PUT', orgPath(organization_id), system, { name })).status, 200);
    assert.equal((await ask('GET', userPath(id), system)).body['organizationName'], name);
    assert.equal((await logIn(api, `${username}@${name}`)).status, 200);
  });

  test('6.2.14: ids of another form are refused, and neither a deleted user nor a role that is not there is an error of the server', async () => {
    for (const id of [user.userId.replaceAll('-', ''), `urn:vcloud:org:${user.userId}`, user.userId.toUpperCase()])
      assert.equal((await ask('GET', `users/${id}`, system)).status, 400, id);
    const gone = await api.person('System Administrator');
    assert.equal((await ask('DELETE', userPath(gone.userId), system)).status, 204);
    assert.equal((await ask('GET', `/api/admin/org/urn:vcloud:org:${admin.organizationId}/vdcs`, gone)).status, 401);
    for (const role of ['urn:vcloud:role:11111111-2222-4333-8444-555555555555', 'Administrator'])
      assert.equal((await ask('PUT', userPath(user.userId), admin, { roleEntityRefs: [{ id: role }] })).status, 400);
  });

  test('6.2.15: every list has one envelope, one set of parameters and names in one style, and no list is null', async () => {
    const lists = api.routes
      .filter(
        ({ route, operation }) =>
          /^GET [^:]+$/.test(route) && operation.endsWith('.list') && !route.includes('versions'),
      )
      .map(({ route }) => route.slice('GET '.length));
    assert.ok(lists.length >= 9, lists.join());
    for (const path of [...lists, `/api/admin/org/urn:vcloud:org:${admin.organizationId}/vdcs`]) {
      const { status, body } = await ask('GET', `${path}?page=999&pageSize=7`, system);
      assert.equal(status, 200, path);
      const { resultTotal, pageCount, ...rest } = body;
      assert.deepEqual(rest, { page: 999, pageSize: 7, associations: [], values: [] }, path);
      assert.equal(pageCount, Math.ceil(Number(resultTotal) / 7), path);
      assert.equal((await ask('GET', `${path}?pageSize=129`, system)).status, 400, path);
      const { text } = await ask('GET', path, system);
      assert.deepEqual(text.match(/"[a-z]+_[a-z_]+":/g) ?? [], [], path);
    }
  });

  test('6.2.16: times are in UTC, and are now', async () => {
    const { createdAt } = await made('users', admin, { username: unique('now') });
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Math.abs(Date.parse(String(createdAt)) - Date.now()) < 120_000, String(createdAt));
  });

  test('6.2.19: of two who take a name at once one gets it, and a change that fails in part changes nothing', async () => {
    for (const [path, body] of [
      ['users', { username: unique('twice') }],
      ['orgs', { name: unique('twice') }],
      ['catalogs', { name: unique('twice') }],
    ] as const) {
      const statuses = await statusesOf([1, 2, 3].map(() => ask('POST', path, system, body)));
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [201, 409, 409],
        path,
      );
    }
    const { id, username } = await made('users', admin, { username: unique('whole'), fullName: 'Before' });
    const taken = String((await made('users', admin, { username: unique('taken') }))['username']);
    const change = { fullName: 'After', username: taken, roleEntityRefs: [] };
    assert.equal((await ask('PUT', `users/${String(id)}`, admin, change)).status, 409);
    const { body } = await ask('GET', `users/${String(id)}`, admin);
    assert.deepEqual([body['fullName'], body['username']], ['Before', username]);
  });

  test('6.2.20: an ended session gets the same "log in" answer as one that never existed', async () => {
    const over = await api.person('vApp User');
    await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ${over.userId}`.execute(
      api.db,
    );
    const [expired, unknown] = await Promise.all([
      ask('GET', 'roles', over),
      api.ask('GET', `${base}/roles`, { token: 'none' }),
    ]);
    assert.deepEqual([expired.status, expired.text], [401, unknown.text]);
    assert.match(expired.text, /log in at/);
  });

  test('6.1.7: after all of that neither a password, a hash, a token, an address nor a statement is in the log', async () => {
    const { id } = await made('users', admin, {
      username: unique('logged'),
      email: 'who@logged.example',
      password: goodPassword,
    });
    await ask('PUT', `users/${String(id)}`, admin, { email: 'none', password: goodPassword });
    const log = JSON.stringify(api.log);
    assert.match(log, /users\/:userId/);
    for (const secret of [goodPassword, 'wrong password', '$argon2', 'logged.example', system.token, admin.token])
      assert.ok(!log.includes(secret), secret);
    assert.doesNotMatch(log, /select |insert into|update "/i);
  });
});
