import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotations, labels } from '../../../kubevirt/machine/resource.ts';
import { mayBeBound } from './namespace.ts';

type Found = Parameters<typeof mayBeBound>[0];

const supervisor = '5b0b9a4e-0000-4000-8000-00000000a001';
const created = { [labels.supervisor]: supervisor };
const opened = { [annotations.allowMachines]: 'true' };
const namespace = (name: string, own: Readonly<Record<string, string>> = {}): Found => ({
  metadata: { name, labels: own },
});

test('a namespace that allows no Machines is never bound in a member, and does not keep the rights of 0.1.0', () => {
  assert.equal(mayBeBound(namespace('team-a', created), supervisor), true);
  assert.equal(mayBeBound(namespace('team-a', opened), supervisor), true);
  assert.equal(mayBeBound(namespace('team-a'), supervisor), false);
  assert.equal(mayBeBound(undefined, supervisor), false);
});

test('a namespace of the supervisor needs no mark', () => {
  assert.equal(mayBeBound(namespace('team-a'), undefined), true);
});

test('a namespace of the cluster is never bound', () => {
  for (const name of ['kube-system', 'openshift-config', 'kubevirt', 'kubevirt-configs']) {
    assert.equal(mayBeBound(namespace(name), undefined), false, name);
    assert.equal(mayBeBound(namespace(name, opened), supervisor), false, name);
  }
});
