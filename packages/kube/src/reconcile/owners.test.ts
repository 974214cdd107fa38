import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, OwnerReference } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import {
  childrenSelector,
  controllerOf,
  isChildOf,
  isControlledBy,
  OwnerError,
  parentMarks,
  parentOf,
  withController,
  type Placed,
} from './owners.ts';

const machines: ResourceType<KubeObject> = {
  group: 'vitistack.io',
  version: 'v1alpha1',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};
const configMaps: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
const clusterKind = { ...configMaps, kind: 'Thing', plural: 'things', namespaced: false };
const machine: KubeObject = { metadata: { namespace: 'lab', name: 'm1', uid: 'u1' } };
const owner: Placed = { cluster: 'one', type: machines, object: machine };
const child: KubeObject = { metadata: { namespace: 'lab', name: 'c1' } };
const here = { cluster: 'one', type: configMaps };
const reference: OwnerReference = {
  apiVersion: 'vitistack.io/v1alpha1',
  kind: 'Machine',
  name: 'm1',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
};

test('P4: a controller reference names the owner and says that it controls', () => {
  const owned = withController(child, here, owner);
  assert.deepEqual(owned.metadata.ownerReferences, [reference]);
  assert.deepEqual(withController(owned, here, owner), owned, 'twice is once');
  assert.deepEqual(controllerOf(owned), reference);
  assert.equal(isControlledBy(owned, machine), true);
  assert.equal(isControlledBy(child, machine), false);
});

test('P4: other owners stay, a second controller is refused', () => {
  const other = { ...reference, name: 'm2', uid: 'u2' };
  const guest = { ...other, controller: false };
  const withGuest = { metadata: { ...child.metadata, ownerReferences: [guest] } };
  assert.deepEqual(withController(withGuest, here, owner).metadata.ownerReferences, [guest, reference]);
  const controlled = { metadata: { ...child.metadata, ownerReferences: [other] } };
  assert.throws(() => withController(controlled, here, owner), /"lab\/c1" by Machine "m1": Machine "m2" controls it/);
});

const impossible: readonly [string, KubeObject, Omit<Placed, 'object'>, Placed, RegExp][] = [
  ['in another cluster', child, { ...here, cluster: 'two' }, owner, /different clusters, two and one/],
  ['in another namespace', { metadata: { namespace: 'x', name: 'c1' } }, here, owner, /different namespaces/],
  ['without a namespace', { metadata: { name: 'c1' } }, { cluster: 'one', type: clusterKind }, owner, /cluster-scoped/],
  [
    'of an owner without a uid',
    child,
    here,
    { ...owner, object: { metadata: { namespace: 'lab', name: 'm1' } } },
    /without a uid/,
  ],
];
for (const [what, one, at, by, message] of impossible) {
  test(`P4: a child ${what} cannot be owned`, () => {
    assert.throws(
      () => withController(one, at, by),
      (error) => error instanceof OwnerError && message.test(error.message),
    );
  });
}

test('P4: a cluster-scoped owner may own a namespaced object', () => {
  const thing: Placed = { cluster: 'one', type: clusterKind, object: { metadata: { name: 't', uid: 'u9' } } };
  assert.equal(withController(child, here, thing).metadata.ownerReferences?.[0]?.uid, 'u9');
});

test('a child in another cluster finds its parent, and is found, by its marks', () => {
  const marked = { metadata: { namespace: 'elsewhere', name: 'c1', ...parentMarks(machines, machine) } };
  assert.deepEqual(parentOf(marked, machines), { namespace: 'lab', name: 'm1' });
  assert.equal(parentOf(marked, configMaps), undefined, 'a parent of another kind');
  assert.equal(parentOf(child, machines), undefined);
  assert.equal(isChildOf(marked, machine), true);
  const namesake = { metadata: { ...machine.metadata, uid: 'u2' } };
  assert.equal(isChildOf(marked, namesake), false, 'a new parent of the same name is another one');
  assert.equal(childrenSelector(machine), 'ssvirt.io/parent-uid=u1');
});
