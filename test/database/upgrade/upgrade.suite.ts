/** Databases of every older level, filled like an installation, under the newest version. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDatabase, type Database } from '../../../packages/ssvirt/src/db/connection/database.ts';
import { migrate } from '../../../packages/ssvirt/src/db/schema/migrate.ts';
import { migrations } from '../../../packages/ssvirt/src/db/migrations/index.ts';
import { throwAwayFolder, writeKubeconfig } from '../../cluster/cluster.ts';
import { installKubeVirt } from '../../fleet/harness.ts';
import { startMemberCluster } from '../../fleet/sandboxes.ts';
import { makeCertificates, startApiServer, type Caller } from '../../processes/api-server.ts';
import { until } from '../../runtime/until.ts';
import { startTestDatabase, type TestDatabase } from '../harness.ts';
import { inDatabase } from '../prepared.ts';
import { added, counts, keep, lost, schemaOf } from './contents.ts';
import { fill, login, many } from './rows.ts';

const names = Object.keys(migrations);
const newest = names.at(-1);
const older = names.slice(0, -1);
let harness: TestDatabase;
let fresh: readonly string[];
const opened: Database[] = [];

before(async () => {
  harness = await startTestDatabase();
  fresh = await schemaOf(harness.database.pool);
});

after(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await harness?.stop();
});

interface Filled extends Database {
  readonly url: string;
}

/** A database that stopped at this level, with rows in each of its tables. */
async function filled(level: string, name: string): Promise<Filled> {
  await harness.database.pool.query(`CREATE DATABASE ${name}`);
  const url = inDatabase(harness.url, name);
  const database = openDatabase({ url });
  opened.push(database);
  const known = Object.entries(migrations).filter(([one]) => one <= level);
  assert.equal((await migrate(database, Object.fromEntries(known))).to, level);
  await fill(database.pool, level);
  const empty = Object.entries(await counts(database.pool)).filter(([, count]) => count === 0);
  assert.deepEqual(empty, [], `fill() of rows.ts leaves tables of ${level} empty`);
  return { ...database, url };
}

/** The rows that migrations add: the provider's organization, and the record of its creation. */
function expectedRows(level: string): Readonly<Record<string, number>> {
  if (level >= '0005') return {};
  return level >= '0003' ? { organizations: 1, change_log: 1 } : { organizations: 1 };
}

for (const [index, level] of older.entries())
  test(`a database at ${level} with ${many} rows and more in its large tables is brought up to date, and loses nothing`, async () => {
    const database = await filled(level, `level_${index + 1}`);
    const { pool } = database;
    const total = Object.values(await counts(pool)).reduce((sum, count) => sum + count);
    assert.ok(total > many);
    await keep(pool);

    assert.deepEqual(await migrate(database), { from: level, to: newest, applied: names.slice(index + 1) });
    assert.deepEqual(await lost(pool), []);
    assert.deepEqual(await added(pool), expectedRows(level));
    assert.deepEqual(await schemaOf(pool), fresh);
    await placesAgree(pool);
    await viewsAgree(pool);
    await copiesAgree(pool);

    const settled = await counts(pool);
    assert.deepEqual(await migrate(database), { from: newest, to: newest, applied: [] });
    assert.deepEqual(await counts(pool), settled);
    assert.deepEqual(await lost(pool), []);
    await changesAreLogged(pool);
  });

/** Each VM and vApp has the VDC and the organization that the rows above name. */
async function placesAgree(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query(`
    SELECT v.id FROM vms v JOIN vapps a ON a.id = v.vapp_id JOIN vdcs d ON d.id = a.vdc_id
    WHERE (v.vdc_id, v.organization_id, a.organization_id) IS DISTINCT FROM (d.id, d.organization_id, d.organization_id)`);
  assert.deepEqual(rows, []);
}

/** Each view has a row for each table row, with a status, for any index that PostgreSQL uses. */
async function viewsAgree(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query<Record<string, number>>(`
    SELECT (SELECT count(status) FROM vm_status) AS vms, (SELECT count(status) FROM vapp_status) AS vapps,
      (SELECT sum(machines)::int FROM vapp_status) AS machines, (SELECT count(*) FROM vm_status WHERE status <> 'DELETED') AS "liveMachines"`);
  const [seen] = rows;
  const { vms, vapps } = await counts(pool);
  assert.equal(seen?.['vms'], vms);
  assert.equal(seen?.['vapps'], vapps);
  assert.equal(seen?.['machines'] ?? 0, seen?.['liveMachines']);
}

/** Lists of VMs have every VM, with the status that the view finds. */
async function copiesAgree(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query(`
    SELECT v.vm_id FROM vm_status v
    LEFT JOIN vm_list_states s ON s.vm_id = v.vm_id AND upper(s.status) = v.status
    LEFT JOIN vm_list_keys k ON k.vm_id = v.vm_id AND k.listed = s.listed
    WHERE k.vm_id IS NULL`);
  assert.deepEqual(rows, []);
}

/** Triggers that a migration has disabled for itself are enabled again. */
async function changesAreLogged(pool: Database['pool']): Promise<void> {
  const logged = (await counts(pool))['change_log'] ?? NaN;
  let changed = 0;
  for (const table of ['organizations', 'users', 'vdcs', 'catalogs', 'vapps', 'vms']) {
    const { rowCount } = await pool.query(
      `UPDATE ${table} SET description = 'new' WHERE ctid = (SELECT min(ctid) FROM ${table} WHERE description <> 'new')`,
    );
    changed += rowCount ?? 0;
  }
  assert.ok(changed >= 4);
  assert.equal((await counts(pool))['change_log'], logged + changed);
}

const middle = older[Math.floor(older.length / 2)] ?? '';
for (const level of [older[0] ?? '', middle])
  test(`an API server starts on a database at ${level}, and shows what is in it`, async (t) => {
    const { url, pool } = await filled(level, `served_${level.slice(0, 4)}`);
    const shown = level >= '0002' ? await machinesOf(pool) : { all: 0, own: 0 };
    assert.ok(level < '0002' || (shown.own > 0 && shown.all > shown.own));

    const folder = await throwAwayFolder('ssvirt-upgrade-');
    t.after(() => folder.remove());
    const cluster = await startMemberCluster('own');
    t.after(() => cluster.stop());
    await installKubeVirt(cluster);
    const kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    const passwordFile = join(folder.path, 'password');
    const password = 'a password of the newest version';
    writeFileSync(passwordFile, password);
    const certificates = await makeCertificates(folder.path);
    const server = await startApiServer({ certificates, kubeconfig, databaseUrl: url, passwordFile });
    t.after(() => server.stop());
    const { caller } = server;
    await until('it is ready', async () => (await caller.ask('GET', '/readyz')).status === 200, {
      deadlineMs: 30_000,
    }).catch((cause: unknown) => assert.fail(new Error(server.log(), { cause })));

    const provider = await caller.logIn('administrator@System', password);
    assert.equal(await totalOf(caller, 'vms', provider), shown.all);
    assert.equal(await totalOf(caller, 'users', provider), many + 1);
    const tenant = await tenantSession(caller);
    assert.equal(await totalOf(caller, 'vms', tenant), shown.own);
  });

/** The number of VMs in the older version's own view: for the provider, and for the first organization. */
async function machinesOf(pool: Database['pool']): Promise<{ readonly all: number; readonly own: number }> {
  const { rows } = await pool.query<{ all: number; own: number }>(`
    SELECT count(*) AS all, count(*) FILTER (WHERE o.name = 'org-1') AS own
    FROM vm_status s JOIN vapps a ON a.id = s.vapp_id JOIN vdcs d ON d.id = a.vdc_id JOIN organizations o ON o.id = d.organization_id
    WHERE s.status <> 'DELETED'`);
  return rows[0] ?? { all: 0, own: 0 };
}

async function totalOf(caller: Caller, list: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, body } = await caller.ask('GET', `/cloudapi/1.0.0/${list}?pageSize=25`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  const { resultTotal, values } = body as { readonly resultTotal: number; readonly values: readonly unknown[] };
  assert.equal(values.length, Math.min(resultTotal, 25));
  return resultTotal;
}

/** With the password that the older version has stored. */
async function tenantSession(caller: Caller): Promise<{ readonly authorization: string }> {
  const authorization = `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}`;
  const { status, headers, body } = await caller.ask('POST', '/cloudapi/1.0.0/sessions', {
    headers: { authorization },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return { authorization: `Bearer ${String(headers['x-vmware-vcloud-access-token'])}` };
}
