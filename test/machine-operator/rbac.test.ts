/** The rights of the machine-operator, read as text; test/rbac checks them on a kube-apiserver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf, starred, writesOf } from '../rbac/granted.ts';
import { manifests, type Manifest } from '../vm-status/manifests.ts';

const supervisor = manifests('machine-operator.yaml');
const member = manifests('machine-operator-member.yaml');
const rolesOf = (all: readonly Manifest[]): readonly Manifest[] => all.filter(({ kind }) => kind === 'ClusterRole');

const made = [
  'bind clusterroles',
  'create datavolumes',
  'create datavolumes/source',
  'create namespaces',
  'create network-attachment-definitions',
  'create persistentvolumeclaims',
  'create rolebindings',
  'create secrets',
  'create virtualmachines',
  'delete datavolumes',
  'delete network-attachment-definitions',
  'delete persistentvolumeclaims',
  'delete rolebindings',
  'delete secrets',
  'delete virtualmachineinstances',
  'delete virtualmachines',
  'patch datavolumes',
  'patch network-attachment-definitions',
  'patch persistentvolumeclaims',
  'patch rolebindings',
  'patch secrets',
  'patch virtualmachineinstances',
  'patch virtualmachines',
  'update virtualmachines/restart',
  'update virtualmachines/start',
];

test('nothing is granted by a star', () => {
  assert.deepEqual(starred('machine-operator.yaml', 'machine-operator-member.yaml'), []);
});

test('in a member it writes what Machines become, and nothing else', () => {
  assert.deepEqual(writesOf(member), made);
});

test('in the supervisor it writes only the statuses and events of Machines and clusters, its Lease and reviews', () => {
  const others = writesOf(supervisor).filter((one) => !made.includes(one));
  assert.deepEqual(others, [
    'create events',
    'create leases',
    'create subjectaccessreviews',
    'create tokenreviews',
    'patch events',
    'patch kubevirtconfigs',
    'patch kubevirtconfigs/status',
    'patch machines',
    'patch machines/status',
    'patch networkconfigurations/status',
    'update leases',
    'update machines/finalizers',
  ]);
});

test('a member needs of its own cluster what the supervisor needs of its own, and namespaces', () => {
  assert.deepEqual(
    rolesOf(member).map(({ metadata }) => metadata.name),
    [
      'ssvirt-machine-operator',
      'ssvirt-machine-operator-namespaces',
      'ssvirt-machine-operator-secrets',
      'ssvirt-machine-operator-cluster',
    ],
  );
  // In the supervisor administrators bind the role for Secrets, and namespaces exist.
  const shared = rolesOf(member).filter(({ metadata }) => metadata.name !== 'ssvirt-machine-operator-namespaces');
  for (const role of shared)
    assert.deepEqual(
      role,
      rolesOf(supervisor).find(({ metadata }) => metadata.name === role.metadata.name),
    );
});

test('the role for Secrets is bound nowhere: that is done in single namespaces', () => {
  for (const all of [supervisor, member]) {
    const bindings = all.filter(({ kind = '' }) => kind.endsWith('Binding'));
    const bound = bindings.map((one) => (one as unknown as { roleRef: { name: string } }).roleRef.name);
    assert.ok(bound.length > 0 && !bound.includes('ssvirt-machine-operator-secrets'));
  }
});

test('a supervisor that runs no machines of its own can do without the rights to make them', () => {
  const unneeded = ['ssvirt-machine-operator', 'ssvirt-machine-operator-secrets'];
  const without = supervisor.filter(({ metadata: { name = '' } }) => !unneeded.includes(name));
  assert.deepEqual(
    writesOf(without).filter((one) => made.includes(one)),
    [],
  );
  const identity = rulesOf(without).find(({ resourceNames = [] }) => resourceNames.includes('kube-system'));
  assert.deepEqual(identity?.verbs, ['get']);
});
