/** Catalog items by real requests: a catalog's own items and those that clusters offer, in one list. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../../test/api/harness.ts';
import { makeVdc, unique } from '../../../../../../test/database/rows.ts';
import { createCatalogItem } from '../../../db/catalogs/catalog-items.ts';
import type { CatalogId } from '../../../db/schema/schema.ts';
import type { CatalogEntry, OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { nothingOffered, type CatalogSource } from '../catalogs/source.ts';
import { itemIdOf } from './item-id.ts';

const catalogs = '/cloudapi/1.0.0/catalogs';
const GIB = 2 ** 30;

function entry(name: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    kind: 'Template',
    namespace: 'openshift',
    name,
    displayName: name.toUpperCase(),
    description: `With ${name}`,
    createdAt: '2026-01-02T03:04:05.000Z',
    vmCount: 1,
    parameters: [],
    machines: [],
    tags: [],
    deprecated: false,
    ready: true,
    message: '',
    ...more,
  };
}

function offer(of: CatalogEntry, available = true, message = ''): OfferedEntry {
  return { entry: of, offers: [{ cluster: 'local', available, message }] };
}

const fedora = offer(
  entry('fedora-server-small', {
    cpuCount: 1,
    memoryBytes: 2 * GIB,
    storageBytes: 30 * GIB,
    guestOs: 'Fedora',
    parameters: [
      {
        name: 'NAME',
        displayName: 'Name',
        description: '',
        hasDefault: false,
        required: false,
        generatedFrom: 'x[a-z]{3}',
      },
      { name: 'CLOUD_USER_PASSWORD', displayName: 'Password', description: '', hasDefault: true, required: false },
    ],
  }),
);
const debian = offer(
  entry('debian', {
    kind: 'DataSource',
    namespace: 'kubevirt-os-images',
    instancetype: 'u1.small',
    preference: 'debian',
  }),
);
const broken = offer(entry('broken', { kind: 'DataSource', namespace: 'images' }), false, 'PVC not found');

interface ItemSeen {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly source: { readonly kind: string };
  readonly [field: string]: unknown;
}

const containerDisk = { image: 'containerdisks/fedora:42', instancetype: 'u1.small' };

suite('items of catalogs', () => {
  let api: ApiHarness;
  let admin: Person;
  let offers: readonly OfferedEntry[] = [fedora, debian, broken];
  let away: ReturnType<CatalogSource['unavailable']> = [];

  before(async () => {
    api = await startApi({ catalogSource: { ...nothingOffered, entries: () => offers, unavailable: () => away } });
    admin = await api.person('Organization Administrator');
    await makeVdc(api.db, { organization_id: admin.organizationId });
  });
  after(() => api.stop());

  const catalog = async (body: object = {}, person: Person = admin): Promise<string> => {
    const answer = await api.ask('POST', catalogs, { token: person.token, body: { name: unique('c'), ...body } });
    assert.equal(answer.status, 201, answer.text);
    return String(answer.body['id']);
  };
  const items = (id: string, rest = ''): string => `${catalogs}/${id}/catalogItems${rest}`;
  const ask = (method: string, path: string, body?: unknown, person: Person = admin): Promise<Answer> =>
    api.ask(method, path, { token: person.token, ...defined({ body }) });
  const list = async (id: string, query = ''): Promise<{ values: readonly ItemSeen[]; resultTotal: number }> => {
    const answer = await api.ask<{ values: readonly ItemSeen[]; resultTotal: number }>('GET', items(id, query), {
      token: admin.token,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const names = async (id: string, query = ''): Promise<readonly string[]> =>
    (await list(id, query)).values.map(({ name }) => name);

  test('that a cluster offers are shown with all that is known of them, and no secret', async () => {
    const name = unique('c');
    const id = await catalog({ name });
    const { values } = await list(id, '?filter=name==fedora-server-small');
    const [item] = values;
    assert.deepEqual(item, {
      id: `urn:vcloud:catalogitem:${itemIdOf(id.slice(-36) as CatalogId, fedora.entry)}`,
      name: 'fedora-server-small',
      displayName: 'FEDORA-SERVER-SMALL',
      description: 'With fedora-server-small',
      catalogId: id,
      catalog: { name, id },
      owner: { name: 'System', id: 'urn:vcloud:org:a93c9db9-7471-3192-8d09-a8f7eeda85f9' },
      isPublished: false,
      isExpired: false,
      isDeprecated: false,
      creationDate: '2026-01-02T03:04:05.000Z',
      size: 30 * GIB,
      status: 'AVAILABLE',
      statusMessage: '',
      source: { kind: 'Template', namespace: 'openshift', name: 'fedora-server-small' },
      offers: [{ cluster: 'local', available: true, message: '' }],
      entity: {
        name: 'FEDORA-SERVER-SMALL',
        description: 'With fedora-server-small',
        type: 'application/vnd.vmware.vcloud.vAppTemplate+xml',
        numberOfVMs: 1,
        numberOfCpus: 1,
        memoryAllocation: 2 * GIB,
        storageAllocation: 30 * GIB,
      },
      guestOs: 'Fedora',
      parameters: fedora.entry.parameters.map((parameter) => ({ ...parameter })),
    });
  });

  test('have ids that lead from the list to the item, after a restart too, and differ between catalogs', async () => {
    const [one, two] = [await catalog(), await catalog()];
    await ask('POST', items(one), { name: 'own', definition: containerDisk });
    const seen = (await list(one)).values;
    assert.equal(seen.length, 4);
    // Simulates a replica that has read the clusters by itself.
    offers = structuredClone(offers);
    for (const item of seen) assert.deepEqual((await ask('GET', items(one, `/${item.id}`))).body, item);
    for (const item of seen) {
      const elsewhere = await ask('GET', items(two, `/${item.id}`));
      assert.equal(elsewhere.status, 403, 'an item is one of its catalog only');
    }
    assert.equal(
      itemIdOf('00000000-0000-4000-8000-000000000001' as CatalogId, fedora.entry),
      '5e8cc35d-ba62-5ca7-a46e-6a2b4f7c85ad',
      'ids that were handed out stay',
    );
  });

  test('that cannot be used say why; an unavailable cluster is named, and own items are there', async () => {
    const id = await catalog();
    await ask('POST', items(id), { name: 'own', definition: containerDisk });
    const { values } = await list(id, '?filter=status==UNAVAILABLE');
    assert.deepEqual(
      values.map(({ name, statusMessage }) => [name, statusMessage]),
      [['broken', 'PVC not found']],
    );
    away = [{ cluster: 'west', message: 'The cluster does not answer.' }];
    const before = offers;
    offers = [];
    try {
      const answer = await ask('GET', items(id));
      assert.deepEqual(
        (answer.body['unavailable'] as { cluster: string }[]).map(({ cluster }) => cluster),
        ['west'],
      );
      assert.deepEqual(
        (answer.body['values'] as ItemSeen[]).map(({ name }) => name),
        ['own'],
      );
      const plain = await catalog({ includesTemplates: false });
      assert.deepEqual((await ask('GET', items(plain))).body['unavailable'], []);
    } finally {
      away = [];
      offers = before;
    }
  });

  test('are available only where an enabled data center of the caller can use them', async () => {
    const stranger = await api.person('Organization Administrator');
    const { organizationId: organization_id } = stranger;
    const id = await catalog({}, stranger);
    const seen = async (query: string, person = stranger): Promise<readonly (readonly unknown[])[]> => {
      const { body, text } = await ask('GET', items(id, query), undefined, person);
      const values = (body['values'] ?? assert.fail(text)) as readonly ItemSeen[];
      return values
        .filter(({ name }) => name === 'fedora-server-small')
        .map((one) => [one.status, one['statusMessage']]);
    };
    const none = [
      ['UNAVAILABLE', 'None of your virtual data centers can use it; ask the provider for one in another cluster.'],
    ];
    assert.deepEqual(await seen(''), none);
    await makeVdc(api.db, { organization_id, cluster: 'west' });
    const vdc = await makeVdc(api.db, { organization_id, enabled: false });
    assert.deepEqual([await seen('?filter=status==UNAVAILABLE'), await seen('?filter=status==AVAILABLE')], [none, []]);
    assert.deepEqual(await seen('', await api.person('System Administrator')), [['AVAILABLE', '']]);
    await sql`UPDATE vdcs SET enabled = true WHERE id = ${vdc.id}`.execute(api.db);
    assert.deepEqual(
      [await seen('?filter=status==UNAVAILABLE'), await seen('?filter=status==AVAILABLE')],
      [[], [['AVAILABLE', '']]],
    );
  });

  test('tell the provider what is wrong with a cluster, and tenants that something is', async () => {
    const id = await catalog();
    const secret = 'connect ECONNREFUSED 192.0.2.7:6443';
    const before = offers;
    offers = [{ ...fedora, offers: [{ cluster: 'west', available: false, message: secret }] }, broken];
    away = [{ cluster: 'west', message: secret }];
    try {
      const seen = await ask('GET', items(id));
      const [{ id: item = '' } = {}] = seen.body['values'] as readonly { readonly id?: string }[];
      for (const { text } of [
        seen,
        await ask('GET', items(id, `?filter=name==fed*`)),
        await ask('GET', `${items(id)}/${item}`),
      ])
        assert.doesNotMatch(text, /ECONNREFUSED|192\.0\.2/);
      assert.match(
        seen.text,
        /"cluster":"west","available":false,"message":"The cluster does not answer at the moment/,
      );
      assert.match(seen.text, /PVC not found/);
      const provider = await ask('GET', items(id), undefined, await api.person('System Administrator'));
      assert.deepEqual(provider.body['unavailable'], away);
      assert.match(provider.text, /"cluster":"west","available":false,"message":"connect ECONNREFUSED/);
    } finally {
      away = [];
      offers = before;
    }
  });

  test('are filtered and sorted by the same rules, wherever they come from', async () => {
    const id = await catalog();
    for (const name of ['Alma', 'debian', 'zorin'])
      await ask('POST', items(id), { name, description: 'own', definition: containerDisk });
    assert.deepEqual(await names(id), ['Alma', 'broken', 'debian', 'debian', 'fedora-server-small', 'zorin']);
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['?sortDesc=name&filter=name=gt=debian', ['zorin', 'fedora-server-small']],
      ['?filter=name==DEB*', ['debian', 'debian']],
      ['?filter=source.kind==database;name!=alma', ['debian', 'zorin']],
      ['?filter=source.kind==datasource', ['broken', 'debian']],
      ['?filter=description==own,status==UNAVAILABLE', ['Alma', 'broken', 'debian', 'zorin']],
      ['?filter=creationDate=lt=2026-02-01T00:00:00Z;name!=debian', ['broken', 'fedora-server-small']],
      ['?filter=isPublished==true', []],
    ];
    for (const [query, expected] of cases) {
      assert.deepEqual(await names(id, query), expected, query);
    }
    const plain = await catalog({ includesTemplates: false });
    await ask('POST', items(plain), { name: 'only', definition: containerDisk });
    for (const query of ['?filter=status==AVAILABLE;source.kind==database;isPublished==false', '?sortDesc=source.kind'])
      assert.deepEqual(await names(plain, query), ['only'], query);
    for (const query of ['?filter=nothing==1', '?sortAsc=nothing'])
      for (const home of [id, plain]) assert.equal((await ask('GET', items(home, query))).status, 400, query);
  });

  test('are the same in pages of any size', async () => {
    const before = offers;
    const id = await catalog();
    const bare = id.slice(-36) as CatalogId;
    const word = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,5}[a-z0-9])?$/);
    const title = fc.oneof(word, fc.constantFrom('Äpfel', 'zebra', 'Zebra 2', 'a b', 'ß', '中文', 'A-1', 'a_1'));
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(word, { maxLength: 12 }),
          fc.uniqueArray(title, { maxLength: 12, selector: (name) => name.toLowerCase() }),
          fc.integer({ min: 1, max: 7 }),
          fc.constantFrom('', 'sortDesc=name', 'sortAsc=source.kind', 'sortDesc=creationDate', 'filter=name!=a*'),
          async (discovered, own, pageSize, query) => {
            offers = discovered.map((name, i) =>
              offer(entry(name, i % 2 === 0 ? {} : { kind: 'DataSource' }), i % 3 > 0),
            );
            await api.db.deleteFrom('catalog_items').where('catalog_id', '=', bare).execute();
            for (const name of own)
              await createCatalogItem(api.db, { catalog_id: bare, name, definition: containerDisk });
            const whole = await list(id, `?pageSize=128&${query}`);
            assert.equal(whole.resultTotal, whole.values.length);
            if (query === '') assert.equal(whole.values.length, discovered.length + own.length);
            const pages: ItemSeen[] = [];
            for (let page = 1; page <= Math.ceil(whole.values.length / pageSize) + 1; page++) {
              const { values, resultTotal } = await list(id, `?page=${page}&pageSize=${pageSize}&${query}`);
              assert.equal(resultTotal, whole.values.length);
              pages.push(...values);
            }
            assert.deepEqual(pages, whole.values);
            if (query !== '') return;
            const found = whole.values.map(({ name }) => name.toLowerCase());
            const { rows } = await sql<{ name: string }>`
              SELECT name FROM unnest(${found}::text[]) AS name ORDER BY lower(name)
            `.execute(api.db);
            assert.deepEqual(
              found,
              rows.map(({ name }) => name),
            );
          },
        ),
        { numRuns: 12 },
      );
    } finally {
      offers = before;
    }
  });

  test('of the catalog itself are made, changed and deleted, and each is a new version of the catalog', async () => {
    const id = await catalog();
    const definition = {
      url: 'https://images.example/debian.qcow2',
      cpus: 2,
      memoryMb: 1024,
      diskSizeGb: 10,
      guestOs: 'Debian',
      parameters: [
        { name: 'HOST', default: 'web', required: true },
        { name: 'PASSWORD', generatedFrom: '[a-z0-9]{12}' },
      ],
    };
    const made = await ask('POST', items(id), { name: 'Debian', definition });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers['location'], items(id, `/${String(made.body['id'])}`));
    assert.deepEqual(made.body['definition'], definition);
    assert.deepEqual(
      [made.body['source'], made.body['offers'], made.body['size'], made.body['guestOs']],
      [{ kind: 'database' }, [], 10 * GIB, 'Debian'],
    );
    const { numberOfCpus, memoryAllocation } = made.body['entity'] as Record<string, number>;
    assert.deepEqual([numberOfCpus, memoryAllocation], [2, GIB]);
    assert.deepEqual(
      (made.body['parameters'] as { name: string; default?: string; generatedFrom?: string }[]).map(
        ({ name, default: value, generatedFrom }) => [name, value, generatedFrom],
      ),
      [
        ['HOST', 'web', undefined],
        ['PASSWORD', undefined, '[a-z0-9]{12}'],
      ],
    );
    const itemPath = items(id, `/${String(made.body['id'])}`);
    const changed = await ask('PUT', itemPath, { description: 'x', definition: containerDisk });
    assert.deepEqual([changed.body['name'], changed.body['instancetype']], ['Debian', 'u1.small']);
    assert.equal('numberOfCpus' in (changed.body['entity'] as object), false, 'the instance type decides');
    assert.equal((await ask('POST', items(id), { name: 'DEBIAN', definition: containerDisk })).status, 409);
    assert.equal((await ask('DELETE', itemPath)).status, 204);
    assert.equal((await ask('GET', itemPath)).status, 403);
    assert.equal(
      (await ask('GET', `${catalogs}/${id}`)).body['version'],
      4,
      'three changes; the refused one counts for none',
    );
    const events = await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('entity_id', '=', String(made.body['id']).slice(-36))
      .where('outcome', '=', 'success')
      .orderBy('at')
      .execute();
    assert.deepEqual(
      events.map(({ action }) => action),
      ['catalogItems.create', 'catalogItems.update', 'catalogItems.delete'],
    );
  });

  test('can be made at once by several, without a deadlock', async () => {
    const id = await catalog();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => ask('POST', items(id), { name: `item-${i}`, definition: containerDisk })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201),
    );
    assert.equal((await ask('GET', `${catalogs}/${id}`)).body['version'], 9);
  });

  test('that a cluster offers cannot be changed here', async () => {
    const id = await catalog();
    const [item] = (await list(id)).values;
    for (const [method, body] of [
      ['PUT', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await ask(method, items(id, `/${item?.id}`), body);
      assert.equal(answer.status, 403);
      assert.match(String(answer.body['message']), /of the clusters and cannot be changed here/);
    }
  });

  test('of a foreign catalog are not there', async () => {
    const id = await catalog();
    const made = await ask('POST', items(id), { name: 'own', definition: containerDisk });
    const stranger = await api.person('Organization Administrator');
    const mine = await catalog({}, stranger);
    const itemId = String(made.body['id']);
    const missing = 'urn:vcloud:catalogitem:00000000-0000-4000-8000-0000000000ff';
    const expected = (await ask('GET', items(mine, `/${missing}`), undefined, stranger)).body;
    assert.equal(expected['minorErrorCode'], 'ACCESS_TO_RESOURCE_IS_FORBIDDEN');
    const cases: readonly (readonly [string, string, unknown?])[] = [
      ['GET', items(id)],
      ['GET', items(id, `/${itemId}`)],
      ['GET', items(mine, `/${itemId}`)],
      ['PUT', items(mine, `/${itemId}`), { name: 'x' }],
      ['DELETE', items(mine, `/${itemId}`)],
      ['POST', items(id), { name: 'x', definition: containerDisk }],
    ];
    for (const [method, path, body] of cases)
      assert.deepEqual((await ask(method, path, body, stranger)).body, expected, `${method} ${path}`);
  });

  suite('have a definition', () => {
    const sized = { cpus: 1, memoryMb: 512 };
    const good: readonly object[] = [
      containerDisk,
      { image: 'registry.example:5000/team/disks/os@sha256:' + 'a'.repeat(64), ...sized },
      { dataSource: { namespace: 'kubevirt-os-images', name: 'debian' }, ...sized, preference: 'debian' },
      { url: 'http://images.example/x.img?version=2', diskSizeGb: 1, instancetype: 'u1.small' },
    ];
    const bad: readonly (readonly [object, RegExp])[] = [
      [{ ...sized }, /exactly one of image, dataSource and url/],
      [{ ...containerDisk, url: 'https://x.example/', diskSizeGb: 1 }, /image and url are given/],
      [{ image: 'x' }, /instancetype, or both cpus and memoryMb/],
      [{ image: 'x', cpus: 1 }, /instancetype, or both/],
      [{ ...containerDisk, cpus: 1 }, /instancetype sets CPUs/],
      [{ image: 'docker://x/y', ...sized }, /definition\.image: "docker:\/\/x\/y" is not a container image reference/],
      [{ image: 'x y', ...sized }, /is not a container image reference/],
      [{ image: 'UPPER/Case', ...sized }, /is not a container image reference/],
      [{ image: 'x', cpus: 0, memoryMb: 512 }, /definition\.cpus is 0; the minimum is 1\./],
      [{ image: 'x', cpus: 1.5, memoryMb: 512 }, /cpus is 1.5; it must be a whole number\./],
      [{ image: 'x', cpus: 1, memoryMb: 1e12 }, /memoryMb/],
      [{ url: 'https://x.example/', ...sized }, /diskSizeGb is missing/],
      [{ url: 'ftp://x.example/', ...sized, diskSizeGb: 1 }, /is not an http:\/\/ or https:\/\//],
      [{ url: 'file:///etc/passwd', ...sized, diskSizeGb: 1 }, /is not an http/],
      [
        { url: 'https://10.0.0.1/x', ...sized, diskSizeGb: 1 },
        /definition\.url: the host "10\.0\.0\.1" is private .*\(images\.allowedCidrs\)/,
      ],
      [{ url: 'https://me:hunter2@x.example/', ...sized, diskSizeGb: 1 }, /appears to contain credentials/],
      [
        { url: 'https://x.example/?X-Amz-Signature=hunter2', ...sized, diskSizeGb: 1 },
        /appears to contain credentials/,
      ],
      [
        { dataSource: { namespace: 'tenant-b', name: 'disk' }, ...sized },
        /no cluster offers a boot image "tenant-b\/disk"/,
      ],
      [{ ...containerDisk, parameters: [{ name: 'A' }, { name: 'A' }] }, /parameters\.1\.name: "A" is given twice/],
      [{ ...containerDisk, parameters: [{ name: 'ROOT_PASSWORD', default: 'hunter2' }] }, /appears to be a secret/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: '[a-z]{0}' }] }, /is not a valid expression/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: '[abc]{2}' }] }, /is not a valid expression/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: '[z-a]{2}' }] }, /is not a valid expression/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: '[a-z]{256}' }] }, /is not a valid expression/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: '' }] }, /is not a valid expression/],
      [
        { ...containerDisk, parameters: [{ name: 'ROOT_PASSWORD', generatedFrom: 'hunter2' }] },
        /gives the same value each time/,
      ],
      [
        { ...containerDisk, parameters: [{ name: 'a-b' }] },
        /parameters\.0\.name is "a-b"; it must consist of 1 to 63 letters/,
      ],
      [{ ...containerDisk, instancetype: 'U1' }, /instancetype is "U1"; it must consist of lower-case letters, digits/],
      [{ ...containerDisk, guestOs: 'a\u0000b' }, /guestOs/],
      [{ ...containerDisk, guestOs: 'a\ud800b' }, /guestOs/],
      [{ ...containerDisk, parameters: [{ name: 'A', default: '\udfff' }] }, /parameters\.0\.default/],
      [{ ...containerDisk, parameters: [{ name: 'A', generatedFrom: 'x\u0000' }] }, /parameters\.0\.generatedFrom/],
      [{ url: 'https://x.example/\u0000', ...sized, diskSizeGb: 1 }, /definition\.url/],
      [{ ...containerDisk, extra: 1 }, /definition\.extra is not a field/],
    ];

    test('that is checked: what is right is taken', async () => {
      const id = await catalog();
      for (const [i, definition] of good.entries()) {
        const answer = await ask('POST', items(id), { name: `item-${i}`, definition });
        assert.equal(answer.status, 201, answer.text);
      }
    });

    test('that is checked: what is wrong is refused with the reason, and no secret in it', async () => {
      const id = await catalog();
      const made = await ask('POST', items(id), { name: 'right', definition: containerDisk });
      for (const [definition, message] of bad)
        for (const [method, path] of [
          ['POST', items(id)],
          ['PUT', items(id, `/${String(made.body['id'])}`)],
        ] as const) {
          const answer = await ask(method, path, { name: 'wrong', definition });
          assert.equal(answer.status, 400, `${JSON.stringify(definition)} ${answer.text}`);
          assert.match(String(answer.body['message']), message);
          assert.doesNotMatch(answer.text, /hunter2/);
        }
      assert.doesNotMatch(JSON.stringify(api.log), /hunter2/);
    });
  });
});
