/** Filters and orders applied to rows: what each comparison means for each type, and what is rejected. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser } from '../../../../../test/database/rows.ts';
import { appendAuditEvent, listAuditEvents } from '../retention/audit.ts';
import type { OrganizationId, Tables } from '../schema/schema.ts';
import { listUsers, updateUser } from '../tenants/users.ts';
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
    [compare('enabled', '=gt=', 'true'), /^filter: =gt= does not compare true or false; use == or !=\.$/],
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
    [compare('id', '=lt=', '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11'), /^filter: =lt= does not compare an id/],
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
