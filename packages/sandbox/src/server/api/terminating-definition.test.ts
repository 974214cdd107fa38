import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { definitions, install, looseDefinition } from '../../../../../test/fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { isNotFound } from '@ssvirt/kube/errors';
import type { ResourceType } from '@ssvirt/kube/resource-type';

const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const definition = { name: 'widgets.example.com' };
const widget = { namespace: 'default', name: 'held' };

let cluster: MemberCluster;
before(async () => {
  cluster = await startMemberCluster('terminating');
  await install(cluster.client, looseDefinition('example.com', 'v1', 'Widget', 'widgets'));
});
after(() => cluster?.stop());

test('a definition that is deleted waits for objects with finalizers, which can be taken off meanwhile; nothing new is taken', async () => {
  const { client } = cluster;
  await client.create(widgets, { metadata: { ...widget, finalizers: ['example.com/hold'] } });
  await client.delete(definitions, definition);
  await until('the object is being deleted', async () => {
    const { metadata } = await client.get(widgets, widget);
    return metadata.deletionTimestamp !== undefined;
  });
  await assert.rejects(client.create(widgets, { metadata: { namespace: 'default', name: 'late' } }), {
    kind: 'MethodNotAllowed',
  });
  await client.patch(widgets, widget, { type: 'merge', body: { metadata: { finalizers: null } } });
  await until('the definition is gone', async () => {
    try {
      await client.get(definitions, definition);
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  });
});
