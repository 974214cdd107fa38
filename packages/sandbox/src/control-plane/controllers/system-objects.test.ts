import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, until } from '../admission/cluster.fixture.ts';
import type { KubeObject } from '../../values/json.ts';
import { objectAt } from '../../objects/kinds/values/fields.ts';
import { advertisedAddress } from './advertised-address.ts';
import { SystemObjects } from './system-objects.ts';

const named = (apiVersion: string, kind: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { namespace: 'default', name: 'kubernetes' },
});
const SERVICE = named('v1', 'Service');
const ENDPOINTS = named('v1', 'Endpoints');
const SLICE = named('discovery.k8s.io/v1', 'EndpointSlice');

async function furnished(port: number, cluster = new TestCluster()): Promise<TestCluster> {
  if (cluster.store.table('/namespaces').size === 0) {
    await cluster.namespace('default');
    await cluster.namespace('kube-system');
  }
  const address = { clusterIP: '10.96.0.1', port, advertised: '192.0.2.7' };
  const system = new SystemObjects(cluster.store, cluster.client, address, (error) => assert.fail(String(error)));
  cluster.run(system);
  await system.ensure();
  return cluster;
}

test('the API server has a Service with its endpoint from the first moment', async () => {
  const cluster = await furnished(6443);
  const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }];
  assert.deepEqual(objectAt(cluster.get(SERVICE), 'spec'), {
    ports,
    clusterIP: '10.96.0.1',
    clusterIPs: ['10.96.0.1'],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  });
  assert.deepEqual(cluster.get(ENDPOINTS)['subsets'], [
    { addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  assert.deepEqual(cluster.get(SLICE)['endpoints'], [{ addresses: ['192.0.2.7'], conditions: { ready: true } }]);
  assert.equal(cluster.store.table('scheduling.k8s.io/priorityclasses').size, 2);
  const [tracking] = cluster.store.table('/configmaps').range('kube-system/');
  assert.equal(tracking?.name, 'kube-apiserver-legacy-service-account-token-tracking');
  cluster.stop();
});

test('after a restart on another port the same objects say the new one', async () => {
  const cluster = await furnished(6443);
  const { uid } = cluster.get(SERVICE).metadata;
  cluster.stop();
  await furnished(7443, cluster);
  assert.equal(cluster.get(SERVICE).metadata.uid, uid);
  for (const object of [SERVICE, ENDPOINTS, SLICE]) assert.match(JSON.stringify(cluster.get(object)), /:7443\b/);
  for (const object of [SERVICE, ENDPOINTS, SLICE]) assert.doesNotMatch(JSON.stringify(cluster.get(object)), /:6443\b/);
  cluster.stop();
});

test('what is deleted of them comes back', async () => {
  const cluster = await furnished(6443);
  for (const object of [SERVICE, SLICE]) {
    const { uid } = cluster.get(object).metadata;
    await cluster.delete(cluster.get(object));
    await until(`a new ${object.kind}`, () => ![undefined, uid].includes(cluster.find(object)?.metadata.uid));
  }
  cluster.stop();
});

test('an address of its own is advertised as it is', () => {
  assert.equal(advertisedAddress('192.0.2.7'), '192.0.2.7');
  assert.equal(advertisedAddress('2001:db8::1'), '2001:db8::1');
  for (const host of ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'])
    assert.doesNotMatch(advertisedAddress(host) ?? '', /^(?:127\.|0\.0|::)/);
});
