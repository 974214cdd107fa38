import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../api/server.fixture.ts';
import { EntityNames } from './entity-names.ts';

const vm = 'urn:vcloud:vm:1';
const at = '2026-01-31T12:00:00.000Z';

test('a name is asked for once, and again when the thing itself was changed', async (context) => {
  const asked: string[] = [];
  let name = 'web';
  const client = await clientOf(context, ({ url = '' }, response) => {
    asked.push(url);
    response.end(JSON.stringify({ id: vm, name }));
  });
  const names = new EntityNames(client);
  assert.equal(await names.of({ type: 'vm', operation: 'created', id: vm, at }), 'web');
  assert.equal(await names.of({ type: 'vm', operation: 'observed', id: vm, at, status: 'POWERED_ON' }), 'web');
  const owner = { id: vm };
  assert.equal(await names.of({ type: 'task', operation: 'updated', id: 'urn:vcloud:task:1', owner, at }), 'web');
  assert.deepEqual(asked, [`/cloudapi/1.0.0/vms/${encodeURIComponent(vm)}`]);
  name = 'shop';
  assert.equal(await names.of({ type: 'vm', operation: 'updated', id: vm, at }), 'shop');
});

test('what is gone, and what has no name, has none; a cluster says its own', async (context) => {
  const client = await clientOf(context, (_, response) => response.writeHead(403).end('{"message":"Not there."}'));
  const names = new EntityNames(client);
  assert.equal(await names.of({ type: 'vm', operation: 'deleted', id: vm, at }), undefined);
  assert.equal(
    await names.of({ type: 'catalogItem', operation: 'created', id: 'urn:vcloud:catalogitem:1', at }),
    undefined,
  );
  assert.equal(await names.of({ type: 'cluster', operation: 'updated', name: 'east', at }), 'east');
});
