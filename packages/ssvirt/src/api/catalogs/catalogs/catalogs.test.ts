/** Catalogs by real requests: who sees them, changes them and publishes them. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../../test/api/harness.ts';
import { unique } from '../../../../../../test/database/rows.ts';
import { updateOrganization } from '../../../db/tenants/organizations.ts';
import type { OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { nothingOffered } from './source.ts';
import { urnOf } from '../../urn.ts';

const path = '/cloudapi/1.0.0/catalogs';

const offered: OfferedEntry = {
  entry: {
    kind: 'Template',
    namespace: 'openshift',
    name: 'fedora',
    displayName: 'Fedora',
    description: '',
    vmCount: 1,
    parameters: [],
    machines: [],
    tags: [],
    deprecated: false,
    ready: true,
    message: '',
  },
  offers: [{ cluster: 'local', available: true, message: '' }],
};

const definition = { image: 'containerdisks/fedora:42', instancetype: 'u1.small' };

suite('catalogs', () => {
  let api: ApiHarness;
  let admin: Person;
  let author: Person;
  let stranger: Person;
  let system: Person;

  before(async () => {
    const entries = [offered];
    api = await startApi({ catalogSource: { ...nothingOffered, entries: () => entries } });
    admin = await api.person('Organization Administrator');
    author = await api.person('vApp Author', admin.organizationId);
    stranger = await api.person('Organization Administrator');
    system = await api.person('System Administrator');
  });
  after(() => api.stop());

  const make = async (person: Person, body: object = {}): Promise<Answer> =>
    api.ask('POST', path, { token: person.token, body: { name: unique('catalog'), ...body } });
  const made = async (person: Person, body: object = {}): Promise<string> => {
    const answer = await make(person, body);
    assert.equal(answer.status, 201, answer.text);
    return String(answer.body['id']);
  };
  const ask = (person: Person, method: string, id: string, body?: object): Promise<Answer> =>
    api.ask(method, `${path}/${id}`, { token: person.token, ...defined({ body }) });
  const refuses = async (asked: Promise<Answer>, status: number, message: RegExp): Promise<void> => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    assert.match(String(answer.body['message']), message);
  };

  test('are made in the own organisation, with an owner, and look alike in list and get', async () => {
    const answer = await make(author, { description: 'Mine' });
    assert.equal(answer.status, 201, answer.text);
    const { id, name } = answer.body;
    const org = await api.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', author.organizationId)
      .executeTakeFirstOrThrow();
    const owner = await api.db
      .selectFrom('users')
      .select('username')
      .where('id', '=', author.userId)
      .executeTakeFirstOrThrow();
    assert.equal(answer.headers['location'], `${path}/${String(id)}`);
    assert.match(String(answer.body['creationDate']), /^\d{4}-.*Z$/);
    assert.deepEqual(
      { ...answer.body, creationDate: '' },
      {
        id,
        name,
        description: 'Mine',
        org: { name: org.name, id: urnOf('org', author.organizationId) },
        owner: { name: owner.username, id: urnOf('user', author.userId) },
        isPublished: false,
        isSubscribed: false,
        isLocal: true,
        includesTemplates: true,
        creationDate: '',
        numberOfVAppTemplates: 1,
        numberOfMedia: 0,
        catalogStorageProfiles: [],
        publishConfig: { isPublished: false },
        subscriptionConfig: { isSubscribed: false },
        distributedCatalogConfig: {},
        version: 1,
      },
    );
    await api.ask('POST', `${path}/${String(id)}/catalogItems`, {
      token: author.token,
      body: { name: 'own', definition },
    });
    const got = await ask(author, 'GET', String(id));
    assert.equal(got.body['numberOfVAppTemplates'], 2, 'its own item and what the cluster offers');
    const listed = await api.ask('GET', `${path}?filter=name==${String(name)}`, { token: author.token });
    assert.deepEqual(listed.body['values'], [got.body]);
  });

  test('of one organisation are not there for another, until they are published; then they are read-only', async () => {
    const id = await made(system, { orgId: urnOf('org', admin.organizationId) });
    const missing = await ask(stranger, 'GET', 'urn:vcloud:catalog:00000000-0000-4000-8000-0000000000ff');
    const foreign = await ask(stranger, 'GET', id);
    assert.deepEqual([foreign.status, foreign.body], [403, missing.body]);
    for (const [method, body] of [
      ['PUT', { description: 'x' }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual((await ask(stranger, method, id, body)).body, missing.body);

    assert.equal((await ask(system, 'PUT', id, { isPublished: true })).status, 200);
    const seen = await ask(stranger, 'GET', id);
    assert.deepEqual([seen.status, seen.body['isPublished']], [200, true]);
    await refuses(ask(stranger, 'PUT', id, { description: 'x' }), 403, /published by another organization/);
    await refuses(ask(stranger, 'DELETE', id), 403, /published by another organization/);
    const item = { name: 'x', definition };
    await refuses(
      api.ask('POST', `${path}/${id}/catalogItems`, { token: stranger.token, body: item }),
      403,
      /published by another organization/,
    );
    const list = await api.ask('GET', path, { token: stranger.token });
    assert.ok((list.body['values'] as { id: string }[]).some((one) => one.id === id));
  });

  test('are published by whom may publish only', async () => {
    const home = await api.person('Organization Administrator');
    await refuses(make(home, { isPublished: true }), 403, /may not publish catalogs; ask a system administrator/);
    const id = await made(home);
    await refuses(ask(home, 'PUT', id, { isPublished: true }), 403, /may not publish/);
    await updateOrganization(api.db, home.organizationId, { can_publish: true });
    assert.equal((await ask(home, 'PUT', id, { isPublished: true })).body['isPublished'], true);
    await updateOrganization(api.db, home.organizationId, { can_publish: false });
    // A published catalog stays published, and publishing can be undone.
    assert.equal((await ask(home, 'PUT', id, { isPublished: true, description: 'x' })).status, 200);
    assert.equal((await ask(home, 'PUT', id, { isPublished: false })).body['isPublished'], false);
  });

  test('of others in the organisation an author reads, and an administrator changes', async () => {
    const foreign = await made(admin);
    await refuses(ask(author, 'PUT', foreign, { description: 'x' }), 403, /belongs to another user/);
    await refuses(ask(author, 'DELETE', foreign), 403, /belongs to another user/);
    assert.equal((await ask(author, 'GET', foreign)).status, 200);
    const own = await made(author);
    const changed = await ask(author, 'PUT', own, { description: '', includesTemplates: false });
    assert.deepEqual(
      [changed.body['description'], changed.body['includesTemplates'], changed.body['version']],
      ['', false, 2],
    );
    assert.equal(changed.body['numberOfVAppTemplates'], 0);
    assert.equal((await ask(admin, 'PUT', own, { name: unique('renamed') })).body['version'], 3);
    assert.equal((await ask(admin, 'PUT', own, {})).body['version'], 3, 'nothing is no change');
    assert.equal((await ask(admin, 'DELETE', own)).status, 204);
    assert.equal((await ask(admin, 'GET', own)).status, 403);
  });

  test('cannot be made in a foreign organisation', async () => {
    const foreign = await make(admin, { orgId: urnOf('org', stranger.organizationId) });
    const missing = await make(admin, { orgId: 'urn:vcloud:org:00000000-0000-4000-8000-0000000000ff' });
    assert.deepEqual([foreign.status, foreign.body], [403, missing.body]);
  });

  test('have names of their own in the organisation, by a rule', async () => {
    const name = unique('Twice');
    await made(admin, { name });
    await refuses(make(author, { name: name.toUpperCase() }), 409, /^The name is already taken/);
    await made(stranger, { name });
    const other = await made(admin);
    await refuses(ask(admin, 'PUT', other, { name }), 409, /^The name is already taken/);
    for (const bad of ['', ' x', 'x ', 'a\u0000b', 'a\nb', 'x'.repeat(129)])
      assert.equal((await make(admin, { name: bad })).status, 400, JSON.stringify(bad));
    await refuses(make(admin, { isSubscribed: true }), 400, /isSubscribed is not a field/);
    assert.equal((await make(admin, { isPublished: 'true' })).status, 400, 'nothing is turned into another type');
  });

  test('with items of their own are not deleted, and it is said how many there are', async () => {
    const id = await made(admin);
    const items = `${path}/${id}/catalogItems`;
    for (const name of ['a', 'b'])
      assert.equal((await api.ask('POST', items, { token: admin.token, body: { name, definition } })).status, 201);
    await refuses(ask(admin, 'DELETE', id), 409, /while it contains 2 items of its own/);
    assert.equal((await ask(admin, 'GET', id)).body['version'], 3);
  });

  test('are sorted and paged, each once', async () => {
    const home = await api.person('Organization Administrator');
    const names = ['Beta', 'alpha', 'Gamma'].map((name) => unique(name));
    for (const name of names) await made(home, { name });
    const own = `filter=org.id==${urnOf('org', home.organizationId)}`;
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const answer = await api.ask('GET', `${path}?page=${page}&pageSize=1&sortDesc=name&${own}`, {
        token: home.token,
      });
      assert.equal(answer.body['resultTotal'], 3, answer.text);
      seen.push(...(answer.body['values'] as { name: string }[]).map((one) => one.name));
    }
    assert.deepEqual(seen, [names[2], names[0], names[1]]);
  });

  test('are in the audit of their organisation, whoever changed them', async () => {
    const id = await made(system, { orgId: urnOf('org', admin.organizationId) });
    await ask(admin, 'PUT', id, { description: 'x' });
    await ask(admin, 'DELETE', id);
    const events = await api.db
      .selectFrom('audit_events')
      .select(['action', 'outcome', 'organization_id', 'details'])
      .where('entity_id', '=', id.slice(-36))
      .where('outcome', '=', 'success')
      .orderBy('at')
      .execute();
    assert.deepEqual(
      events.map(({ action, organization_id }) => [action, organization_id]),
      ['catalogs.create', 'catalogs.update', 'catalogs.delete'].map((action) => [action, admin.organizationId]),
    );
    assert.deepEqual(events[1]?.details, { fields: ['description'] });
  });
});
