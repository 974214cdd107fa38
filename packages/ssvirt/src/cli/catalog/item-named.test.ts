import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../api/server.fixture.ts';
import type { ApiClient } from '../api/client.ts';
import { itemNamed } from './item-named.ts';
import { itemPage } from './item-page.ts';

type Item = Parameters<typeof itemPage>[0];

const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const item = (n: number, catalog: string, name: string, kind: string, more: object = {}): Item =>
  ({
    id: `urn:vcloud:catalogitem:${uuid(n)}`,
    name,
    catalog: { name: catalog, id: `urn:vcloud:catalog:${catalog}` },
    source: { kind },
    ...more,
  }) as unknown as Item;

const all = [
  item(1, 'Images', 'fedora', 'DataSource'),
  item(2, 'Templates', 'fedora', 'Template'),
  item(3, 'Templates', 'fedora', 'VirtualMachineTemplate'),
  item(4, 'Templates', 'shop', 'Template'),
];

/** A server with two catalogs, which knows filters by name and by id. */
function serverOf(context: Parameters<typeof clientOf>[0]): Promise<ApiClient> {
  return clientOf(context, (request, response) => {
    const url = new URL(request.url ?? '', 'http://server');
    const filter = url.searchParams.get('filter') ?? '';
    const catalog = /catalogs\/urn:vcloud:catalog:(\w+)\//.exec(decodeURIComponent(url.pathname))?.[1];
    const things =
      catalog === undefined
        ? ['Images', 'Templates'].map((name) => ({ name, org: { name: 'demo' }, id: `urn:vcloud:catalog:${name}` }))
        : all.filter((one) => one.catalog.name === catalog);
    const values = things.filter(
      ({ name, id }) => filter === '' || filter === `name==${name}` || filter === `id==${id}`,
    );
    response.end(JSON.stringify({ pageCount: 1, values }));
  });
}

test('an item is named alone, with its catalog in one word or two, or by its URN', async (context) => {
  const client = await serverOf(context);
  const shop = all[3];
  for (const given of [['shop'], ['Templates/shop'], ['Templates', 'shop'], [shop?.id ?? ''], [uuid(4)]] as const)
    assert.equal((await itemNamed(client, given[0], given[1])).id, shop?.id, given.join(' '));
  await assert.rejects(itemNamed(client, 'none'), /no catalog has an item "none"/);
});

test('an ambiguous name lists the catalogs, kinds and URNs', async (context) => {
  const client = await serverOf(context);
  await assert.rejects(itemNamed(client, 'fedora'), ({ message }: Error) => {
    assert.match(message, /^several items have the name "fedora": give CATALOG\/ITEM, or the URN\.\n/);
    assert.match(message, /^ {2}Images\/fedora +DataSource +urn:vcloud:catalogitem:/m);
    assert.match(message, /^ {2}Templates\/fedora +VirtualMachineTemplate +urn:/m);
    return true;
  });
  await assert.rejects(
    itemNamed(client, 'Templates/fedora'),
    /Templates, Template +urn:[\s\S]*Templates, VirtualMachineTemplate +urn:/,
  );
});

test('the page of an item has a table of its parameters', () => {
  const parameter = { displayName: '', description: '', hasDefault: false, required: false };
  const page = itemPage(
    item(4, 'Templates', 'shop', 'Template', {
      status: 'UNAVAILABLE',
      statusMessage: 'No cluster offers it.',
      entity: { numberOfVMs: 2, numberOfCpus: 2, memoryAllocation: 2 ** 31 },
      description: '',
      isDeprecated: false,
      parameters: [
        { ...parameter, name: 'NAME', required: true, description: 'of the shop' },
        { ...parameter, name: 'SIZE', required: true, hasDefault: true, default: 'S' },
        { ...parameter, name: 'PASSWORD', required: true, generatedFrom: '[a-z]{8}' },
        { ...parameter, name: 'SECRET', hasDefault: true },
      ],
    }),
  );
  assert.equal(
    page,
    `Catalog item Templates/shop
  status  UNAVAILABLE: No cluster offers it.
  kind    Template
  VMs     2
  size    2 CPU, 2048 MB
  id      urn:vcloud:catalogitem:${uuid(4)}

Parameters
  NAME      REQUIRED  DEFAULT    DESCRIPTION
  NAME      yes       -          of the shop
  SIZE      no        S          -
  PASSWORD  no        generated  -
  SECRET    no        hidden     -
`,
  );
});
