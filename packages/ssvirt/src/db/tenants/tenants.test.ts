/** Organizations, users, roles and sessions. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { sql, type Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser, makeVdc, someoneWaits, unique } from '../../../../../test/database/rows.ts';
import { createCatalog } from '../catalogs/catalogs.ts';
import { usersOfCluster } from '../clusters/cluster-users.ts';
import { Duplicate, InUse, Missing } from '../connection/duplicate.ts';
import {
  createOrganization,
  deleteOrganization,
  findOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from './organizations.ts';
import { getRole, hasHolder, listRoles, roleIds } from './roles.ts';
import type { OrganizationId, RoleId, Tables } from '../schema/schema.ts';
import { createSession, endExpiredSessions, endSession, endSessionsOf, findSession, touchSession } from './sessions.ts';
import { createUser, deleteUser, findCredentials, getUser, listUsers, updateUser } from './users.ts';
import { createVdc, deleteVdc } from '../vdcs/vdcs.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());

const everything = { page: 1, pageSize: 1000 };

describe('organizations', () => {
  test('a row is made with its defaults, read, changed and deleted', async () => {
    const made = await createOrganization(db, { name: 'Acme', description: 'makes things' });
    assert.equal(made.enabled, true);
    assert.equal(made.can_publish, false);
    assert.deepEqual(await getOrganization(db, 'all', made.id), made);
    assert.deepEqual(await findOrganization(db, 'aCME'), made);

    const changed = await updateOrganization(db, made.id, { enabled: false });
    assert.equal(changed?.enabled, false);
    assert.equal(changed.description, 'makes things');
    assert.ok(changed.updated_at > made.updated_at);
    assert.deepEqual(changed.created_at, made.created_at);

    assert.equal(await deleteOrganization(db, made.id), true);
    assert.equal(await getOrganization(db, 'all', made.id), undefined);
    assert.equal(await findOrganization(db, 'Acme'), undefined);
    assert.equal(await updateOrganization(db, made.id, { enabled: true }), undefined);
    assert.equal(await deleteOrganization(db, made.id), false);
  });

  test('a name is taken in whatever case, until its organisation is deleted', async () => {
    const first = await createOrganization(db, { name: 'Umbrella' });
    await assert.rejects(createOrganization(db, { name: 'uMBRELLA' }), (error: unknown) => {
      assert.ok(error instanceof Duplicate);
      assert.deepEqual([error.table, error.key], ['organizations', 'name']);
      return true;
    });
    const other = await createOrganization(db, { name: 'Hive' });
    await assert.rejects(updateOrganization(db, other.id, { name: 'umbrella' }), Duplicate);
    await deleteOrganization(db, first.id);
    assert.notEqual((await createOrganization(db, { name: 'umbrella' })).id, first.id);
  });

  test('one that something belongs to is not deleted', async () => {
    const belongings: readonly (readonly [string, (organization_id: OrganizationId) => Promise<unknown>])[] = [
      ['vdcs', (organization_id) => makeVdc(db, { organization_id })],
      ['users', (organization_id) => makeUser(db, { organization_id })],
      ['catalogs', (organization_id) => createCatalog(db, { organization_id, name: 'images' })],
    ];
    for (const [table, make] of belongings) {
      const { id } = await makeOrganization(db);
      await make(id);
      await assert.rejects(deleteOrganization(db, id), (error: unknown) => {
        assert.ok(error instanceof InUse);
        assert.deepEqual([error.table, error.by], ['organizations', table]);
        return true;
      });
      assert.notEqual(await getOrganization(db, 'all', id), undefined);
    }
  });

  test('nothing comes to belong to one that is being deleted at the same time', async () => {
    const { id } = await makeOrganization(db);
    const late = await db.transaction().execute(async (tx) => {
      await deleteOrganization(tx, id);
      const creation = createVdc(db, { organization_id: id, name: 'late', namespace: unique('ns') });
      const outcome = assert.rejects(creation, new Missing('vdcs', 'organization_id'));
      await someoneWaits(db);
      return { outcome };
    });
    await late.outcome;
  });

  test('one to which something comes to belong at the same time is not deleted', async () => {
    const { id } = await makeOrganization(db);
    const late = await db.transaction().execute(async (tx) => {
      await createVdc(tx, { organization_id: id, name: 'first', namespace: unique('ns') });
      const outcome = assert.rejects(deleteOrganization(db, id), InUse);
      await someoneWaits(db);
      return { outcome };
    });
    await late.outcome;
  });

  test('an organisation sees itself only', async () => {
    const [mine, foreign] = [await makeOrganization(db), await makeOrganization(db)];
    assert.deepEqual((await listOrganizations(db, mine.id, everything)).total, 1);
    assert.deepEqual((await listOrganizations(db, mine.id, everything)).rows, [mine]);
    assert.equal(await getOrganization(db, mine.id, foreign.id), undefined);
    assert.deepEqual(await getOrganization(db, mine.id, mine.id), mine);
  });

  test('pages are in the order of names, and say how many rows there are at this moment', async () => {
    const prefix = unique('0page');
    for (const name of ['d', 'B', 'a', 'C', 'e']) await makeOrganization(db, `${prefix}-${name}`);
    const first = await listOrganizations(db, 'all', { page: 1, pageSize: 2 });
    assert.deepEqual(names(first), [`${prefix}-a`, `${prefix}-B`]);
    const [, last] = first.rows;
    assert.ok(last !== undefined);
    await deleteOrganization(db, last.id);
    const second = await listOrganizations(db, 'all', { page: 2, pageSize: 2 });
    assert.deepEqual(names(second), [`${prefix}-d`, `${prefix}-e`]);
    assert.equal(second.total, first.total - 1);
    const all = await listOrganizations(db, 'all', everything);
    assert.equal(all.rows.length, all.total);
    assert.deepEqual(Object.keys(last).toSorted(), Object.keys(await makeOrganization(db)).toSorted());
  });

  test('what is done in a transaction that fails has not happened', async () => {
    const name = unique('undone');
    const failing = db.transaction().execute(async (tx) => {
      await createUser(tx, { organization_id: (await createOrganization(tx, { name })).id, username: 'one' });
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal(await findOrganization(db, name), undefined);
  });

  test('times are stored in UTC', async () => {
    const before = new Date();
    const { id, created_at } = await makeOrganization(db);
    assert.ok(Math.abs(created_at.getTime() - before.getTime()) < 60_000);
    const { rows } = await sql<{
      at: string;
    }>`SELECT created_at::text AS at FROM organizations WHERE id = ${id}`.execute(db);
    assert.match(rows[0]?.at ?? '', /\+00$/);
    assert.equal(rows[0]?.at.slice(0, 16), created_at.toISOString().slice(0, 16).replace('T', ' '));
  });
});

describe('users', () => {
  test('a user is made with roles, changed and deleted, and its hash never leaves by the way', async () => {
    const organization = await makeOrganization(db);
    const roles = [roleIds.vappUser, roleIds.vappAuthor, roleIds.vappUser];
    const made = await createUser(db, {
      organization_id: organization.id,
      username: 'Ann',
      password_hash: 'secret',
      roles,
    });
    assert.deepEqual(
      made.roles.map(({ name }) => name),
      ['vApp Author', 'vApp User'],
    );
    assert.equal(made.organization_name, organization.name);
    const changed = await updateUser(db, made.id, { full_name: 'Ann Other', roles: [roleIds.readOnly] });
    assert.equal(changed?.full_name, 'Ann Other');
    assert.deepEqual(changed.roles, [{ id: roleIds.readOnly, name: 'Read-only' }]);
    assert.deepEqual((await updateUser(db, made.id, { locked: true }))?.roles, changed.roles);
    assert.deepEqual((await updateUser(db, made.id, { roles: [] }))?.roles, []);
    const shown = [made, changed, await getUser(db, 'all', made.id), await listUsers(db, organization.id, everything)];
    assert.doesNotMatch(JSON.stringify(shown), /secret|password/);
    assert.equal(await deleteUser(db, made.id), true);
    assert.equal(await getUser(db, 'all', made.id), undefined);
    assert.equal(await updateUser(db, made.id, { locked: false }), undefined);
    assert.equal(await deleteUser(db, made.id), false);
  });

  test('a user name is taken within its organisation, in whatever case, until the user is deleted', async () => {
    const { id, organization_id } = await makeUser(db, { username: 'bob' });
    await assert.rejects(makeUser(db, { organization_id, username: 'BOB' }), (error: unknown) => {
      assert.ok(error instanceof Duplicate);
      assert.deepEqual([error.table, error.key], ['users', 'username']);
      return true;
    });
    await makeUser(db, { username: 'bob' });
    await deleteUser(db, id);
    await makeUser(db, { organization_id, username: 'Bob' });
  });

  test('a user needs an organisation and roles that are there', async () => {
    const gone = await makeOrganization(db);
    await deleteOrganization(db, gone.id);
    await assert.rejects(makeUser(db, { organization_id: gone.id }), new Missing('users', 'organization_id'));
    const organization_id = randomUUID() as OrganizationId;
    await assert.rejects(makeUser(db, { organization_id }), new Missing('users', 'organization_id'));
    const { id } = await makeUser(db, { roles: [roleIds.readOnly] });
    const roles = [randomUUID() as RoleId];
    await assert.rejects(updateUser(db, id, { full_name: 'x', roles }), (error: unknown) => {
      assert.ok(error instanceof Missing);
      assert.deepEqual([error.table, error.column], ['user_roles', 'role_id']);
      return true;
    });
    const user = await getUser(db, 'all', id);
    assert.deepEqual([user?.full_name, user?.roles.length], ['', 1]);
  });

  test('an organisation sees its own users only', async () => {
    const [mine, foreign] = [await makeUser(db), await makeUser(db)];
    assert.deepEqual((await listUsers(db, mine.organization_id, everything)).rows, [mine]);
    assert.equal(await getUser(db, mine.organization_id, foreign.id), undefined);
  });

  test('only a user who may log in may: enabled, not locked, in an enabled organisation', async () => {
    const user = await makeUser(db, { username: 'Carol', password_hash: 'hash' });
    const find = () => findCredentials(db, user.organization_name.toUpperCase(), 'carol');
    const expected = { user_id: user.id, organization_id: user.organization_id, password_hash: 'hash' };
    assert.deepEqual(await find(), { ...expected, may_log_in: true });
    await updateUser(db, user.id, { locked: true });
    assert.deepEqual(await find(), { ...expected, may_log_in: false });
    await updateUser(db, user.id, { locked: false, enabled: false });
    assert.equal((await find())?.may_log_in, false);
    await updateUser(db, user.id, { enabled: true });
    await updateOrganization(db, user.organization_id, { enabled: false });
    assert.equal((await find())?.may_log_in, false);
    await deleteUser(db, user.id);
    assert.equal(await find(), undefined);
  });
});

describe('roles', () => {
  test('the five roles are there under their ids', async () => {
    const { rows: roles } = await listRoles(db, 'all', everything);
    assert.deepEqual(roles.map(({ id }) => id).toSorted(), Object.values(roleIds).toSorted());
    assert.equal((await getRole(db, roleIds.systemAdministrator))?.name, 'System Administrator');
    assert.equal(await getRole(db, randomUUID() as RoleId), undefined);
  });

  test('a role is held by live users only', async () => {
    assert.equal(await hasHolder(db, roleIds.systemAdministrator), false);
    const { id } = await makeUser(db, { roles: [roleIds.systemAdministrator] });
    assert.equal(await hasHolder(db, roleIds.systemAdministrator), true);
    await deleteUser(db, id);
    assert.equal(await hasHolder(db, roleIds.systemAdministrator), false);
  });
});

describe('sessions', () => {
  const hash = (token: string): Buffer => createHash('sha256').update(token).digest();
  const later = (ms: number): Date => new Date(Date.now() + ms);

  async function open(expires_at = later(60_000)) {
    const token_hash = hash(randomUUID());
    const user = await makeUser(db, { roles: [roleIds.vappUser] });
    const id = await createSession(db, {
      user_id: user.id,
      organization_id: user.organization_id,
      token_hash,
      expires_at,
    });
    return { id, user, token_hash, expires_at };
  }

  test('a session is found by the hash of its token, with its user and roles and without the hash', async () => {
    const { id, user, token_hash, expires_at } = await open();
    const found = await findSession(running.database.pool, token_hash);
    assert.equal(found?.id, id);
    assert.deepEqual(found.roles, ['vApp User']);
    assert.deepEqual([found.username, found.organization_name], [user.username, user.organization_name]);
    assert.deepEqual(found.expires_at, expires_at);
    assert.equal('token_hash' in found, false);
    assert.equal(await findSession(running.database.pool, hash('another')), undefined);
  });

  test('whatever ends a session ends it for good', async () => {
    type Opened = Awaited<ReturnType<typeof open>>;
    const ends: Readonly<Record<string, (session: Opened) => Promise<unknown>>> = {
      'log out': ({ id }) => endSession(db, id),
      'all sessions of the user ended': ({ user }) => endSessionsOf(db, user.id),
      'user disabled': ({ user }) => updateUser(db, user.id, { enabled: false }),
      'user locked': ({ user }) => updateUser(db, user.id, { locked: true }),
      'user deleted': ({ user }) => deleteUser(db, user.id),
      'organisation disabled': ({ user }) => updateOrganization(db, user.organization_id, { enabled: false }),
      'time passed': ({ id }) =>
        db
          .updateTable('sessions')
          .set({ expires_at: later(-1000) })
          .where('id', '=', id)
          .execute(),
    };
    for (const [reason, end] of Object.entries(ends)) {
      const session = await open();
      assert.notEqual(await findSession(running.database.pool, session.token_hash), undefined, reason);
      await end(session);
      assert.equal(await findSession(running.database.pool, session.token_hash), undefined, reason);
    }
  });

  test('use keeps a session alive, though not beyond its last day, and brings none back', async () => {
    const find = (token_hash: Buffer) => findSession(running.database.pool, token_hash);
    const { id, token_hash, expires_at } = await open();
    assert.equal(await touchSession(db, id, 3_600_000), true);
    assert.ok(Number((await find(token_hash))?.expires_at) > expires_at.getTime() + 3_000_000);
    const lasts_until = later(7_200_000);
    await db.updateTable('sessions').set({ lasts_until }).where('id', '=', id).execute();
    assert.equal(await touchSession(db, id, 10_000_000), true);
    assert.deepEqual((await find(token_hash))?.expires_at, lasts_until);
    assert.equal(await touchSession(db, id, 1), true);
    assert.deepEqual((await find(token_hash))?.expires_at, lasts_until, 'use never shortens it');
    assert.equal(await endSession(db, id), true);
    assert.equal(await touchSession(db, id, 3_600_000), false);
    assert.equal(await endSession(db, id), false);
    const expired = await open(later(-1000));
    assert.equal(await touchSession(db, expired.id, 3_600_000), false);
    assert.equal(await find(expired.token_hash), undefined);
  });

  test('a change of password spares the session in which it was made', async () => {
    const { id, user, token_hash } = await open();
    const other = { token_hash: hash(randomUUID()), expires_at: later(60_000) };
    await createSession(db, { user_id: user.id, organization_id: user.organization_id, ...other });
    assert.equal(await endSessionsOf(db, user.id, id), 1);
    assert.notEqual(await findSession(running.database.pool, token_hash), undefined);
    assert.equal(await findSession(running.database.pool, other.token_hash), undefined);
  });

  test('expired sessions get the end that they had', async () => {
    await endExpiredSessions(db);
    const { id, expires_at } = await open(later(-5000));
    const alive = await open();
    assert.equal(await endExpiredSessions(db), 1);
    const { ended_at } = await db
      .selectFrom('sessions')
      .select('ended_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(ended_at, expires_at);
    assert.notEqual(await findSession(running.database.pool, alive.token_hash), undefined);
  });

  test('a token belongs to one user only', async () => {
    const { user, token_hash, expires_at } = await open();
    const again = { user_id: user.id, organization_id: user.organization_id, token_hash, expires_at };
    await assert.rejects(createSession(db, again), Duplicate);
  });
});

test('an organisation that is empty again can go', async () => {
  const vdc = await makeVdc(db);
  await deleteVdc(db, vdc.id);
  assert.equal(await deleteOrganization(db, vdc.organization_id), true);
});

test('a cluster is used by the virtual data centers that are in it, until they are deleted', async () => {
  const cluster = unique('cluster');
  const vdc = await makeVdc(db, { cluster, name: 'web' });
  await makeVdc(db);
  const { name } = (await getOrganization(db, 'all', vdc.organization_id)) ?? {};
  assert.deepEqual(await usersOfCluster(running.database.pool, cluster), [
    `virtual data center "web" of organization "${name}"`,
  ]);
  await deleteVdc(db, vdc.id);
  assert.deepEqual(await usersOfCluster(running.database.pool, cluster), []);
});

function names(page: { readonly rows: readonly { readonly name: string }[] }): string[] {
  return page.rows.map(({ name }) => name);
}
