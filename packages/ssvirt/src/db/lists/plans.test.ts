/**
 * The plans of every list, in every order that can be requested, for one organization and for all: none scans its whole
 * table. The statements are those that the repositories send. Instead of being run they are explained, and answered as
 * if 100 000 rows existed and the page were far into the list.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { listApiTokens } from '../tenants/api-tokens.ts';
import { listAuditEvents } from '../retention/audit.ts';
import { listCatalogItems } from '../catalogs/catalog-items.ts';
import { listCatalogs } from '../catalogs/catalogs.ts';
import { listOrganizations } from '../tenants/organizations.ts';
import type { CatalogId, OrganizationId, Tables, VdcId } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';
import { listSyncFailures } from '../clusters/sync-failures.ts';
import { listTasks } from '../tasks/tasks.ts';
import { listUsers } from '../tenants/users.ts';
import { listVapps } from '../vapps/vapps.ts';
import { listVdcs } from '../vdcs/vdcs.ts';
import { listVms } from '../vms/vms.ts';
import type { ListPage, ListRequest } from './contracts.ts';
import type { FieldType, ListDefinition } from './definition.ts';
import * as definitions from './definitions.ts';

let running: TestDatabase;
let explaining: Kysely<Tables>;
let explained: Explained[] = [];
/** The sort key of the positions that a survey answers. */
let position = '';
const places = () => Array.from({ length: 500 }, (_, n) => [(n + 1) * 200, position, home]);
const positions: Readonly<Partial<Record<FieldType, string>>> = { number: '4', address: '10.0.0.4' };
/** The number of rows that a count answers. */
let total = 100_000;

interface Explained {
  readonly text: string;
  readonly plans: readonly string[];
}

const home = '00000000-0000-4000-8000-0000000000aa' as OrganizationId;
const catalog = '00000000-0000-4000-8000-0000000000cc' as CatalogId;
/** A VDC of the home organization, with a fifth of all VMs. */
const vdc = '00000000-0000-4000-8000-0000000000dd' as VdcId;

type Ask = (scope: Scope, asked: ListRequest) => Promise<ListPage<unknown>>;

interface Case {
  readonly list: ListDefinition;
  readonly table: string;
  /** The other tables of a list that is in several. */
  readonly others?: readonly string[];
  /** A field to filter by, and a pattern that some rows match. */
  readonly by: string;
  readonly ask: Ask;
}

const cases: readonly Case[] = [
  {
    list: definitions.organizationList,
    table: 'organizations',
    by: 'name',
    ask: (s, a) => listOrganizations(explaining, s, a),
  },
  { list: definitions.userList, table: 'users', by: 'name', ask: (s, a) => listUsers(explaining, s, a) },
  { list: definitions.vdcList, table: 'vdcs', by: 'name', ask: (s, a) => listVdcs(explaining, s, a) },
  { list: definitions.catalogList, table: 'catalogs', by: 'name', ask: (s, a) => listCatalogs(explaining, s, a) },
  {
    list: definitions.catalogItemList,
    table: 'catalog_items',
    by: 'name',
    ask: (s, a) => listCatalogItems(explaining, s, catalog, a),
  },
  { list: definitions.vappList, table: 'vapps', by: 'name', ask: (s, a) => listVapps(explaining, s, {}, a) },
  {
    list: definitions.vmList,
    table: 'vms',
    others: ['vm_list_states', 'vm_list_keys'],
    by: 'name',
    ask: (s, a) => listVms(explaining, s, {}, a),
  },
  {
    list: { ...definitions.vappList, name: 'vApps of a virtual data center' },
    table: 'vapps',
    by: 'name',
    ask: (s, a) => listVapps(explaining, s, { vdc }, a),
  },
  {
    list: { ...definitions.vmList, name: 'virtual machines of a virtual data center' },
    table: 'vms',
    others: ['vm_list_states', 'vm_list_keys'],
    by: 'name',
    ask: (s, a) => listVms(explaining, s, { vdc }, a),
  },
  { list: definitions.taskList, table: 'tasks', by: 'operationName', ask: (s, a) => listTasks(explaining, s, a) },
  {
    list: definitions.auditEventList,
    table: 'audit_events',
    by: 'action',
    ask: (s, a) => listAuditEvents(explaining, s, a),
  },
  {
    list: definitions.syncFailureList,
    table: 'sync_failures',
    by: 'vmName',
    ask: (s, a) => listSyncFailures(explaining, s, a),
  },
  {
    list: definitions.apiTokenList,
    table: 'api_tokens',
    by: 'name',
    ask: (s, a) => listApiTokens(explaining, { scope: s }, a),
  },
];

before(async () => {
  running = await startTestDatabase();
  const { pool } = running.database;
  await fill(pool);
  explaining = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: explainingPool(pool) }) });
});
after(() => running.stop());

/** The indexes are created after the rows, which is faster. */
const listIndexes = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE schemaname = 'public' AND (indexname ~ '_list(_|s$)' OR indexname ~ '_live_') AND indexname !~ '_pkey$'`;

/** A fifth of each table belongs to one organization. Some rows are deleted. */
async function fill(pool: pg.Pool): Promise<void> {
  const organization = `CASE WHEN n % 5 = 0 THEN '${home}'::uuid ELSE md5('organization ' || n % 1000)::uuid END`;
  const deleted = `CASE WHEN n % 50 = 0 THEN now() END`;
  const inserts = [
    `organizations (id, name, created_at) VALUES ('${home}', 'home', now())`,
    `organizations (id, name, display_name) SELECT md5('organization ' || n)::uuid, 'org ' || n, 'Org ' || n FROM generate_series(0, 4999) n`,
    `users (organization_id, username, full_name, deleted_at, created_at)
      SELECT ${organization}, 'user-' || n, 'Full ' || (n * 7919 % 100000), ${deleted}, now() - n * interval '1 s' FROM generate_series(1, 100000) n`,
    `vdcs (id, organization_id, name, namespace, deleted_at)
      SELECT md5('vdc ' || n)::uuid, ${organization}, 'vdc ' || n, 'ns-' || n, ${deleted} FROM generate_series(1, 5000) n`,
    `vdcs (id, organization_id, name, namespace) VALUES ('${vdc}', '${home}', 'large', 'large')`,
    `catalogs (organization_id, name, published, deleted_at)
      SELECT ${organization}, 'catalog ' || n, n % 100 = 0, ${deleted} FROM generate_series(1, 5000) n`,
    `catalogs (id, organization_id, name) VALUES ('${catalog}', '${home}', 'images')`,
    `catalog_items (catalog_id, name, deleted_at, created_at)
      SELECT '${catalog}', 'item ' || n, ${deleted}, now() - n * interval '1 s' FROM generate_series(1, 10000) n`,
    // Without triggers the owner columns must be filled in here.
    `vapps (id, vdc_id, organization_id, name, deleted_at)
      SELECT md5('vapp ' || n)::uuid, d.id, d.organization_id, 'vapp ' || n, ${deleted}
      FROM generate_series(1, 10000) n JOIN vdcs d ON d.id = CASE WHEN n % 5 = 0 THEN '${vdc}'::uuid ELSE md5('vdc ' || (n % 5000 + 1))::uuid END`,
    `vms (vapp_id, vdc_id, organization_id, name, cluster, namespace, vm_name, deleted_at)
      SELECT a.id, a.vdc_id, a.organization_id, 'vm ' || n, 'local', 'ns', 'vm-' || n, ${deleted}
      FROM generate_series(1, 10000) n JOIN vapps a ON a.id = md5('vapp ' || (n % 10000 + 1))::uuid`,
    `vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence)
      SELECT id, cluster, namespace, vm_name, gen_random_uuid(), 'POWERED_ON', 1, 1 FROM vms`,
    `vm_list_states (vm_id, organization_id, vdc_id, vapp_id, deleted_at, desired_state, observed_status)
      SELECT id, organization_id, vdc_id, vapp_id, deleted_at, 'present', CASE WHEN row_number() OVER () % 200 = 0 THEN 'FAILED' ELSE 'POWERED_ON' END FROM vms`,
    `vm_list_keys (vm_id, organization_id, vdc_id, vapp_id, vdc_name, owner_id, owner_name, deleted_at, desired_state, desired_cpu_count, desired_memory_mb,
        observed_guest_os, ip_addresses)
      SELECT id, organization_id, vdc_id, vapp_id, 'vdc ' || vdc_id, md5('user ' || n % 100)::uuid, 'user-' || n % 100, deleted_at, 'present', 1 + n % 16, 512 * (n % 64 + 1),
        'OS ' || n % 20, ARRAY['10.0.0.0'::inet + n]
      FROM (SELECT *, row_number() OVER () AS n FROM vms) numbered`,
    `tasks (organization_id, owner_kind, owner_id, operation, created_at)
      SELECT ${organization}, 'vm', gen_random_uuid(), 'op ' || n % 7, now() - n * interval '1 s' FROM generate_series(1, 10000) n`,
    `audit_events (organization_id, action, outcome, at)
      SELECT ${organization}, 'do ' || n % 7, 'success', now() - n * interval '1 s' FROM generate_series(1, 10000) n`,
    `sync_failures (cluster, namespace, vm_name, error_type, message, attempts, last_failed_at)
      SELECT 'local', 'ns', 'vm-' || n, 'x', 'y', 1, now() - n * interval '1 s' FROM generate_series(1, 5000) n`,
    `api_tokens (user_id, organization_id, name) SELECT id, organization_id, 'token' FROM users LIMIT 5000`,
    `change_log (kind, operation, entity_id, organization_id)
      SELECT (ARRAY['user', 'task', 'vm', 'catalog'])[n % 4 + 1], 'created', gen_random_uuid(), ${organization} FROM generate_series(1, 10000) n`,
  ];
  const client = await pool.connect();
  try {
    // Without triggers, because what they would log is not used and takes longer to write than the rows.
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query<{ name: string; definition: string }>(listIndexes);
    for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
    for (const insert of inserts) await client.query(`INSERT INTO ${insert}`);
    await client.query('RESET session_replication_role');
    for (const { definition } of rows) await client.query(definition);
    await client.query(
      `VACUUM (ANALYZE) ${cases.map(({ table }) => table).join(', ')}, vm_list_states, vm_list_keys, vm_observed, change_log`,
    );
  } finally {
    client.release();
  }
}

/** Explains each statement, with the values and for any values, and answers that there are many rows. */
function explainingPool(pool: pg.Pool): PostgresPool {
  const query = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
    const custom = await pool.query<Record<string, string>>(`EXPLAIN (COSTS OFF) ${text}`, [...values]);
    const generic = await pool.query<Record<string, string>>(`EXPLAIN (COSTS OFF, GENERIC_PLAN) ${text}`);
    const plans = [custom, generic].map(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'));
    explained.push({ text, plans });
    return { command: 'SELECT', rowCount: 1, rows: [{ ...answer, places: places(), total, list_total: total }] };
  };
  const answer = { snapshot: '1:1:', note: '1:1:', list_note: '1:1:' };
  const client = { query, release: () => undefined };
  return { options: {}, end: async () => undefined, connect: async () => client as never };
}

/** Lists without a cache are counted in the same statement, which reads all rows whatever the plan. */
function readsAll(list: ListDefinition, table: string, plan: string): boolean {
  const page = list.changes === undefined ? plan.replace(/ InitPlan 1\n[^]*? InitPlan 2\n/, ' InitPlan 2\n') : plan;
  return new RegExp(String.raw`Seq Scan on ${table}\b`).test(page);
}

for (const { list, table, others = [], by, ask } of cases) {
  describe(list.name, () => {
    const orders = Object.keys(list.fields).filter((field) => list.fields[field]?.sortable === true);
    const operand = { text: '*1*', pieces: ['', '1', ''] };
    const filter = { kind: 'compare', field: by, comparison: '==', operand } as const;
    const requests = [
      { page: 1, direction: 'asc' },
      { page: 3990, direction: 'desc' },
      { page: 3990, direction: 'asc', filter },
      { page: 1, direction: 'desc', filter },
    ] as const;
    // A count reads all rows. For these lists the test only shows that the page itself does not.
    const shown = list.changes === undefined ? requests.slice(0, 1) : requests;
    for (const scope of ['all', home] as const) {
      test(`${scope === 'all' ? 'of all organisations' : 'of one organisation'} are found by an index`, async () => {
        for (const field of orders) {
          position = positions[list.fields[field]?.type ?? 'text'] ?? '2026-01-01T00:00:00Z';
          for (const { page, direction, ...more } of shown) {
            explained = [];
            const asked = { page, pageSize: 25, sort: { field, direction }, ...more };
            await ask(scope, asked);
            const pages = explained.filter(({ text }) => text.includes('list_note'));
            assert.equal(pages.length, 1, JSON.stringify(asked));
            for (const { text, plans } of pages)
              for (const plan of plans)
                for (const one of [table, ...others])
                  assert.ok(!readsAll(list, one, plan), `${JSON.stringify(asked)}\n${text}\n${plan}`);
          }
        }
      });
    }
  });
}

describe('virtual machines by a filter that few of them pass', () => {
  const filters = {
    status: 'failed',
    ipAddresses: '10.0.0.7',
    'owner.name': 'user-7',
    'vdc.name': 'vdc x',
    cpus: '64',
  };
  for (const scope of ['all', home] as const)
    for (const [field, text] of Object.entries(filters))
      test(`are counted and read by an index: ${field}, ${scope === 'all' ? 'of all' : 'of one organization'}`, async () => {
        explained = [];
        const filter = { kind: 'compare', field, comparison: '==', operand: { text } } as const;
        total = 100;
        try {
          await listVms(explaining, scope, {}, { page: 1, pageSize: 25, filter });
        } finally {
          total = 100_000;
        }
        assert.equal(explained.length, 2, 'one counts and one reads');
        for (const { text: statement, plans } of explained)
          assert.doesNotMatch(
            plans[0] ?? '',
            /Seq Scan on (?:vm_list_keys|vm_list_states)\b/,
            `${statement}\n${plans[0]}`,
          );
      });
});
