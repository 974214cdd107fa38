/**
 * Requests for every operation of the OpenAPI document, as every role: no 5xx, no status that VCD's clients cannot
 * parse, one error shape, no stack trace, no secret. SSVIRT_TEST_RUNS sets the number of requests per operation,
 * SSVIRT_TEST_SEED the seed.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { roleNames } from '../../../packages/ssvirt/src/api/caller.ts';
import { itemIdOf } from '../../../packages/ssvirt/src/api/catalogs/items/item-id.ts';
import { createCatalogItem } from '../../../packages/ssvirt/src/db/catalogs/catalog-items.ts';
import { testSeed } from '../../chosen.ts';
import { startApi, type Answer, type ApiHarness, type Person } from '../harness.ts';
import { entryOf, offerOf, parameterOf, sourceOf } from '../offers.ts';
import { makeCatalog, makeVapp, makeVdc, makeVm, observe, setCluster } from '../../database/rows.ts';
import { hostileText, type Schema } from './arbitraries.ts';
import { operationsOf, requestOf, type FuzzRequest } from './operations.ts';

const runs = Number(process.env['SSVIRT_TEST_RUNS'] ?? 15);
const seed = testSeed(20_261_116);

/** The statuses that Go's client for VCD parses; it reports any other as an unhandled answer. */
const readable = new Set([200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 503]);

const template = entryOf('pair', {
  parameters: [parameterOf('NAME', { generatedFrom: 'x-[a-z0-9]{8}' })],
  machines: [{ name: '${NAME}', cpuCount: 1, memoryBytes: 2 ** 30 }],
});
const image = entryOf('fedora', { kind: 'DataSource', instancetype: 'u1.small', storageBytes: 2 ** 30 });
const instancetypes = [{ name: 'u1.small', cpus: 1, memoryMb: 2048 }];

suite('every operation of the OpenAPI document', () => {
  let api: ApiHarness;
  const people: Person[] = [];
  const ids: Record<string, readonly string[]> = {};
  before(async () => {
    // The cluster's contents and the state of its VMs are known, so 503 is a defect.
    const entries = [template, image].map((entry) => offerOf(entry));
    api = await startApi({ catalogSource: sourceOf(() => ({ entries, instancetypes, preferences: ['fedora'] })) });
    await setCluster(api.db, { name: 'local', state: 'synced' });
    const home = await api.person('Organization Administrator');
    people.push(home);
    for (const role of roleNames) people.push(await api.person(role, home.organizationId));
    people.push(await api.person('vApp Author'));
    const vdc = await makeVdc(api.db, { organization_id: home.organizationId });
    const catalog = await makeCatalog(api.db, { organization_id: home.organizationId });
    const definition = { image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 64 };
    const item = await createCatalogItem(api.db, { catalog_id: catalog.id, name: 'fedora', definition });
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const vm = await makeVm(api.db, { vapp_id: vapp.id });
    await observe(api.db, vm, 'POWERED_ON');
    Object.assign(ids, {
      user: people.map(({ userId }) => userId),
      org: [home.organizationId],
      vdc: [vdc.id],
      catalog: [catalog.id],
      catalogitem: [item.id, ...[template, image].map((entry) => itemIdOf(catalog.id, entry))],
      vapp: [vapp.id],
      vm: [vm.id],
    });
  });
  after(() => api.stop());

  test('answers anything without a 5xx, a stack trace or a secret', async () => {
    const document = await api.ask<Parameters<typeof operationsOf>[0]>('GET', '/openapi.json');
    const operations = operationsOf(document.body);
    assert.ok(operations.length > 40, `only ${operations.length} operations are documented`);
    const seen = new Map<number, number>();
    for (const operation of operations) {
      await fc.assert(
        fc.asyncProperty(requestOf(operation, known), fc.nat(people.length), async (request, who) => {
          const answer = await api.ask(request.method, ending(request.path), {
            token: people[who]?.token,
            headers: request.headers,
            ...defined({ body: request.body }),
          });
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          check(request, answer);
        }),
        { numRuns: runs, seed, endOnFailure: true },
      );
    }
    // Some requests must get through; otherwise the test has tried only refusals.
    const good = [...seen].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
    assert.ok(good > operations.length, `only ${good} requests were answered: ${JSON.stringify([...seen])}`);
  });

  test('refuses every invalid ticket, whatever it looks like', async () => {
    const ticket = fc.oneof(hostileText, fc.stringMatching(/^[\w-]{43}$/), fc.constantFrom('assets', 'assets/'));
    await fc.assert(
      fc.asyncProperty(ticket, fc.constantFrom('', '/', '/stream', '/stream/', '/x'), async (text, rest) => {
        const path = `/console/${encodeURIComponent(text.toWellFormed())}${rest}`;
        const answer = await api.ask('GET', path);
        const what = `GET ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
        assert.ok([400, 403, 404, 426].includes(answer.status), what);
        assert.doesNotMatch(answer.text, /\n\s+at |node_modules|\.ts:\d+|SELECT /i, what);
      }),
      { numRuns: 4 * runs, seed, endOnFailure: true },
    );
  });

  /** An event stream has no end. */
  function ending(path: string): string {
    if (!/\/events(?:\?|$)/.test(path)) return path;
    const [place = '', query = ''] = path.split('?');
    const rest = query.split('&').filter((one) => one !== '' && !one.startsWith('follow='));
    return `${place}?${[...rest, 'follow=false'].join('&')}`;
  }

  function known({ pattern = '' }: Schema): readonly unknown[] {
    const kind = /urn:vcloud:(\w+):/.exec(pattern)?.[1];
    if (kind === undefined) return [];
    // An object of that kind if there is one, otherwise of another: both existing and missing ids occur.
    return (ids[kind] ?? Object.values(ids).flat()).map((id) => `urn:vcloud:${kind}:${id}`);
  }

  function check({ method, path }: FuzzRequest, { status, text, headers }: Answer): void {
    const what = `${method} ${path} → ${status} ${text.slice(0, 500)}`;
    assert.ok(readable.has(status), what);
    // Only the vm-controller is down here: a 503 from anything else is a defect.
    assert.ok(status !== 503 || path === '/health/controller', what);
    if (path === '/health/controller') return;
    assert.doesNotMatch(text, /\n\s+at |node_modules|\.ts:\d+|\$argon2|password_hash|token_hash|SELECT |kysely/i, what);
    for (const { token } of people) assert.ok(!text.includes(token), `a token is in the answer: ${what}`);
    assert.match(String(headers['x-vmware-vcloud-request-id']), /[0-9a-f-]{36}$/, what);
    if (status >= 400 && String(headers['content-type']).includes('json')) {
      const body = JSON.parse(text) as Record<string, unknown>;
      assert.deepEqual(Object.keys(body).toSorted(), ['message', 'minorErrorCode', 'stackTrace'], what);
      assert.equal(body['stackTrace'], null, what);
    }
  }
});
