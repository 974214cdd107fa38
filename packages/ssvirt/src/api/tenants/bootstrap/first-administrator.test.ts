import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { makeUser } from '../../../../../../test/database/rows.ts';
import { Secret } from '@ssvirt/base/config/secret';
import { roleIds } from '../../../db/tenants/roles.ts';
import { deleteUser, findCredentials } from '../../../db/tenants/users.ts';
import { systemOrganization } from '../../caller.ts';
import { isPasswordOf } from '../../auth/passwords/argon2id.ts';
import { ensureFirstAdministrator } from './first-administrator.ts';

suite('the first administrator', () => {
  let running: TestDatabase;
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(line) });
  const passwordCost = { memoryKiB: 64, passes: 1, parallelism: 1 };
  const shared = { username: 'administrator', generate: false, log, passwordCost };
  const given = new Secret('a password from a Secret');

  before(async () => {
    running = await startTestDatabase();
  });
  after(() => running.stop());

  const db = () => running.database.db;
  const credentials = () => findCredentials(db(), 'System', 'administrator');
  const isPassword = async (password: Secret): Promise<boolean> =>
    isPasswordOf(password.reveal(), (await credentials())?.password_hash ?? '');

  async function removed(): Promise<void> {
    const user = await credentials();
    if (user !== undefined) await deleteUser(db(), user.user_id);
  }

  test('is not made without a password, and the log says how to make one', async () => {
    assert.equal(await ensureFirstAdministrator(db(), shared), undefined);
    assert.equal(await credentials(), undefined);
    assert.match(lines.join(''), /api\.initialAdmin\.passwordFile/);
  });

  test('is not made with a password that is too short, which is not told', async () => {
    const password = new Secret('too short');
    await assert.rejects(ensureFirstAdministrator(db(), { ...shared, password }), (error: Error) => {
      assert.match(error.message, /at least 12/);
      return !error.message.includes('too short');
    });
  });

  test('is made once by replicas that start together, with the given password, which is never shown', async () => {
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => ensureFirstAdministrator(db(), { ...shared, password: given })),
    );
    assert.deepEqual(
      all.filter((one) => one !== undefined),
      [{ username: 'administrator' }],
    );
    assert.equal(await isPassword(given), true);
    const { rows } = await sql<{ readonly text: string }>`SELECT e::text AS text FROM audit_events e`.execute(db());
    assert.equal(rows.length, 1);
    assert.equal(`${lines.join('')}${JSON.stringify(rows)}`.includes(given.reveal()), false);
    assert.equal(await ensureFirstAdministrator(db(), { ...shared, username: 'second', password: given }), undefined);
  });

  test('is made again where it was deleted, with a password that is made and told once', async () => {
    await removed();
    const made = await ensureFirstAdministrator(db(), { ...shared, generate: true });
    assert.ok(made?.generated !== undefined);
    assert.match(made.generated.reveal(), /^[\w-]{24}$/);
    assert.equal(await isPassword(made.generated), true);
    assert.equal(lines.join('').includes(made.generated.reveal()), false);
    assert.equal(await ensureFirstAdministrator(db(), { ...shared, generate: true }), undefined);
  });

  test('is not another user who happens to have the name', async () => {
    await removed();
    const { id } = await makeUser(db(), { organization_id: systemOrganization, username: 'administrator' });
    await assert.rejects(ensureFirstAdministrator(db(), { ...shared, password: given }), /choose another name/);
    const roles = await db().selectFrom('user_roles').selectAll().where('user_id', '=', id).execute();
    assert.deepEqual(roles, []);
    const made = await ensureFirstAdministrator(db(), { ...shared, username: 'root', password: given });
    assert.deepEqual(made, { username: 'root' });
    const holders = await db()
      .selectFrom('user_roles')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .select('username')
      .where('role_id', '=', roleIds.systemAdministrator)
      .where('deleted_at', 'is', null)
      .execute();
    assert.deepEqual(holders, [{ username: 'root' }]);
  });
});
