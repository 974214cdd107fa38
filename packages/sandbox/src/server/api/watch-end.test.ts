/** What ends a watch, and that only this watch is affected. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

interface Line {
  readonly type: string;
  readonly object: JsonObject & { metadata: { name?: string; resourceVersion?: string; annotations?: JsonObject } };
}

/** All lines until the server ends the watch. */
async function lines(answer: IncomingMessage): Promise<Line[]> {
  const read: Line[] = [];
  for await (const line of createInterface({ input: answer })) read.push(JSON.parse(line) as Line);
  return read;
}

const configMap = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

const definition = (properties: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
    ],
  },
});

describe('a watch ends', { timeout: 180_000 }, () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await startSandbox()));
  after(() => sandbox.stop());

  const until = async (path: string, code: number): Promise<void> => {
    while ((await sandbox.call('GET', path)).code !== code) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test('when the client wants its objects in a form that they do not have: the writer hears nothing of it', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    const query = 'watch=1&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=';
    const { revision } = sandbox.cluster.store;
    const good = await sandbox.open(`${MAPS}?${query}${revision}`);
    const bad = await sandbox.open(`${MAPS}?${query}${revision}`, { accept });
    const other = await sandbox.open(`${MAPS}?${query}${revision}`);
    assert.equal((await sandbox.call('POST', MAPS, configMap('shown'))).code, 201);
    for (const watch of [good, other]) {
      const names = (await lines(watch))
        .filter(({ type }) => type === 'ADDED')
        .map(({ object }) => object.metadata.name);
      assert.ok(names.includes('shown'), names.join());
    }
    assert.deepEqual(
      (await lines(bad)).map(({ type }) => type),
      ['ERROR'],
    );
  });

  test('when its definition changes or goes', async () => {
    await sandbox.call('POST', DEFINITIONS, definition({}));
    await until(WIDGETS, 200);
    const first = await sandbox.open(`${WIDGETS}?watch=1`);
    const spec = { type: 'object', properties: { size: { type: 'integer' } } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const path = `${DEFINITIONS}/widgets.example.com`;
    assert.equal((await sandbox.call('PATCH', path, definition({ spec }), headers)).code, 200);
    assert.deepEqual(await lines(first), []);
    const second = await sandbox.open(`${WIDGETS}?watch=1`);
    await sandbox.call('DELETE', path);
    assert.deepEqual(await lines(second), []);
    await until(WIDGETS, 404);
  });

  test('when the revision goes back', async () => {
    const watch = await sandbox.open(`${MAPS}?watch=1&resourceVersion=${sandbox.cluster.store.revision}`);
    sandbox.cluster.store.resetRevision(5);
    assert.deepEqual(await lines(watch), []);
    assert.equal((await sandbox.call('POST', MAPS, configMap('after-the-reset'))).code, 201);
  });
});

test('a watch of a kind that was never read before may begin in the past', async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.stop());
  const { revision } = sandbox.cluster.store;
  assert.equal((await sandbox.call('POST', MAPS, configMap('later'))).code, 201);
  const query = `watch=1&timeoutSeconds=1&resourceVersion=${revision}`;
  assert.deepEqual(await lines(await sandbox.open(`/apis/apps/v1/deployments?${query}`)), []);
});

test('an object that leaves the selection is shown as it was, with only its version changed', async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.stop());
  // Controllers also write, so the revision of the new object can only be guessed.
  const create = async (): Promise<string> => {
    const next = String(sandbox.cluster.store.revision + 1);
    const metadata = { labels: { a: 'b' }, annotations: { resourceVersion: next } };
    const created = JSON.parse(
      (await sandbox.call('POST', MAPS, configMap('leaves', metadata))).body,
    ) as Line['object'];
    if (created.metadata.resourceVersion === next) return next;
    await sandbox.call('DELETE', `${MAPS}/leaves`);
    return create();
  };
  const next = await create();
  const watch = await sandbox.open(`${MAPS}?watch=1&labelSelector=a%3Db&timeoutSeconds=1&resourceVersion=${next}`);
  await sandbox.call('PUT', `${MAPS}/leaves`, configMap('leaves'));
  const [left] = await lines(watch);
  const changed = String(((await sandbox.get(`${MAPS}/leaves`)) as Line['object']).metadata.resourceVersion);
  assert.equal(left?.type, 'DELETED');
  assert.equal(left.object.metadata.resourceVersion, changed);
  assert.deepEqual(left.object.metadata.annotations, { resourceVersion: next });
});
