/** The granted rights, read as text; test/rbac checks them on a kube-apiserver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifests, type Rule } from './manifests.ts';

const rulesIn = (file: string): readonly Rule[] => manifests(file).flatMap(({ rules = [] }) => rules);

for (const file of ['vm-controller.yaml', 'vm-controller-member.yaml'])
  test(`${file} grants no write on a virtual machine, no subresource of one, and nothing by a star`, () => {
    const reading = new Set(['get', 'list', 'watch']);
    for (const { apiGroups, resources, verbs } of rulesIn(file)) {
      assert.ok(![...apiGroups, ...resources, ...verbs].includes('*'), JSON.stringify({ apiGroups, resources, verbs }));
      assert.ok(!apiGroups.includes('subresources.kubevirt.io'));
      if (apiGroups.some((group) => /kubevirt\.io|openshift\.io/.test(group)))
        assert.deepEqual(
          verbs.filter((verb) => !reading.has(verb)),
          [],
        );
    }
  });

test('a member needs of its own cluster what the supervisor needs of its own, and no more', () => {
  const member = manifests('vm-controller-member.yaml').filter(({ kind }) => kind === 'ClusterRole');
  assert.equal(member.length, 2);
  const supervisor = manifests('vm-controller.yaml');
  for (const role of member)
    assert.deepEqual(
      role,
      supervisor.find(({ kind, metadata }) => kind === role.kind && metadata.name === role.metadata.name),
    );
});
