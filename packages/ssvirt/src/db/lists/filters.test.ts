/** Filters and orders applied to rows: what each comparison means for each type, and what is rejected. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser, makeVapp, makeVdc, makeVm, observe } from '../../../../../test/database/rows.ts';
import { appendAuditEvent, listAuditEvents } from '../retention/audit.ts';
import type { OrganizationId, Tables } from '../schema/schema.ts';
import { listUsers, updateUser } from '../tenants/users.ts';
import type { Vapp } from '../vapps/vapps.ts';
import { listVms } from '../vms/vms.ts';
import { BadListRequest, type Comparison, type Filter, type ListRequest, type Operand } from './contracts.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
let home: OrganizationId;
let homeName: string;
const ids: Record<string, string> = {};

before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
  ({ id: home, name: homeName } = await makeOrganization(db));
  const rows = [
    { username: 'Ann', full_name: '100% sure', deployed_vm_quota: 3 },
    { username: 'bob', full_name: 'under_score', deployed_vm_quota: 10, enabled: false },
    { username: 'Cyd', full_name: String.raw`back\slash`, deployed_vm_quota: 20 },
    { username: 'dan (2)', full_name: 'a;b,c', email: 'DAN@example.com' },
  ];
  for (const row of rows) {
    const { id, created_at } = await makeUser(db, { organization_id: home, ...row });
    ids[row.username] = id;
    ids[`${row.username} at`] = created_at.toISOString();
  }
  await makeUser(db, { username: 'Ann' });
});
after(() => running.stop());

const everything = { page: 1, pageSize: 100 };

function compare(field: string, comparison: Comparison, operand: string | readonly string[]): Filter {
  const value: Operand = typeof operand === 'string' ? { text: operand } : { text: operand.join('*'), pieces: operand };
  return { kind: 'compare', field, comparison, operand: value };
}

async function found(asked: Partial<ListRequest>): Promise<readonly string[]> {
  const { rows, total } = await listUsers(db, home, { ...everything, ...asked });
  assert.equal(total, rows.length);
  return rows.map(({ username }) => username);
}

describe('a filter', () => {
  const everyone = ['Ann', 'bob', 'Cyd', 'dan (2)'];
  const cases: readonly (readonly [string, Comparison, string | readonly string[], readonly string[]])[] = [
    ['username', '==', 'aNN', ['Ann']],
    ['name', '!=', 'ANN', ['bob', 'Cyd', 'dan (2)']],
    ['username', '=gt=', 'BOB', ['Cyd', 'dan (2)']],
    ['username', '=ge=', 'BOB', ['bob', 'Cyd', 'dan (2)']],
    ['username', '=lt=', 'bob', ['Ann']],
    ['username', '=le=', 'bob', ['Ann', 'bob']],
    ['username', '==', ['A', ''], ['Ann']],
    ['username', '!=', ['A', ''], ['bob', 'Cyd', 'dan (2)']],
    ['username', '==', ['', 'N', ''], ['Ann', 'dan (2)']],
    ['username', '==', ['', ''], everyone],
    ['email', '==', 'dan@EXAMPLE.com', ['dan (2)']],
    ['email', '==', '', ['Ann', 'bob', 'Cyd']],
    // LIKE's wildcards have no meaning here.
    ['fullName', '==', ['', '%', ''], ['Ann']],
    ['fullName', '==', ['under', 'score'], ['bob']],
    ['fullName', '==', ['under_', ''], ['bob']],
    ['fullName', '==', ['_', ''], []],
    ['fullName', '==', ['', '\\', ''], ['Cyd']],
    ['fullName', '==', 'a;b,c', ['dan (2)']],
    ['enabled', '==', 'true', ['Ann', 'Cyd', 'dan (2)']],
    ['isEnabled', '!=', 'TRUE', ['bob']],
    ['deployedVmQuota', '=gt=', '3', ['bob', 'Cyd']],
    ['deployedVmQuota', '=le=', '9.5', ['Ann', 'dan (2)']],
    ['deployedVmQuota', '==', '-1', []],
    ['createdAt', '=gt=', '2020-01-01', everyone],
    ['createdAt', '=lt=', '2020-01-01T00:00:00.000Z', []],
    ['createdAt', '=gt=', '2020-01-01T00:00:00+02:00', everyone],
    ['createdAt', '=gt=', '2020-01-01T00:00', everyone],
    ['createdAt', '=gt=', '2020-01-01T00:00:00.123456 02:00', everyone],
  ];
  for (const [field, comparison, operand, expected] of cases)
    test(`${field}${comparison}${typeof operand === 'string' ? operand : operand.join('*')}`, async () => {
      assert.deepEqual(await found({ filter: compare(field, comparison, operand) }), expected);
    });

  test('by id takes a URN, an href and a bare uuid, in whatever case', async () => {
    const id = ids['bob'] ?? '';
    for (const text of [
      id,
      id.toUpperCase(),
      `urn:vcloud:user:${id}`,
      `https://h/cloudapi/1.0.0/orgs/${home}/users/${id}`,
    ])
      assert.deepEqual(await found({ filter: compare('id', '==', text) }), ['bob']);
    assert.deepEqual(await found({ filter: compare('id', '!=', id) }), ['Ann', 'Cyd', 'dan (2)']);
  });

  test('by the organisation takes its id or its name, and never leaves the scope', async () => {
    assert.deepEqual(await found({ filter: compare('org.id', '==', `urn:vcloud:org:${home}`) }), everyone);
    assert.deepEqual(await found({ filter: compare('orgName', '==', homeName) }), everyone);
    const either: Filter = { kind: 'or', parts: [compare('username', '==', ['', '']), compare('orgName', '!=', 'x')] };
    assert.deepEqual(await found({ filter: either }), everyone);
  });

  test('is put together with and, or', async () => {
    const [ann, enabled, quota] = [
      compare('username', '==', 'ann'),
      compare('enabled', '==', 'true'),
      compare('deployedVmQuota', '=gt=', '5'),
    ];
    const and: Filter = { kind: 'and', parts: [enabled, quota] };
    assert.deepEqual(await found({ filter: and }), ['Cyd']);
    assert.deepEqual(await found({ filter: { kind: 'or', parts: [ann, and] } }), ['Ann', 'Cyd']);
    assert.deepEqual(await found({ filter: { kind: 'and', parts: [enabled, { kind: 'or', parts: [ann, quota] }] } }), [
      'Ann',
      'Cyd',
    ]);
  });

  test('takes no value for different from every value', async () => {
    const organization_id = home;
    await appendAuditEvent(db, { organization_id, action: 'logIn', outcome: 'success', entity_id: ids['bob'] ?? null });
    await appendAuditEvent(db, { organization_id, action: 'logIn', outcome: 'failed' });
    const listed = async (comparison: Comparison): Promise<readonly string[]> => {
      const filter = compare('entity.id', comparison, ids['bob'] ?? '');
      return (await listAuditEvents(db, home, { ...everything, filter })).rows.map(({ outcome }) => outcome);
    };
    assert.deepEqual(await listed('=='), ['success']);
    assert.deepEqual(await listed('!='), ['failed']);
  });

  const refused: readonly (readonly [Filter, RegExp])[] = [
    [compare('nmae', '==', 'x'), /^filter: users have no field "nmae"; there are id, username, name, fullName, /],
    [compare('constructor', '==', 'x'), /have no field "constructor"/],
    [compare('__proto__', '==', 'x'), /have no field "__proto__"/],
    [compare('password_hash', '==', 'x'), /have no field "password_hash"/],
    [compare('enabled', '==', 'yes'), /^filter: enabled: "yes" is not true or false\.$/],
    [compare('enabled', '=gt=', 'true'), /^filter: enabled: =gt= does not compare true or false; use == or !=\.$/],
    [compare('enabled', '==', ['t', '']), /^filter: enabled: a wildcard cannot stand for true or false\.$/],
    [compare('deployedVmQuota', '==', 'many'), /^filter: deployedVmQuota: "many" is not a number\.$/],
    [compare('deployedVmQuota', '==', '1e999'), /is not a number/],
    [compare('deployedVmQuota', '==', 'Infinity'), /is not a number/],
    [compare('createdAt', '=gt=', 'yesterday'), /^filter: createdAt: "yesterday" is not an RFC 3339 time, such as/],
    [compare('createdAt', '=gt=', '2026-02-30T00:00:00Z'), /is not an RFC 3339 time/],
    [compare('createdAt', '=gt=', '2026-13-01'), /is not an RFC 3339 time/],
    [compare('createdAt', '=gt=', '2026-01-01T25:00:00Z'), /is not an RFC 3339 time/],
    [compare('createdAt', '=gt=', '0000-01-01'), /is not an RFC 3339 time/],
    [compare('createdAt', '=gt=', '2026-01-01T00:00:00+20:00'), /is not an RFC 3339 time/],
    [compare('id', '==', 'x'), /^filter: id: "x" is not an id: a URN, an href or a uuid\.$/],
    [compare('id', '=lt=', '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11'), /^filter: id: =lt= does not compare an id/],
  ];
  for (const [filter, words] of refused) {
    const { field, comparison, operand } = filter as Extract<Filter, { kind: 'compare' }>;
    test(`${field}${comparison}${operand.text} is refused`, async () => {
      await assert.rejects(found({ filter }), (error: unknown) => {
        assert.ok(error instanceof BadListRequest, String(error));
        assert.match(error.message, words);
        return true;
      });
    });
  }
});

describe('an order', () => {
  test('is the one that is asked for, and by the id where that is equal', async () => {
    assert.deepEqual(await found({ sort: { field: 'username', direction: 'desc' } }), ['dan (2)', 'Cyd', 'bob', 'Ann']);
    assert.deepEqual(await found({ sort: { field: 'fullName', direction: 'asc' } }), ['Ann', 'dan (2)', 'Cyd', 'bob']);
    assert.deepEqual(await found({ sort: { field: 'createdAt', direction: 'desc' } }), [
      'dan (2)',
      'Cyd',
      'bob',
      'Ann',
    ]);
    for (const name of ['Ann', 'bob', 'Cyd', 'dan (2)'])
      await updateUser(db, ids[name] as never, { full_name: name === 'Ann' ? 'B' : 'A' });
    const same = ['bob', 'Cyd', 'dan (2)'].toSorted((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1));
    assert.deepEqual(await found({ sort: { field: 'fullName', direction: 'asc' } }), [...same, 'Ann']);
    assert.deepEqual(await found({ sort: { field: 'fullName', direction: 'desc' } }), ['Ann', ...same.toReversed()]);
  });

  test('by what cannot be sorted by is refused, with what can', async () => {
    for (const field of ['email', 'nothing', 'constructor', 'organizations.name']) {
      const words = new BadListRequest(
        `sortAsc, sortDesc: users cannot be sorted by "${field}"; by username, name, fullName, createdAt they can.`,
      );
      await assert.rejects(listUsers(db, home, { ...everything, sort: { field, direction: 'asc' } }), words);
    }
  });
});

describe('a list of VMs', () => {
  let vapp: Vapp;
  before(async () => {
    vapp = await makeVapp(db, { vdc_id: (await makeVdc(db, { name: 'Blue' })).id });
    const green = await makeVdc(db, { name: 'green', organization_id: vapp.organization_id });
    const ann = await makeUser(db, { organization_id: vapp.organization_id, username: 'Ann' });
    const [vapp_id, owner_id] = [vapp.id, ann.id];
    const a = await makeVm(db, { name: 'a', vapp_id, owner_id, cpu_count: 2, memory_mb: 4096 });
    const b = await makeVm(db, { name: 'b', vapp_id, cpu_count: 16, memory_mb: 512, guest_os: 'Windows' });
    const c = await makeVm(db, { name: 'c', vapp_id: (await makeVapp(db, { vdc_id: green.id })).id, owner_id });
    await makeVm(db, { name: 'd', vapp_id });
    await observe(db, a, 'POWERED_ON', { ip_addresses: ['10.0.0.10', '2001:db8::1'], guest_os: 'Fedora 42' });
    await observe(db, b, 'POWERED_OFF', { ip_addresses: ['not.an.ad.dress', '10.0.0.9'] });
    await observe(db, c, 'POWERED_ON', { ip_addresses: ['2001:DB8:0::2'], cpu_count: 4, memory_mb: 2048 });
    await makeVm(db, { name: 'e' });
  });

  async function vmsOf(asked: Partial<ListRequest>): Promise<string> {
    const { rows, total } = await listVms(db, vapp.organization_id, {}, { ...everything, ...asked });
    assert.equal(total, rows.length);
    return rows.map(({ name }) => name).join('');
  }

  const filters: readonly (readonly [string, Comparison, string | readonly string[], string])[] = [
    ['status', '==', 'powered_on', 'ac'],
    ['status', '!=', 'POWERED_ON', 'bd'],
    ['ipAddresses', '==', '10.0.0.9', 'b'],
    ['ipAddress', '==', '2001:0db8::0001', 'a'],
    ['ipAddresses', '==', '2001:db8::2', 'c'],
    ['ipAddresses', '!=', '10.0.0.10', 'bcd'],
    ['guestOs', '==', ['fedora', ''], 'a'],
    ['guestOs', '==', 'WINDOWS', 'b'],
    ['guestOs', '==', '', 'cd'],
    ['guestOs', '=lt=', 'g', 'a'],
    ['cpus', '==', '4', 'c'],
    ['cpus', '=lt=', '16', 'ac'],
    ['cpus', '=ge=', '4', 'bc'],
    ['cpus', '!=', '4', 'abd'],
    ['memoryMb', '=gt=', '1024', 'ac'],
    ['memoryMb', '=le=', '512', 'b'],
    ['owner.name', '==', 'ANN', 'ac'],
    ['owner.name', '!=', 'ann', 'bd'],
    ['vdc.name', '==', 'GREEN', 'c'],
    ['vdc.name', '=lt=', 'green', 'abd'],
    ['createdAt', '=gt=', '2020-01-01', 'abcd'],
  ];
  for (const [field, comparison, operand, expected] of filters)
    test(`${field}${comparison}${typeof operand === 'string' ? operand : operand.join('*')}`, async () => {
      const filter = compare(field, comparison, operand);
      assert.equal(await vmsOf({ filter }), expected);
      // The same from the other table.
      const sort = { field: 'status', direction: 'asc' } as const;
      assert.equal([...(await vmsOf({ filter, sort }))].toSorted().join(''), expected);
    });

  const orders: readonly (readonly [field: string, expected: string])[] = [
    ['name', 'abcd'],
    ['ipAddresses', 'dbac'],
    ['cpus', 'dacb'],
    ['memoryMb', 'dbca'],
    ['createdAt', 'abcd'],
  ];
  for (const [field, expected] of orders)
    test(`by ${field} is in the order of its values, and has those without one first`, async () => {
      assert.equal(await vmsOf({ sort: { field, direction: 'asc' } }), expected);
      assert.equal(await vmsOf({ sort: { field, direction: 'desc' } }), [...expected].toReversed().join(''));
    });

  const refused: readonly (readonly [Filter, RegExp])[] = [
    [compare('ipAddresses', '==', '10.0.0'), /^filter: ipAddresses: "10\.0\.0" is not an IP address, such as /],
    [compare('ipAddresses', '==', ['10.0.', '']), /^filter: ipAddresses: a wildcard cannot stand for an IP address/],
    [compare('ipAddresses', '=gt=', '10.0.0.1'), /^filter: ipAddresses: =gt= does not compare an IP address/],
    [compare('cpus', '==', 'two'), /^filter: cpus: "two" is not a number\.$/],
    [compare('status', '==', 'ON'), /^filter: status: "ON" is none of POWERED_ON, /],
  ];
  for (const [filter, words] of refused)
    test(`${JSON.stringify(filter)} is refused`, async () => {
      await assert.rejects(
        vmsOf({ filter }),
        (error: unknown) => error instanceof BadListRequest && words.test(error.message),
      );
    });
});
