/** The rights of the cloudkit-operator, read as text; test/rbac checks them on a kube-apiserver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rightsOf, rulesOf, starred, writesOf } from '../rbac/granted.ts';
import { manifests, type Manifest } from '../vm-status/manifests.ts';

const all = manifests('cloudkit-operator.yaml');
const isOf = (ending: string, { kind = '' }: Manifest): boolean => kind.endsWith(ending);
const role = (name: string): readonly Manifest[] => {
  const found = all.filter((one) => isOf('Role', one) && one.metadata.name === name);
  assert.equal(found.length, 1, name);
  return found;
};

test('nothing is granted by a star', () => {
  assert.deepEqual(starred('cloudkit-operator.yaml'), []);
});

test('it writes what orders become, and nothing else', () => {
  assert.deepEqual(writesOf(role('ssvirt-cloudkit-operator')), [
    ...['configmaps', 'datavolumes', 'persistentvolumeclaims', 'services', 'virtualmachines'].map(
      (one) => `create ${one}`,
    ),
    'delete configmaps',
    'delete datavolumes',
    'delete persistentvolumeclaims',
    'delete services',
    'delete virtualmachineinstances',
    'delete virtualmachines',
    ...['configmaps', 'datavolumes', 'persistentvolumeclaims', 'services', 'virtualmachines'].map(
      (one) => `patch ${one}`,
    ),
  ]);
});

test('Secrets are in a role of their own, which administrators bind in single namespaces', () => {
  assert.deepEqual(writesOf(role('ssvirt-cloudkit-operator-secrets')), [
    'create secrets',
    'delete secrets',
    'patch secrets',
  ]);
  const names = all.filter((one) => isOf('Binding', one)).map(({ metadata }) => metadata.name);
  assert.ok(!names.includes('ssvirt-cloudkit-operator-secrets'));
});

test('it neither makes nor deletes orders, and tells of them in their status and by events', () => {
  assert.deepEqual(rightsOf(role('ssvirt-cloudkit-operator-orders')), [
    'create events',
    'get ordertemplates',
    'get virtualmachines',
    'list ordertemplates',
    'list virtualmachines',
    'patch events',
    'patch ordertemplates/status',
    'patch virtualmachines',
    'patch virtualmachines/status',
    'update virtualmachines/finalizers',
    'watch ordertemplates',
    'watch virtualmachines',
  ]);
});

test('beside that it asks who may read its metrics, and holds one Lease in its own namespace', () => {
  assert.deepEqual(rightsOf(role('ssvirt-cloudkit-operator-metrics')), [
    'create subjectaccessreviews',
    'create tokenreviews',
  ]);
  const [leader] = role('ssvirt-cloudkit-operator-leader');
  assert.equal(leader?.kind, 'Role');
  assert.equal(leader.metadata.namespace, 'ssvirt-system');
  assert.deepEqual(rightsOf([leader]), ['create leases', 'get leases', 'update leases']);
  const named = rulesOf([leader]).filter(({ verbs }) => !verbs.includes('create'));
  assert.deepEqual(
    named.map(({ resourceNames }) => resourceNames),
    [['ssvirt-cloudkit-operator']],
  );
});

test('every role except that for Secrets is bound to its account, and to no other', () => {
  const bindings = all.filter((one) => isOf('Binding', one)) as unknown as readonly (Manifest & {
    readonly roleRef: { readonly kind: string; readonly name: string };
    readonly subjects: readonly object[];
  })[];
  const roles = all.filter((one) => isOf('Role', one) && one.metadata.name !== 'ssvirt-cloudkit-operator-secrets');
  assert.deepEqual(
    bindings.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`),
    roles.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  for (const { subjects } of bindings)
    assert.deepEqual(subjects, [
      { kind: 'ServiceAccount', name: 'ssvirt-cloudkit-operator', namespace: 'ssvirt-system' },
    ]);
});
