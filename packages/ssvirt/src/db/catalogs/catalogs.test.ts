/** What an organization may use: virtual data centers, catalogs, catalog items. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import type { Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser, makeVapp, makeVdc, unique } from '../../../../../test/database/rows.ts';
import {
  createCatalogItem,
  deleteCatalogItem,
  getCatalogItem,
  listCatalogItems,
  updateCatalogItem,
} from './catalog-items.ts';
import {
  catalogsWithTemplates,
  createCatalog,
  deleteCatalog,
  getCatalog,
  listCatalogs,
  updateCatalog,
  type Catalog,
} from './catalogs.ts';
import { Duplicate, InUse, Missing } from '../connection/duplicate.ts';
import { listItemsAndOffers, offeredRows } from './listed-items.ts';
import type { CatalogId, CatalogItemId, CatalogTable, Tables, UserId, VdcId } from '../schema/schema.ts';
import type { New } from '../connection/rows.ts';
import { createVdc, deleteVdc, findVdcOfNamespace, getVdc, listVdcs, updateVdc } from '../vdcs/vdcs.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());

const everything = { page: 1, pageSize: 1000 };

async function makeCatalog(catalog: Partial<New<CatalogTable>> = {}): Promise<Catalog> {
  const organization_id = catalog.organization_id ?? (await makeOrganization(db)).id;
  return createCatalog(db, { name: unique('catalog'), ...catalog, organization_id });
}

describe('virtual data centers', () => {
  test('a row is made under an id of the caller’s choice, found by its place, changed and deleted', async () => {
    const organization = await makeOrganization(db);
    const id = randomUUID() as VdcId;
    const namespace = `vdc-${id}`;
    const made = await createVdc(db, {
      id,
      organization_id: organization.id,
      name: 'Gold',
      cluster: 'east',
      namespace,
      memory_limit_mb: 2 ** 40,
    });
    assert.equal(made.id, id);
    assert.equal(made.organization_name, organization.name);
    assert.deepEqual([made.memory_limit_mb, made.vm_quota, made.nic_quota], [2 ** 40, 0, 100]);
    assert.deepEqual(await findVdcOfNamespace(db, 'east', namespace), made);
    assert.equal(await findVdcOfNamespace(db, 'west', namespace), undefined);

    const changed = await updateVdc(db, id, { desired_state: 'absent', enabled: false });
    assert.deepEqual([changed?.desired_state, changed?.enabled, changed?.name], ['absent', false, 'Gold']);
    assert.ok(changed !== undefined && changed.updated_at > made.updated_at);

    assert.equal(await deleteVdc(db, id), true);
    assert.equal(await getVdc(db, 'all', id), undefined);
    assert.equal(await findVdcOfNamespace(db, 'east', namespace), undefined);
    assert.equal(await updateVdc(db, id, { enabled: true }), undefined);
    assert.equal(await deleteVdc(db, id), false);
  });

  test('its name is its organisation’s alone, its namespace the cluster’s, until it is deleted', async () => {
    const { id, organization_id, namespace } = await makeVdc(db, { name: 'Silver' });
    const sameName = { organization_id, name: 'SILVER', namespace: unique('ns') };
    const sameNamespace = { organization_id, name: 'Bronze', namespace };
    for (const [vdc, key] of [
      [sameName, 'name'],
      [sameNamespace, 'cluster and namespace'],
    ] as const) {
      await assert.rejects(createVdc(db, vdc), (error: unknown) => {
        assert.ok(error instanceof Duplicate);
        assert.deepEqual([error.table, error.key], ['vdcs', key]);
        return true;
      });
    }
    await makeVdc(db, { name: 'Silver' });
    await createVdc(db, { ...sameNamespace, cluster: 'another' });
    await deleteVdc(db, id);
    await createVdc(db, { ...sameName, namespace });
  });

  test('one with a vApp is not deleted', async () => {
    const { vdc_id } = await makeVapp(db);
    await assert.rejects(deleteVdc(db, vdc_id), new InUse('vdcs', 'vapps'));
  });

  test('an organisation sees its own only', async () => {
    const [mine, foreign] = [await makeVdc(db), await makeVdc(db)];
    const listed = await listVdcs(db, mine.organization_id, everything);
    assert.deepEqual(listed, { rows: [mine], total: 1 });
    assert.equal(await getVdc(db, mine.organization_id, foreign.id), undefined);
    assert.deepEqual(await getVdc(db, mine.organization_id, mine.id), mine);
  });

  test('rows of the same name, of several organisations, fall on one page each', async () => {
    const name = unique('0same');
    const made = [await makeVdc(db, { name }), await makeVdc(db, { name }), await makeVdc(db, { name })];
    const pages = [1, 2, 3].map((page) => listVdcs(db, 'all', { page, pageSize: 1 }));
    const seen = (await Promise.all(pages)).flatMap(({ rows }) => rows.map(({ id }) => id));
    assert.deepEqual(seen, made.map(({ id }) => id).toSorted());
  });
});

describe('catalogs', () => {
  test('a row is made, changed to a new version, and deleted', async () => {
    const owner = await makeUser(db);
    const made = await makeCatalog({ organization_id: owner.organization_id, owner_id: owner.id });
    assert.deepEqual([made.version, made.published, made.owner_id], [1, false, owner.id]);
    const changed = await updateCatalog(db, made.id, { published: true });
    assert.deepEqual([changed?.version, changed?.published, changed?.name], [2, true, made.name]);
    assert.equal(await deleteCatalog(db, made.id), true);
    assert.equal(await getCatalog(db, 'all', made.id), undefined);
    assert.equal(await updateCatalog(db, made.id, { published: false }), undefined);
  });

  test('an organisation sees its own, and what others have published', async () => {
    const mine = await makeCatalog();
    const [hidden, published] = [await makeCatalog(), await makeCatalog({ published: true })];
    const listed = await listCatalogs(db, mine.organization_id, everything);
    assert.deepEqual(new Set(listed.rows.map(({ id }) => id)), new Set([mine.id, published.id]));
    assert.equal(listed.total, 2);
    assert.equal(await getCatalog(db, mine.organization_id, hidden.id), undefined);
    assert.deepEqual(await getCatalog(db, mine.organization_id, published.id), published);
    await deleteCatalog(db, published.id);
    assert.equal(await getCatalog(db, mine.organization_id, published.id), undefined);
  });

  test('those that show what clusters offer are found, the own ones first; by who sees all, all of them', async () => {
    const [published, own, plain] = [
      await makeCatalog({ includes_templates: true, published: true }),
      await makeCatalog({ includes_templates: true }),
      await makeCatalog({ includes_templates: false }),
    ];
    const found = await catalogsWithTemplates(db, own.organization_id);
    assert.equal(found[0], own.id);
    assert.ok(found.includes(published.id));
    const all = await catalogsWithTemplates(db, 'all');
    assert.ok(all.includes(published.id) && all.includes(own.id) && !all.includes(plain.id));
  });

  test('a name can be used again when its catalog is deleted; an owner must be there', async () => {
    const { id, organization_id } = await makeCatalog({ name: 'images' });
    await assert.rejects(makeCatalog({ organization_id, name: 'IMAGES' }), Duplicate);
    await deleteCatalog(db, id);
    await makeCatalog({ organization_id, name: 'Images' });
    const owner_id = randomUUID() as UserId;
    await assert.rejects(makeCatalog({ owner_id }), (error: unknown) => {
      assert.ok(error instanceof Missing);
      assert.deepEqual([error.table, error.column], ['catalogs', 'owner_id']);
      return true;
    });
  });
});

describe('catalog items', () => {
  test('an item is made in a live catalog, changed and deleted; the catalog stays until then', async () => {
    const catalog = await makeCatalog();
    const definition = { image: 'quay.io/containerdisks/fedora', parameters: [{ name: 'NAME' }] };
    const made = await createCatalogItem(db, { catalog_id: catalog.id, name: 'Fedora', definition });
    assert.deepEqual(made.definition, definition);
    const changed = await updateCatalogItem(db, made.id, { definition: { image: 'another' } });
    assert.deepEqual([changed?.definition, changed?.name], [{ image: 'another' }, 'Fedora']);
    await assert.rejects(createCatalogItem(db, { catalog_id: catalog.id, name: 'fedora' }), Duplicate);
    await assert.rejects(deleteCatalog(db, catalog.id), new InUse('catalogs', 'catalog_items'));

    assert.equal(await deleteCatalogItem(db, made.id), true);
    assert.equal(await deleteCatalogItem(db, made.id), false);
    assert.equal(await getCatalogItem(db, 'all', made.id), undefined);
    assert.equal(await updateCatalogItem(db, made.id, { name: 'x' }), undefined);
    assert.deepEqual((await createCatalogItem(db, { catalog_id: catalog.id, name: 'fedora' })).definition, {});

    const gone = await makeCatalog();
    await deleteCatalog(db, gone.id);
    const missing = new Missing('catalog_items', 'catalog_id');
    await assert.rejects(createCatalogItem(db, { catalog_id: gone.id, name: 'x' }), missing);
    await assert.rejects(createCatalogItem(db, { catalog_id: randomUUID() as CatalogId, name: 'x' }), missing);
  });

  test('items are seen by whom their catalog is', async () => {
    const [mine, foreign] = [await makeCatalog(), await makeCatalog()];
    const item = await createCatalogItem(db, { catalog_id: foreign.id, name: 'Fedora' });
    await createCatalogItem(db, { catalog_id: mine.id, name: 'Mine' });
    const offer = {
      id: randomUUID() as CatalogItemId,
      name: 'Debian',
      description: '',
      clusters: ['local'],
      source_kind: 'Template',
      created_at: null,
    };
    const look = async () => ({
      listed: (await listCatalogItems(db, mine.organization_id, foreign.id, everything)).rows,
      got: await getCatalogItem(db, mine.organization_id, item.id),
      withOffers: (
        await listItemsAndOffers(
          db,
          mine.organization_id,
          { catalog: foreign.id, offered: offeredRows([offer]), usable: 'all' },
          everything,
        )
      ).rows,
    });
    assert.deepEqual(await look(), { listed: [], got: undefined, withOffers: [] });
    await updateCatalog(db, foreign.id, { published: true });
    assert.deepEqual(await look(), {
      listed: [item],
      got: item,
      withOffers: [{ id: offer.id }, { id: item.id, stored: item }],
    });
  });
});
