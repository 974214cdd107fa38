import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../../test/api/harness.ts';
import {
  makeCatalog,
  makeUser,
  makeVapp,
  makeVdc,
  makeVm,
  observe,
  unique,
} from '../../../../../../test/database/rows.ts';
import type { OrganizationId } from '../../../db/schema/schema.ts';
import { systemOrganization } from '../../caller.ts';

const orgs = '/cloudapi/1.0.0/orgs';
const system = `urn:vcloud:org:${systemOrganization}`;

suite('organizations', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let provider: Person;
  before(async () => {
    api = await startApi();
    provider = await api.person('System Administrator');
  });
  after(() => api.stop());

  const ask = (method: string, path: string, body?: unknown, token = provider.token): Promise<Answer> =>
    api.ask(method, `${orgs}${path}`, { token, ...defined({ body }) });
  const message = ({ body }: Answer): string => String(body['message']);

  async function create(body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await ask('POST', '', { name: unique('org'), ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  async function auditOf(id: unknown): Promise<readonly { action: string; details: unknown }[]> {
    return api.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('entity_id', '=', String(id).slice(-36))
      .orderBy('at')
      .execute();
  }

  test('are made with what was said, and what was not has its default', async () => {
    const name = unique('org');
    const made = await create({ name });
    assert.match(String(made['id']), /^urn:vcloud:org:/);
    assert.match(String(made['createdAt']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const { id, createdAt: _created, updatedAt: _updated, ...rest } = made;
    assert.deepEqual(rest, {
      name,
      displayName: name,
      description: '',
      isEnabled: true,
      canManageOrgs: false,
      canPublish: false,
      managedBy: { name: 'System', id: system },
      orgVdcCount: 0,
      catalogCount: 0,
      vappCount: 0,
      runningVMCount: 0,
      userCount: 0,
      diskCount: 0,
      directlyManagedOrgCount: 0,
      maskedEventTaskUsername: '',
    });
    assert.deepEqual((await ask('GET', `/${String(id)}`)).body, made);
    assert.deepEqual(await auditOf(id), [{ action: 'organizations.create', details: { fields: ['name'] } }]);
  });

  test('keep false and empty texts, when they are made and when they are changed', async () => {
    const made = await create({ isEnabled: false, displayName: '', canPublish: true });
    assert.deepEqual([made['isEnabled'], made['displayName'], made['canPublish']], [false, '', true]);
    const changed = await ask('PUT', `/${String(made['id'])}`, { canPublish: false, description: '' });
    assert.deepEqual(
      [changed.body['canPublish'], changed.body['isEnabled'], changed.body['name']],
      [false, false, made['name']],
    );
  });

  test('can be sent back as they were read', async () => {
    const made = await create();
    const answer = await ask('PUT', `/${String(made['id'])}`, { ...made, description: 'new', userCount: 99 });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body['description'], answer.body['userCount']], ['new', 0]);
    assert.deepEqual((await auditOf(made['id'])).at(-1)?.details, { fields: ['description'] });
  });

  test('get no name that would prevent log-in', async () => {
    const cases: readonly (readonly [name: string, reason: string])[] = [
      ['', 'empty'],
      ['a@b', 'a log-in is split at the @'],
      [' a', 'a space before'],
      ['a ', 'a space behind'],
      ['a/b', 'a slash'],
      ['a\nb', 'a line'],
      ['a\u0000b', 'a NUL'],
      ['ä', 'a letter beyond A-Z'],
      ['..', 'the folder above'],
      ['x'.repeat(129), 'too long'],
    ];
    for (const [name, reason] of cases) {
      const answer = await ask('POST', '', { name });
      assert.equal(answer.status, 400, `${reason}: ${answer.text}`);
      assert.match(message(answer), /^name(:| is) "/, reason);
    }
    for (const name of [unique('a b.c_d-e'), 'x', 'y'.repeat(128)]) await create({ name });
  });

  test('refuse what they do not know, and what is of another type', async () => {
    const cases: readonly (readonly [body: unknown, says: RegExp])[] = [
      [{}, /name is missing/],
      [{ name: 'a', colour: 'red' }, /colour is not a field/],
      [{ name: 'a', isEnabled: 'yes' }, /isEnabled is "yes"; it must be true or false/],
      [{ name: 'a', isEnabled: 'true' }, /isEnabled is "true"; it must be true or false/],
      [{ name: 7 }, /name is 7; it must be a text/],
      [{ name: 'a', displayName: 'a\u0000' }, /displayName/],
      [{ name: 'a', description: 'x'.repeat(5000) }, /description/],
      [{ name: 'a', maskedEventTaskUsername: 'x' }, /maskedEventTaskUsername/],
    ];
    for (const [body, says] of cases) {
      const answer = await ask('POST', '', body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(message(answer), says);
    }
  });

  test('have names of their own, whatever the case', async () => {
    const made = await create();
    const again = await ask('POST', '', { name: String(made['name']).toUpperCase() });
    assert.deepEqual([again.status, again.body['minorErrorCode']], [409, 'DUPLICATE_NAME']);
    const other = await create();
    const renamed = await ask('PUT', `/${String(other['id'])}`, { name: made['name'] });
    assert.equal(renamed.status, 409);
  });

  test('count what is in them, each for itself, one by one and in a list', async () => {
    const [full, empty] = [await create(), await create()];
    const organization_id = String(full['id']).slice(-36) as OrganizationId;
    await makeUser(api.db, { organization_id });
    await makeCatalog(api.db, { organization_id });
    await makeVdc(api.db, { organization_id });
    const vdc = await makeVdc(api.db, { organization_id });
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const alone = await makeVapp(api.db, { vdc_id: vdc.id, hidden: true });
    const disks = JSON.stringify([{ name: 'a' }, { name: 'b' }]);
    await observe(api.db, await makeVm(api.db, { vapp_id: vapp.id }), 'POWERED_ON', { disks });
    await observe(api.db, await makeVm(api.db, { vapp_id: alone.id }), 'POWERED_ON', { disks });
    await observe(api.db, await makeVm(api.db, { vapp_id: vapp.id }), 'POWERED_OFF');
    await observe(api.db, await makeVm(api.db, { vapp_id: vapp.id }), 'DELETED', { disks });
    const leaving = await makeVm(api.db, { vapp_id: vapp.id, desired_state: 'absent' });
    await observe(api.db, leaving, 'POWERED_ON');

    const counters = [
      'orgVdcCount',
      'catalogCount',
      'vappCount',
      'runningVMCount',
      'userCount',
      'diskCount',
      'directlyManagedOrgCount',
    ];
    const countsOf = (body: Record<string, unknown>): readonly unknown[] => counters.map((name) => body[name]);
    assert.deepEqual(countsOf((await ask('GET', `/${String(full['id'])}`)).body), [2, 1, 1, 2, 1, 4, 0]);
    const filter = encodeURIComponent(`name==${String(full['name'])},name==${String(empty['name'])}`);
    const listed = (await ask('GET', `?filter=${filter}`)).body['values'] as Record<string, unknown>[];
    const byName = new Map(listed.map((each) => [each['name'], countsOf(each)]));
    assert.deepEqual(byName.get(full['name']), [2, 1, 1, 2, 1, 4, 0]);
    assert.deepEqual(byName.get(empty['name']), [0, 0, 0, 0, 0, 0, 0]);
    const { count } = await api.db
      .selectFrom('organizations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    assert.equal((await ask('GET', `/${system}`)).body['directlyManagedOrgCount'], count - 1);
  });

  test('are seen by their own people only', async () => {
    const mine = await api.person('Read-only');
    const other = await create();
    const listed = (await ask('GET', '', undefined, mine.token)).body;
    assert.deepEqual(
      [listed['resultTotal'], (listed['values'] as { id: string }[])[0]?.id],
      [1, `urn:vcloud:org:${mine.organizationId}`],
    );
    const foreign = await ask('GET', `/${String(other['id'])}`, undefined, mine.token);
    const missing = await ask('GET', '/urn:vcloud:org:00000000-0000-4000-8000-0000000000ff', undefined, mine.token);
    assert.deepEqual([foreign.status, foreign.body], [403, missing.body]);
    // Only the provider may act for a tenant.
    const headers = { 'x-vmware-vcloud-tenant-context': String(other['id']) };
    const through = await api.ask('GET', `${orgs}/${String(other['id'])}`, { token: mine.token, headers });
    assert.deepEqual([through.status, through.body], [403, missing.body]);
  });

  test('that are disabled end the access of their users at once', async () => {
    const user = await api.person('Organization Administrator');
    const path = `/urn:vcloud:org:${user.organizationId}`;
    assert.equal((await ask('GET', path, undefined, user.token)).status, 200);
    await ask('PUT', path, { isEnabled: false });
    assert.equal((await ask('GET', path, undefined, user.token)).status, 401);
    await ask('PUT', path, { isEnabled: true });
    // The old session stays invalid: the user has to log in again.
    assert.equal((await ask('GET', path, undefined, user.token)).status, 401);
  });

  test('that are renamed have the name put into the clusters', async () => {
    const made = await create();
    const vdc = await makeVdc(api.db, { organization_id: String(made['id']).slice(-36) as OrganizationId });
    const requestSum = async (): Promise<number> =>
      (await api.db.selectFrom('reconciliations').select('wish').where('entity_id', '=', vdc.id).execute()).reduce(
        (sum, { wish }) => sum + wish,
        0,
      );
    await ask('PUT', `/${String(made['id'])}`, { description: 'not there' });
    assert.equal(await requestSum(), 0);
    await ask('PUT', `/${String(made['id'])}`, { name: unique('renamed') });
    assert.equal(await requestSum(), 1);
    await ask('PUT', `/${String(made['id'])}`, { displayName: 'Renamed' });
    assert.equal(await requestSum(), 2);
  });

  test('are deleted only when nothing is in them, and say what is', async () => {
    const made = await create();
    const organization_id = String(made['id']).slice(-36) as OrganizationId;
    await makeVdc(api.db, { organization_id });
    await makeVdc(api.db, { organization_id });
    await makeUser(api.db, { organization_id });
    await makeCatalog(api.db, { organization_id });
    const refused = await ask('DELETE', `/${String(made['id'])}`);
    assert.equal(refused.status, 409);
    assert.match(message(refused), /2 virtual data centers, 1 user, 1 catalog; delete them first/);
    assert.equal((await ask('GET', `/${String(made['id'])}`)).status, 200);
  });

  test('that are empty are deleted, and their name is free', async () => {
    const made = await create();
    assert.equal((await ask('DELETE', `/${String(made['id'])}`)).status, 204);
    assert.equal((await ask('GET', `/${String(made['id'])}`)).status, 403);
    assert.equal((await ask('DELETE', `/${String(made['id'])}`)).status, 403);
    await create({ name: made['name'] });
    assert.equal((await auditOf(made['id'])).at(-1)?.action, 'organizations.delete');
  });

  test('are not touched where they are the provider', async () => {
    for (const [method, body, says] of [
      // Not only because the organization has users.
      ['DELETE', undefined, /the organization of the provider and cannot be deleted/],
      ['PUT', { name: 'Other' }, /cannot be renamed/],
      ['PUT', { isEnabled: false }, /cannot be disabled/],
    ] as const) {
      const answer = await ask(method, `/${system}`, body);
      assert.equal(answer.status, 409);
      assert.match(message(answer), says);
    }
    const described = await ask('PUT', `/${system}`, { name: 'System', description: 'we' });
    assert.deepEqual([described.status, described.body['description']], [200, 'we']);
  });
});
