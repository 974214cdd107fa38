/** What must hold while a cluster or the database is down under load, and afterwards. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailableClusters } from '../../processes/api-server.ts';
import { until } from '../../runtime/until.ts';
import type { ReplicaHarness } from './harness.ts';
import { Load, type Heard } from './load.ts';

const deadline = { deadlineMs: 120_000, everyMs: 50 };
/** The longest time for an answer: a connection has 5 s, a statement 30 s, and the host may be busy. */
const longestMs = 45_000;

const isDone = ({ status }: Heard): boolean => status >= 200 && status < 300;
const isUnavailable = ({ status }: Heard): boolean => status === 503;

export interface Outage {
  /** The minimum duration. */
  readonly awayMs: number;
  /** The pause of each caller between two requests. */
  readonly everyMs: number;
}

/** The database is killed. */
export async function databaseOutage(harness: ReplicaHarness, { awayMs, everyMs }: Outage): Promise<void> {
  const load = new Load(harness, everyMs);
  try {
    await until('there is load', () => load.count(isDone) > 12, deadline);
    await harness.database.postgres.kill();
    const before = load.heard.length;
    try {
      await pause(awayMs);
      await until('everybody was told', () => load.count(isUnavailable, before) >= 6, deadline);
      for (const { caller } of harness.replicas) {
        const ready = await caller.ask('GET', '/readyz');
        assert.equal(ready.status, 503);
        assert.equal((await caller.ask('GET', '/healthz')).status, 200);
      }
    } finally {
      await harness.database.postgres.start();
    }
    const after = load.heard.length;
    await until('it goes on', () => load.count(isDone, after) > 12, deadline);
  } finally {
    await load.end();
  }
  requirePoliteness(load.heard);
  assert.deepEqual(await load.lost(), []);
  await harness.agree(load.vdcs);
  assert.deepEqual(
    harness.replicas.flatMap(({ ends }) => ends),
    [],
    'a replica has ended',
  );
}

/** Every answer is a success, or a 503 with Retry-After, and comes in time. */
function requirePoliteness(heard: readonly Heard[]): void {
  const others = heard.filter((one) => !isDone(one) && !(isUnavailable(one) && Number(one.retryAfter) > 0));
  assert.deepEqual(others, []);
  const slow = heard.filter(({ tookMs }) => tookMs > longestMs);
  assert.deepEqual(slow, []);
}

/** The cluster is unreachable. */
export async function clusterOutage(
  harness: ReplicaHarness,
  way: 'cut' | 'silence',
  { awayMs, everyMs }: Outage,
): Promise<void> {
  const [first] = harness.replicas;
  const [changed, deleted] = await harness.made(2);
  const catalog = await makeCatalog(harness);
  const pathOf = (id = ''): string => `${harness.vdcsPath}/urn:vcloud:vdc:${id}`;
  for (const { cluster } of harness.replicas) cluster[way]();
  await until('the cluster is reported as unavailable', async () => (await unavailable(harness)) === 1, deadline);
  const load = new Load(harness, everyMs);
  try {
    const update = await harness.ask(first, 'PUT', pathOf(changed?.id), { body: { vmQuota: 9 } });
    const removal = await harness.ask(first, 'DELETE', pathOf(deleted?.id));
    assert.deepEqual([update.status, removal.status], [202, 202]);
    for (const { body } of [update, removal]) await waits(harness, (body['task'] as { readonly id: string }).id);
    await requireCatalog(harness, catalog);
    await until('there is load', () => load.count(isDone) > 12, deadline);
    await pause(awayMs);
    assert.equal(await unavailable(harness), 1);
  } finally {
    await load.end();
    for (const { cluster } of harness.replicas) cluster.heal();
  }
  assert.deepEqual(
    load.heard.filter((one) => !isDone(one)),
    [],
  );
  await harness.agree([changed?.name ?? '', deleted?.name ?? '', ...load.vdcs]);
  const row = await harness.db
    .selectFrom('vdcs')
    .select('vm_quota')
    .where('name', '=', changed?.name ?? '')
    .execute();
  assert.deepEqual(row, [{ vm_quota: 9 }]);
  assert.deepEqual(await load.lost(), []);
  await Promise.all(harness.replicas.map((replica) => replica.ready()));
  assert.deepEqual(
    harness.replicas.flatMap(({ ends }) => ends),
    [],
    'a replica has ended',
  );
}

async function unavailable({ replicas: [first] }: ReplicaHarness): Promise<number> {
  const answer = await first.caller.ask('GET', '/readyz');
  assert.equal(answer.status, 200);
  return unavailableClusters(answer);
}

async function waits(harness: ReplicaHarness, task: string): Promise<void> {
  let told: unknown;
  const saysSo = async (): Promise<boolean> => {
    const { body } = await harness.ask(harness.replicas[1], 'GET', `/cloudapi/1.0.0/tasks/${task}`);
    told = body;
    return String(body['message']).startsWith('waits for cluster "local": ');
  };
  await until('the task says what it waits for', saysSo, deadline).catch((error: unknown) => {
    throw new Error(`the task says: ${JSON.stringify(told)}`, { cause: error });
  });
}

async function makeCatalog(harness: ReplicaHarness): Promise<string> {
  const [first] = harness.replicas;
  const catalogs = '/cloudapi/1.0.0/catalogs';
  const catalog = await harness.ask(first, 'POST', catalogs, {
    body: { name: `catalog-${Date.now()}`, includesTemplates: true },
  });
  const path = `${catalogs}/${String(catalog.body['id'])}/catalogItems`;
  const definition = { image: 'containerdisks/fedora:42', instancetype: 'u1.small' };
  const item = await harness.ask(first, 'POST', path, { body: { name: 'own', definition } });
  assert.deepEqual([catalog.status, item.status], [201, 201], JSON.stringify(item.body));
  return path;
}

/** Items of the database are shown, and the unavailable clusters are named. */
async function requireCatalog(harness: ReplicaHarness, path: string): Promise<void> {
  const { status, body } = await harness.ask(harness.replicas[0], 'GET', path);
  assert.equal(status, 200);
  const values = body['values'] as readonly { readonly name: string }[];
  assert.ok(values.some(({ name }) => name === 'own'));
  const missing = body['unavailable'] as readonly { readonly cluster: string; readonly message: string }[];
  assert.deepEqual(
    missing.map(({ cluster }) => cluster),
    ['local'],
  );
  assert.notEqual(missing[0]?.message, '');
}
