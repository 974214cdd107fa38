/**
 * Caching of lists is never visible: pages and totals are always those of the moment, whoever changes what and
 * whenever.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import fc from 'fast-check';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import {
  makeOrganization,
  makeUser,
  makeVapp,
  makeVdc,
  makeVm,
  observe,
  someoneWaits,
  unique,
} from '../../../../../test/database/rows.ts';
import { createCatalogItem, listCatalogItems } from '../catalogs/catalog-items.ts';
import { createCatalog, listCatalogs, updateCatalog } from '../catalogs/catalogs.ts';
import { listOrganizations, updateOrganization } from '../tenants/organizations.ts';
import { isIPv4 } from 'node:net';
import type { CatalogId, OrganizationId, Tables, UserId, VdcId } from '../schema/schema.ts';
import { advanceTask, createTask, listTasks } from '../tasks/tasks.ts';
import { createUser, deleteUser, listUsers, updateUser } from '../tenants/users.ts';
import { listVapps, updateVapp } from '../vapps/vapps.ts';
import { updateVdc } from '../vdcs/vdcs.ts';
import { deleteVm, listVms, updateVm, type Vm } from '../vms/vms.ts';
import type { Filter, ListRequest } from './contracts.ts';
import { vmList } from './definitions.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());

const all = { page: 1, pageSize: 100 };
const is = (field: string, text: string): Filter => ({ kind: 'compare', field, comparison: '==', operand: { text } });
const begins = (field: string, text: string): Filter => ({
  kind: 'compare',
  field,
  comparison: '==',
  operand: { text: `${text}*`, pieces: [text, ''] },
});

/** Inserts many users at once, with names and full names in different orders. */
async function fill(organization: OrganizationId, count: number): Promise<void> {
  await sql`
    INSERT INTO users (organization_id, username, full_name)
    SELECT ${organization}, 'user-' || lpad(n::text, 6, '0'), 'full ' || lpad((n * 7919 % ${count})::text, 6, '0')
    FROM generate_series(0, ${count - 1}) n
  `.execute(db);
}

const name = (n: number): string => `user-${String(n).padStart(6, '0')}`;

describe('deep pages', () => {
  const count = 5600;
  let home: OrganizationId;
  before(async () => {
    ({ id: home } = await makeOrganization(db));
    await fill(home, count);
  });

  const page = async (asked: Partial<ListRequest>, from = db): Promise<readonly string[]> => {
    const { rows, total } = await listUsers(from, home, { page: 1, pageSize: 25, ...asked });
    assert.equal(total, count);
    return rows.map(({ username }) => username);
  };
  const expected = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => name(from + n));

  test('have the rows that stand there, at any size of the page and in both directions', async () => {
    for (const pageSize of [25, 7, 128, 1]) {
      for (const from of [0, 999, 1000, 1001, 2800, 5400, count - 3]) {
        const number = Math.floor(from / pageSize) + 1;
        const start = (number - 1) * pageSize;
        const end = Math.min(start + pageSize, count);
        assert.deepEqual(await page({ page: number, pageSize }), expected(start, end), `${number} of ${pageSize}`);
        const sort = { field: 'name', direction: 'desc' } as const;
        const backwards = expected(count - end, count - start).toReversed();
        assert.deepEqual(
          await page({ page: number, pageSize, sort }),
          backwards,
          `${number} of ${pageSize}, backwards`,
        );
      }
    }
    assert.deepEqual(await page({ page: 225 }), []);
    assert.deepEqual(await page({ page: 1_000_000 }), []);
  });

  test('are the same with a filter that all rows pass, by another field, and in a transaction', async () => {
    const sort = { field: 'fullName', direction: 'asc' } as const;
    const filter = begins('name', 'USER-');
    const plain = await page({ page: 150, sort });
    assert.equal(plain.length, 25);
    assert.deepEqual(await page({ page: 150, sort, filter }), plain);
    const inside = await db.transaction().execute((tx) => page({ page: 150, sort, filter }, tx));
    assert.deepEqual(inside, plain);
    const { rows } = await sql<{ username: string }>`
      SELECT username FROM users WHERE organization_id = ${home} ORDER BY lower(full_name), id OFFSET 3725 LIMIT 25
    `.execute(db);
    assert.deepEqual(
      plain,
      rows.map(({ username }) => username),
    );
  });

  test('move at once by what is made and deleted before them', async () => {
    const [first] = expected(3000, 3001);
    const look = async () => {
      const { rows, total } = await listUsers(db, home, { page: 121, pageSize: 25 });
      return [rows[0]?.username, total];
    };
    assert.deepEqual(await look(), [first, count]);
    const { id } = await createUser(db, { organization_id: home, username: 'a-new-one' });
    assert.deepEqual(await look(), [name(2999), count + 1]);
    await updateUser(db, id, { username: 'z-last' });
    assert.deepEqual(await look(), [first, count + 1]);
    await deleteUser(db, id);
    assert.deepEqual(await look(), [first, count]);
  });
});

describe('a total', () => {
  test('has what another connection commits late, and not what it takes back', async () => {
    const { id: organization_id } = await makeOrganization(db);
    const total = async (): Promise<number> => (await listUsers(db, organization_id, all)).total;
    assert.equal(await total(), 0);
    const late = await running.database.pool.connect();
    try {
      for (const [end, expected] of [
        ['ROLLBACK', 0],
        ['COMMIT', 1],
      ] as const) {
        await late.query('BEGIN');
        await late.query('INSERT INTO users (organization_id, username) VALUES ($1, $2)', [
          organization_id,
          unique('u'),
        ]);
        // Cached while the late transaction is open, with a snapshot from after its beginning.
        await makeOrganization(db);
        assert.equal(await total(), 0);
        assert.equal(await total(), 0);
        await late.query(end);
        assert.equal(await total(), expected, end);
      }
    } finally {
      late.release();
    }
  });

  test('is counted again where the change log does not go back so far', async () => {
    const { id: organization_id } = await makeOrganization(db);
    assert.equal((await listUsers(db, organization_id, all)).total, 0);
    await createUser(db, { organization_id, username: 'one' });
    await db.deleteFrom('change_log').execute();
    assert.equal((await listUsers(db, organization_id, all)).total, 1);
  });

  test('that a transaction sees of its own is not remembered when it is taken back', async () => {
    const { id: organization_id } = await makeOrganization(db);
    const failing = db.transaction().execute(async (tx) => {
      await createUser(tx, { organization_id, username: 'one' });
      assert.equal((await listUsers(tx, organization_id, all)).total, 1);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal((await listUsers(db, organization_id, all)).total, 0);
  });

  test('is that of its own organisation and its own filter, however alike the lists are', async () => {
    const [one, two] = [await makeOrganization(db), await makeOrganization(db)];
    await makeUser(db, { organization_id: one.id, full_name: 'x' });
    for (const full_name of ['x', 'y', 'y']) await makeUser(db, { organization_id: two.id, full_name });
    const total = async (home: OrganizationId, filter?: Filter): Promise<number> =>
      (await listUsers(db, home, { ...all, ...defined({ filter }) })).total;
    for (const time of ['counted', 'remembered']) {
      assert.deepEqual([await total(one.id), await total(two.id)], [1, 3], time);
      const filtered = [await total(two.id, is('fullName', 'x')), await total(two.id, is('fullName', 'y'))];
      assert.deepEqual(filtered, [1, 2], time);
    }
  });

  test('is right for all who ask at once, while rows are made', async () => {
    const { id: organization_id } = await makeOrganization(db);
    let made = 0;
    let done = false;
    const writing = (async () => {
      for (let n = 0; n < 15; n += 1) {
        await createUser(db, { organization_id, username: `u${n}` });
        made = n + 1;
      }
      done = true;
    })();
    const reading = Array.from({ length: 3 }, async () => {
      for (;;) {
        if (done) return;
        const before = made;
        const { rows, total } = await listUsers(db, organization_id, all);
        assert.equal(rows.length, total);
        assert.ok(total >= before && total <= made + 1, `${before} ≤ ${total} ≤ ${made + 1}`);
      }
    });
    await Promise.all([writing, ...reading]);
    assert.equal((await listUsers(db, organization_id, all)).total, 15);
  });
});

describe('a list knows what can change it', () => {
  test('an order or a filter by what an update changes', async () => {
    const one = await makeUser(db, { username: 'b', full_name: 'x' });
    const { organization_id } = one;
    await makeUser(db, { organization_id, username: 'c' });
    const names = async (asked: Partial<ListRequest>) =>
      (await listUsers(db, organization_id, { ...all, ...asked })).rows.map(({ username }) => username);
    const filter = is('fullName', 'X');
    const newest = { field: 'createdAt', direction: 'desc' } as const;
    assert.deepEqual(
      [await names({}), await names({ filter }), await names({ sort: newest })],
      [['b', 'c'], ['b'], ['c', 'b']],
    );
    await updateUser(db, one.id, { username: 'd', full_name: 'y' });
    assert.deepEqual(
      [await names({}), await names({ filter }), await names({ sort: newest })],
      [['c', 'd'], [], ['c', 'd']],
    );
  });

  test('another entity that the filter looks at', async () => {
    const { organization_id, organization_name, username } = await makeUser(db);
    for (const scope of [organization_id, 'all'] as const) {
      const found = async () => {
        const filter = is('org.name', organization_name);
        return (await listUsers(db, scope, { ...all, filter })).rows.map((user) => user.username);
      };
      assert.deepEqual(await found(), [username]);
      await updateOrganization(db, organization_id, { name: unique('renamed') });
      assert.deepEqual(await found(), []);
      await updateOrganization(db, organization_id, { name: organization_name });
      assert.deepEqual(await found(), [username]);
    }
  });

  test('an organisation that is deleted', async () => {
    const { id, name: called } = await makeOrganization(db);
    const filter = is('name', called);
    assert.equal((await listOrganizations(db, 'all', { ...all, filter })).total, 1);
    await db.updateTable('organizations').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    assert.equal((await listOrganizations(db, 'all', { ...all, filter })).total, 0);
  });

  test('catalogs that others publish, and their items', async () => {
    const [mine, foreign] = [await makeOrganization(db), await makeOrganization(db)];
    const catalog = await createCatalog(db, { organization_id: foreign.id, name: unique('images') });
    await createCatalogItem(db, { catalog_id: catalog.id, name: 'Fedora' });
    const filter = is('id', catalog.id);
    const look = async () => [
      (await listCatalogs(db, mine.id, { ...all, filter })).total,
      (await listCatalogItems(db, mine.id, catalog.id, all)).total,
      (await listCatalogItems(db, foreign.id, catalog.id, { ...all, filter: is('isPublished', 'true') })).total,
    ];
    assert.deepEqual(await look(), [0, 0, 0]);
    await updateCatalog(db, catalog.id, { published: true });
    assert.deepEqual(await look(), [1, 1, 1]);
    await createCatalogItem(db, { catalog_id: catalog.id, name: 'Debian' });
    assert.deepEqual(await look(), [1, 2, 2]);
    await updateCatalog(db, catalog.id, { published: false });
    assert.deepEqual(await look(), [0, 0, 0]);
  });

  test('tasks that go on', async () => {
    const { id: organization_id } = await makeOrganization(db);
    const task = { organization_id, owner_kind: 'vm', owner_id: organization_id, operation: 'powerOn' };
    const { id } = await createTask(db, task);
    const look = async () => [
      (await listTasks(db, organization_id, all)).rows.map(({ status }) => status),
      (await listTasks(db, organization_id, { ...all, filter: is('status', 'queued') })).total,
    ];
    assert.deepEqual(await look(), [['queued'], 1]);
    await advanceTask(db, id, { status: 'running' });
    assert.deepEqual(await look(), [['running'], 0]);
    await createTask(db, task);
    assert.deepEqual(await look(), [['queued', 'running'], 1]);
  });

  test('machines that the cluster says are gone, and that are back', async () => {
    const vapp = await makeVapp(db);
    const vm = await makeVm(db, { vapp_id: vapp.id });
    const other = await makeVm(db, { vapp_id: vapp.id });
    const look = async (status?: string) => {
      const filter = status === undefined ? {} : { filter: is('status', status) };
      return (await listVms(db, vapp.organization_id, { vapp: vapp.id }, { ...all, ...filter })).total;
    };
    assert.deepEqual([await look(), await look('POWERED_ON')], [2, 0]);
    await observe(db, vm, 'POWERED_ON');
    assert.deepEqual([await look(), await look('POWERED_ON')], [2, 1]);
    await observe(db, vm, 'DELETED');
    assert.deepEqual([await look(), await look('POWERED_ON')], [1, 0]);
    await observe(db, vm, 'POWERED_OFF');
    assert.deepEqual([await look(), await look('POWERED_ON')], [2, 0]);
    await observe(db, other, 'DELETED');
    assert.equal(await look(), 1);
    await deleteVm(db, vm.id);
    assert.equal(await look(), 0);
  });
});

test('lists by status have what the clusters have said, of machines and of the vApps that they are in', async () => {
  const vapp = await makeVapp(db);
  const one = await makeVm(db, { vapp_id: vapp.id });
  const other = await makeVm(db, { vapp_id: vapp.id });
  const look = async (status: string) => {
    const asked = { ...all, filter: is('status', status) };
    const scope = vapp.organization_id;
    // A VM is never mixed: a list of VMs rejects the value.
    const vms = status === 'MIXED' ? 0 : (await listVms(db, scope, { vdc: vapp.vdc_id }, asked)).total;
    const vapps = await listVapps(db, scope, { vdc: vapp.vdc_id }, asked);
    return [vms, vapps.total];
  };
  const looks = async () => Promise.all(['UNRESOLVED', 'POWERED_ON', 'MIXED', 'DELETING'].map(look));
  const steps: readonly [() => Promise<unknown>, readonly (readonly number[])[]][] = [
    [
      async () => undefined,
      [
        [2, 1],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      () => observe(db, one, 'POWERED_ON'),
      [
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      () => observe(db, other, 'POWERED_ON'),
      [
        [0, 0],
        [2, 1],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      () => observe(db, other, 'POWERED_ON', { node: 'another' }),
      [
        [0, 0],
        [2, 1],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      () => updateVm(db, one.id, { desired_state: 'absent' }),
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 0],
      ],
    ],
    [
      () => deleteVm(db, one.id),
      [
        [0, 0],
        [1, 1],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      () => observe(db, other, 'POWERED_OFF'),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      () => updateVapp(db, vapp.id, { desired_state: 'absent' }),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 1],
      ],
    ],
  ];
  for (const [step, expected] of steps) {
    await step();
    assert.deepEqual(await looks(), expected);
    assert.deepEqual(await looks(), expected);
  }
});

test('whatever is done, every list shows what a count and a sort of all rows would', async () => {
  const { id: home } = await makeOrganization(db);
  const people = new Map<string, { id: UserId; username: string; full_name: string }>();
  let made = 0;
  const words = ['Ann', 'bob', 'Cyd'];
  const step = fc.tuple(
    fc.constantFrom('create', 'rename', 'retitle', 'delete', 'look', 'look'),
    fc.nat(100),
    fc.constantFrom(...words),
  );
  const requests: readonly ListRequest[] = [
    { page: 1, pageSize: 3 },
    { page: 2, pageSize: 2, sort: { field: 'fullName', direction: 'desc' } },
    { page: 1, pageSize: 50, filter: is('fullName', 'BOB') },
    { page: 2, pageSize: 3, sort: { field: 'createdAt', direction: 'asc' }, filter: begins('name', 'ann') },
  ];
  const pick = (at: number) => [...people.values()][at % Math.max(people.size, 1)];
  const run = async ([what, at, word]: readonly [string, number, string]): Promise<void> => {
    const one = pick(at);
    if (what === 'create') {
      made += 1;
      const created = await createUser(db, { organization_id: home, username: `${word}-${made}`, full_name: word });
      people.set(created.id, created);
    } else if (one === undefined) return;
    else if (what === 'delete') {
      await deleteUser(db, one.id);
      people.delete(one.id);
    } else if (what === 'rename' || what === 'retitle') {
      made += 1;
      const change = what === 'rename' ? { username: `${word}-${made}` } : { full_name: word };
      await updateUser(db, one.id, change);
      people.set(one.id, { ...one, ...change });
    } else await look();
  };
  const look = async (): Promise<void> => {
    for (const asked of requests) {
      const whole = await db.transaction().execute((tx) => listUsers(tx, home, { ...asked, page: 1, pageSize: 1000 }));
      const from = (asked.page - 1) * asked.pageSize;
      const { rows, total } = await listUsers(db, home, asked);
      assert.equal(total, whole.rows.length);
      assert.deepEqual(rows, whole.rows.slice(from, from + asked.pageSize));
      if (asked.filter === undefined) assert.equal(total, people.size);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const one of steps) await run(one);
      await look();
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

test('of lists that are asked for at the same time, and again, each has its own rows: whoever asks, for which page, by which filter', async () => {
  const homes = [await makeOrganization(db), await makeOrganization(db)].map(({ id }) => id);
  for (const home of homes)
    for (const username of ['a1', 'a2', 'a3', 'b1'].map(unique))
      await makeUser(db, { organization_id: home, username });
  const catalogs: CatalogId[] = [];
  for (const home of homes) {
    const catalog = await createCatalog(db, { organization_id: home, name: unique('catalog') });
    await createCatalogItem(db, { catalog_id: catalog.id, name: 'item', definition: {} });
    catalogs.push(catalog.id);
  }
  const asked = homes.flatMap((home) =>
    ['a', 'b'].flatMap((letter) => [1, 2].map((page) => ({ home, letter, page, pageSize: 2 }))),
  );
  for (let again = 0; again < 3; again += 1) {
    const pages = await Promise.all(
      asked.map(({ home, letter, ...page }) => listUsers(db, home, { ...page, filter: begins('username', letter) })),
    );
    const seen = pages.map(({ rows, total }) => [
      total,
      rows.map(({ organization_id, username }) => `${homes.indexOf(organization_id)}${username.slice(0, 2)}`),
    ]);
    const of = (home: number): unknown[] => [
      [3, [`${home}a1`, `${home}a2`]],
      [3, [`${home}a3`]],
      [1, [`${home}b1`]],
      [1, []],
    ];
    assert.deepEqual(seen, [...of(0), ...of(1)]);
    const items = await Promise.all(
      homes.flatMap((home) => catalogs.map((catalog) => listCatalogItems(db, home, catalog, all))),
    );
    assert.deepEqual(
      items.map(({ total, rows }) => [total, rows[0]?.catalog_id]),
      [
        [1, catalogs[0]],
        [0, undefined],
        [0, undefined],
        [1, catalogs[1]],
      ],
    );
  }
});

describe('lists of VMs', () => {
  const sorts = Object.keys(vmList.fields).filter((field) => vmList.fields[field]?.sortable === true);
  /** As a person compares the values of the field; no value comes first. */
  const shown: Readonly<Record<string, (vm: Vm) => string | number>> = {
    name: (vm) => vm.name.toLowerCase(),
    status: (vm) => vm.status.toLowerCase(),
    ipAddresses: (vm) => addressNumber(vm.ip_addresses?.find((address) => isIPv4(address))),
    guestOs: (vm) => (vm.observed_guest_os ?? vm.guest_os ?? '').toLowerCase(),
    cpus: (vm) => vm.cpu_count ?? vm.observed_cpu_count ?? -1,
    memoryMb: (vm) => vm.memory_mb ?? vm.observed_memory_mb ?? -1,
    'owner.name': (vm) => (vm.owner_name ?? '').toLowerCase(),
    'vdc.name': (vm) => vm.vdc_name.toLowerCase(),
    createdAt: (vm) => vm.created_at.getTime(),
  };
  const addressNumber = (address: string | undefined): number =>
    address === undefined ? -1 : address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

  /** The keys that the triggers keep, and those that the tables have now, where they differ. */
  async function wrongKeys(): Promise<readonly unknown[]> {
    const { rows } = await sql`
      SELECT vms.id, s.vm_id AS state, k.vm_id AS keys FROM vms
      JOIN vdcs ON vdcs.id = vms.vdc_id LEFT JOIN users ON users.id = vms.owner_id LEFT JOIN vm_observed o ON o.vm_id = vms.id
      LEFT JOIN vm_list_states s ON s.vm_id = vms.id AND s.organization_id = vms.organization_id AND s.vdc_id = vms.vdc_id
        AND s.status = lower(shown_vm_status(vms.deleted_at, vms.desired_state, o.status)) AND s.listed = (vms.deleted_at IS NULL AND o.gone IS NOT TRUE)
        AND s.gone = (vms.desired_state = 'present' AND o.gone IS TRUE)
      LEFT JOIN vm_list_keys k ON k.vm_id = vms.id AND (k.organization_id, k.vdc_id, k.vdc_name, k.owner_name, k.listed, k.gone)
          = (vms.organization_id, vms.vdc_id, lower(vdcs.name), lower(coalesce(users.username, '')), s.listed, s.gone)
        AND k.owner_id IS NOT DISTINCT FROM vms.owner_id
        AND k.cpus = coalesce(vms.cpu_count, o.cpu_count, -1) AND k.memory_mb = coalesce(vms.memory_mb, o.memory_mb, -1)
        AND k.guest_os = lower(coalesce(o.guest_os, vms.guest_os, ''))
      WHERE s.vm_id IS NULL OR k.vm_id IS NULL
    `.execute(db);
    return rows;
  }

  test('have every VM once on their pages, in the order of what is shown, whatever happens', async () => {
    const { id: organization_id } = await makeOrganization(db);
    const owners = [await makeUser(db, { organization_id }), await makeUser(db), undefined];
    const vdcs = [await makeVdc(db, { organization_id }), await makeVdc(db, { organization_id })];
    const vapps = await Promise.all(vdcs.map(({ id }) => makeVapp(db, { vdc_id: id })));
    const vms: Vm[] = [];
    let sequence = 1;
    const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(all.length, 1)];

    const deeds: Readonly<Record<string, (at: number) => Promise<unknown>>> = {
      create: async (at) => {
        const [vapp, owner] = [pick(vapps, at), pick(owners, at)];
        if (vapp === undefined) return;
        const size = at % 3 === 0 ? {} : { cpu_count: 1 + (at % 4), memory_mb: 512 * (1 + (at % 3)) };
        vms.push(await makeVm(db, { vapp_id: vapp.id, owner_id: owner?.id ?? null, ...size }));
      },
      observe: async (at) => {
        const vm = pick(vms, at);
        if (vm === undefined) return;
        const status = pick(['POWERED_ON', 'POWERED_OFF', 'FAILED', 'DELETED'] as const, at) ?? 'UNKNOWN';
        const ip_addresses = pick([[], ['10.0.0.9'], ['fe80::x', '10.0.0.10'], ['9.255.0.1', '10.0.0.2']], at) ?? [];
        const seen = {
          cpu_count: 1 + (at % 5),
          memory_mb: 256 * at + 1,
          guest_os: pick(['Fedora', 'debian', null], at) ?? null,
        };
        await observe(db, vm, status, { ip_addresses, ...seen, sequence: ++sequence });
      },
      resize: async (at) => {
        const vm = pick(vms, at);
        if (vm !== undefined) await updateVm(db, vm.id, { cpu_count: 1 + (at % 7), guest_os: 'Windows' });
      },
      request: async (at) => {
        const vm = pick(vms, at);
        if (vm !== undefined) await updateVm(db, vm.id, { desired_state: 'absent' });
      },
      remove: async (at) => {
        const vm = pick(vms, at);
        if (vm !== undefined) await deleteVm(db, vm.id);
      },
      'rename a VDC': (at) =>
        updateVdc(db, pick(vdcs, at)?.id as VdcId, { name: unique(pick(['Zoo', 'ant'], at) ?? '') }),
      'rename an owner': (at) =>
        updateUser(db, owners[at % 2]?.id as UserId, { username: unique(pick(['Zoe', 'ann'], at) ?? '') }),
    };
    const filters: readonly (Filter | undefined)[] = [
      undefined,
      is('status', 'POWERED_ON'),
      is('ipAddresses', '10.0.0.2'),
      { kind: 'compare', field: 'cpus', comparison: '=le=', operand: { text: '3' } },
      begins('owner.name', 'ann'),
      is('vdc.id', vdcs[0]?.id ?? ''),
      begins('name', 'vm'),
    ];

    async function look(at: number): Promise<void> {
      assert.deepEqual(await wrongKeys(), []);
      const field = pick(sorts, at) ?? '';
      const direction = at % 2 === 0 ? ('asc' as const) : ('desc' as const);
      const filter = pick(filters, Math.floor(at / sorts.length));
      const asked = { sort: { field, direction }, ...defined({ filter }) };
      for (const [scope, of] of [
        [organization_id, {}],
        ['all', { vdc: vdcs[1]?.id as VdcId }],
      ] as const) {
        // Without the cache.
        const whole = await db
          .transaction()
          .execute((tx) => listVms(tx, scope, of, { page: 1, pageSize: 1000, ...asked }));
        const pages: Vm[] = [];
        for (let page = 1; page <= Math.ceil(whole.total / 5); page += 1) {
          const { rows, total } = await listVms(db, scope, of, { page, pageSize: 5, ...asked });
          assert.equal(total, whole.total);
          pages.push(...rows);
        }
        assert.deepEqual(pages, whole.rows);
        const value = shown[field === 'ipAddress' ? 'ipAddresses' : field];
        assert.ok(value, field);
        const keyed = whole.rows.map((vm) => [value(vm), vm.id] as const);
        const sorted = keyed.toSorted(([a, id], [b, other]) => (a < b || (a === b && id < other) ? -1 : 1));
        assert.deepEqual(keyed, direction === 'asc' ? sorted : sorted.toReversed(), `${field} ${direction}`);
        if (filter === undefined && scope !== 'all') {
          const { rows } = await sql<{ count: number }>`
            SELECT count(*) FROM vms LEFT JOIN vm_observed o ON o.vm_id = vms.id
            WHERE vms.organization_id = ${organization_id} AND vms.deleted_at IS NULL AND o.gone IS NOT TRUE
          `.execute(db);
          assert.equal(whole.total, rows[0]?.count);
        }
      }
    }

    for (let at = 0; at < 8; at += 1) await deeds['create']?.(at);
    const step = fc.tuple(fc.constantFrom('look', 'look', 'create', 'observe', ...Object.keys(deeds)), fc.nat(1000));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), fc.nat(1000), async (steps, last) => {
        for (const [what, at] of steps) await (deeds[what] ?? look)(at);
        await look(last);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  test('know the owner and the VDC by the name that a transaction gives them while the VM is created', async () => {
    const owner = await makeUser(db);
    const vdc = await makeVdc(db, { organization_id: owner.organization_id });
    const vapp = await makeVapp(db, { vdc_id: vdc.id });
    const renaming = await running.database.pool.connect();
    try {
      await renaming.query('BEGIN');
      await renaming.query(`UPDATE users SET username = 'renamed' WHERE id = $1`, [owner.id]);
      await renaming.query(`UPDATE vdcs SET name = 'renamed' WHERE id = $1`, [vdc.id]);
      const created = makeVm(db, { vapp_id: vapp.id, owner_id: owner.id });
      await someoneWaits(db);
      await renaming.query('COMMIT');
      await created;
    } finally {
      renaming.release();
    }
    assert.deepEqual(await wrongKeys(), []);
  });

  test('by the name of an owner of another organization notice that it changes', async () => {
    const owner = await makeUser(db, { username: unique('ann') });
    const vapp = await makeVapp(db);
    const { id } = await makeVm(db, { vapp_id: vapp.id, owner_id: owner.id });
    const other = await makeUser(db, { username: `${owner.username}-too` });
    const { id: kept } = await makeVm(db, { vapp_id: vapp.id, owner_id: other.id });
    const found = async () => {
      const filter = begins('owner.name', owner.username);
      const { rows, total } = await listVms(db, vapp.organization_id, {}, { ...all, filter });
      return [total, rows.map((vm) => vm.id).toSorted()];
    };
    assert.deepEqual(await found(), [2, [id, kept].toSorted()]);
    await updateUser(db, owner.id, { username: unique('bob') });
    assert.deepEqual(await found(), [1, [kept]]);
  });
});
