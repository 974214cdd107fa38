/** The scale subresource over HTTP, with the requests of `kubectl scale` and `kubectl get --subresource=scale`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const created = await sandbox.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  assert.equal(created.code, 201, created.body);
});
after(async () => {
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

const WEB = '/apis/apps/v1/namespaces/default/deployments/web';
const TABLE = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

interface Table {
  readonly kind: string;
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: { readonly metadata: JsonObject } }[];
}

test('a scale is shown as a table to whoever asks for one', async () => {
  const { code, body } = await sandbox.call('GET', `${WEB}/scale`, undefined, TABLE);
  assert.equal(code, 200);
  const { kind, columnDefinitions, rows } = JSON.parse(body) as Table;
  assert.equal(kind, 'Table');
  assert.deepEqual(
    columnDefinitions.map(({ name }) => name),
    ['Name', 'Desired', 'Available', 'Age'],
  );
  assert.deepEqual(rows[0]?.cells.slice(0, 3), ['web', 2, 0]);
  assert.equal(rows[0].object.metadata['managedFields'], undefined);
});

test('a scale is written through, and seen in the workload', async () => {
  const patched = await sandbox.call('PATCH', `${WEB}/scale`, { spec: { replicas: 5 } });
  assert.equal(patched.code, 200, patched.body);
  const scale = JSON.parse(patched.body) as JsonObject;
  assert.deepEqual([scale['kind'], scale['spec']], ['Scale', { replicas: 5 }]);
  const web = await sandbox.get(WEB);
  assert.equal((web['spec'] as JsonObject)['replicas'], 5);
});
