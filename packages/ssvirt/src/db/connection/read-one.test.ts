import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Kysely } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser } from '../../../../../test/database/rows.ts';
import { readOne } from './read-one.ts';
import type { OrganizationId, Tables, UserId } from '../schema/schema.ts';
import { inScope } from '../schema/scope.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());

test('a statement is put together once for all scopes and once for one organization, and asks for what it is given each time', async () => {
  let built = 0;
  const read = readOne((on, scope, id: UserId) => {
    built += 1;
    return on
      .selectFrom('users')
      .select(['id', 'username'])
      .where('provider_type', '=', 'LOCAL')
      .where('id', '=', id)
      .where(inScope(scope, 'organization_id'));
  });
  const [one, other] = [await makeUser(db), await makeUser(db)];
  const elsewhere = (await makeOrganization(db)).id;
  const cases: readonly [scope: OrganizationId | 'all', id: UserId, username: string | undefined][] = [
    ['all', one.id, one.username],
    ['all', other.id, other.username],
    [one.organization_id, one.id, one.username],
    [other.organization_id, other.id, other.username],
    [other.organization_id, one.id, undefined],
    [elsewhere, one.id, undefined],
    ['all', randomUUID() as UserId, undefined],
  ];
  for (const [scope, id, username] of cases) assert.equal((await read(db, scope, id))?.username, username);
  assert.equal(built, 2);
});

test('what is asked for at the same time is read together, each row in the scope of who asks for it', async () => {
  const read = readOne((on, scope, id: UserId) =>
    on.selectFrom('users').select('username').where('id', '=', id).where(inScope(scope, 'organization_id')),
  );
  const [one, other] = [await makeUser(db), await makeUser(db)];
  const cases: readonly [scope: OrganizationId | 'all', id: UserId, username: string | undefined][] = [
    [one.organization_id, one.id, one.username],
    [other.organization_id, one.id, undefined],
    [other.organization_id, other.id, other.username],
    [one.organization_id, other.id, undefined],
    ['all', one.id, one.username],
    ['all', randomUUID() as UserId, undefined],
    ['all', other.id, other.username],
    [one.organization_id, one.id, one.username],
  ];
  const found = await Promise.all(cases.map(([scope, id]) => read(db, scope, id)));
  assert.deepEqual(
    found.map((row) => row?.username),
    cases.map(([, , username]) => username),
  );
  assert.deepEqual(found[0], { username: one.username });
});

test('only the caller that asked for an invalid id gets that error', async () => {
  const read = readOne((on, scope, id: UserId) =>
    on.selectFrom('users').select('username').where('id', '=', id).where(inScope(scope, 'organization_id')),
  );
  const { id, username } = await makeUser(db);
  const [good, bad] = await Promise.allSettled([read(db, 'all', id), read(db, 'all', 'x' as UserId)]);
  assert.deepEqual(good, { status: 'fulfilled', value: { username } });
  assert.equal(bad.status, 'rejected');
});

test('within a transaction it sees what that has written', async () => {
  const read = readOne((on, scope, id: UserId) =>
    on.selectFrom('users').select('username').where('id', '=', id).where(inScope(scope, 'organization_id')),
  );
  const { id } = await makeUser(db, { username: 'before' });
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ username: 'after' }).where('id', '=', id).execute();
    assert.equal((await read(tx, 'all', id))?.username, 'after');
    assert.equal((await read(db, 'all', id))?.username, 'before');
  });
});
