import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { refusal, TestCluster } from './cluster.fixture.ts';

const cluster = new TestCluster();
before(() => cluster.namespace('ns'));

let count = 0;
const service = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ns', name: `s${count++}` },
  spec: { ports: [{ port: 80 }], ...spec },
});
const address = (object: KubeObject): string => textAt(objectAt(object, 'spec'), 'clusterIP');
const nodePort = (object: KubeObject): unknown => listAt(objectAt(object, 'spec'), 'ports')[0]?.['nodePort'];

test('a Service is given an address of the range, above those that are asked for by number', async () => {
  const created = await cluster.create(service());
  const [a, b, c] = address(created).split('.').map(Number);
  assert.ok(a === 10 && b !== undefined && b >= 96 && b <= 111, address(created));
  assert.ok(b > 96 || (c ?? 0) > 0, address(created));
  assert.deepEqual(objectAt(created, 'spec')?.['clusterIPs'], [address(created)]);
});

test('a dry run is given the dummies of kube-apiserver', async () => {
  const created = await cluster.create(service({ type: 'NodePort' }), { dryRun: true });
  assert.equal(address(created), '10.96.0.0');
  assert.equal(nodePort(created), 32769);
});

test('each port of a dry run is given another dummy', async () => {
  const ports = [1, 2, 3].map((port) => ({ name: `p${port}`, port }));
  const created = await cluster.create(service({ type: 'NodePort', ports }), { dryRun: true });
  const given = listAt(objectAt(created, 'spec'), 'ports').map((port) => port['nodePort']);
  assert.deepEqual(given, [32769, 32770, 32771]);
});

const refused = [
  { reason: 'the address of the API server', clusterIP: '10.96.0.1', why: 'provided IP is already allocated' },
  { reason: 'an address outside', clusterIP: '10.1.0.1', why: 'the provided network does not match the current range' },
  {
    reason: "the network's address",
    clusterIP: '10.96.0.0',
    why: 'the provided network does not match the current range',
  },
  {
    reason: 'the broadcast address',
    clusterIP: '10.111.255.255',
    why: 'the provided network does not match the current range',
  },
];
for (const { reason, clusterIP, why } of refused) {
  test(`${reason} cannot be had`, async () => {
    const wanted = service({ clusterIP });
    const error = await refusal(cluster.create(wanted));
    const name = (wanted['metadata'] as JsonObject)['name'];
    assert.equal(
      error.message,
      `Service "${String(name)}" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: ${why}`,
    );
  });
}

test('an address is free again when its Service is gone', async () => {
  const first = await cluster.create(service({ clusterIP: '10.96.0.77' }));
  assert.match(
    (await refusal(cluster.create(service({ clusterIP: '10.96.0.77' })))).message,
    /provided IP is already allocated$/,
  );
  await cluster.delete(first);
  assert.equal(address(await cluster.create(service({ clusterIP: '10.96.0.77' }))), '10.96.0.77');
});

test('node ports are held one by one', async () => {
  const asked = { type: 'NodePort', ports: [{ port: 80, nodePort: 30100 }] };
  const first = await cluster.create(service(asked));
  assert.match(
    (await refusal(cluster.create(service(asked)))).message,
    /spec\.ports\[0\]\.nodePort: Invalid value: 30100: provided port is already allocated$/,
  );
  const low = service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] });
  assert.match(
    (await refusal(cluster.create(low))).message,
    /provided port is not in the valid range\. The range of valid ports is 30000-32767$/,
  );
  await cluster.update(first, (live) => (live['spec'] = { type: 'ClusterIP', ports: [{ port: 80 }] }));
  assert.equal(nodePort(await cluster.create(service(asked))), 30100);
});

test('Services that are created at the same time get different ports, and only one gets the address that all want', async () => {
  const results = await Promise.all(Array.from({ length: 200 }, () => cluster.create(service({ type: 'NodePort' }))));
  assert.equal(new Set(results.map(nodePort)).size, 200);
  assert.equal(new Set(results.map(address)).size, 200);
  const wishes = await Promise.allSettled(
    Array.from({ length: 5 }, () => cluster.create(service({ clusterIP: '10.96.0.99' }))),
  );
  assert.equal(wishes.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('an update keeps what was given', async () => {
  const created = await cluster.create(service());
  const updated = await cluster.update(created, (live) => (live['spec'] = { ports: [{ port: 81 }] }));
  assert.equal(address(updated), address(created));
});
