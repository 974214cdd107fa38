import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import { addresses, addressOf, askedAddress, wantsAddress } from './addresses.ts';

const service = (spec: object, status: object = {}): Unstructured => ({ metadata: { name: 's' }, spec, status });

test('addresses are those of documentation, each once', () => {
  const all = [...addresses()];
  assert.equal(all[0], '192.0.2.1');
  assert.equal(all[254], '198.51.100.1');
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.length > 100_000);
});

test('load balancers want an address, unless another class gives it', () => {
  assert.equal(wantsAddress(service({ type: 'LoadBalancer' })), true);
  assert.equal(wantsAddress(service({ type: 'ClusterIP' })), false);
  assert.equal(wantsAddress(service({ type: 'LoadBalancer', loadBalancerClass: 'x/y' })), false);
  assert.equal(askedAddress(service({ loadBalancerIP: '192.0.2.9' })), '192.0.2.9');
  assert.equal(askedAddress(service({})), undefined);
  assert.equal(addressOf(service({}, { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } })), '192.0.2.7');
});
