/** The rights of the API server, read as text; test/rbac checks them on a kube-apiserver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifests, type Rule } from '../vm-status/manifests.ts';

const rulesIn = (file: string): readonly Rule[] => manifests(file).flatMap(({ rules = [] }) => rules);
const reading = new Set(['get', 'list', 'watch']);

for (const file of ['api-server.yaml', 'api-server-member.yaml'])
  test(`${file} grants nothing by a star, and no write but those that virtual data centers and machines need`, () => {
    const granted = rulesIn(file).flatMap(({ apiGroups, resources, verbs }) => {
      assert.ok(![...apiGroups, ...resources, ...verbs].includes('*'), JSON.stringify({ apiGroups, resources, verbs }));
      return resources.flatMap((resource) =>
        verbs.filter((verb) => !reading.has(verb)).map((verb) => `${verb} ${resource}`),
      );
    });
    const own = ['patch kubevirtconfigs/status', 'create tokenreviews', 'create subjectaccessreviews'];
    assert.deepEqual(granted.filter((one) => !own.includes(one)).toSorted(), [
      'bind clusterroles',
      'create datavolumes',
      'create limitranges',
      'create namespaces',
      'create networkpolicies',
      'create resourcequotas',
      'create rolebindings',
      'create secrets',
      'create templateconfigs',
      'create templateinstances',
      'create virtualmachines',
      'create virtualmachinetemplates/process',
      'delete datavolumes',
      'delete namespaces',
      'delete rolebindings',
      'delete secrets',
      'delete templateinstances',
      'delete virtualmachines',
      'patch limitranges',
      'patch namespaces',
      'patch networkpolicies',
      'patch resourcequotas',
      'patch rolebindings',
      'patch secrets',
      'patch templateinstances',
      'patch virtualmachines',
      'update virtualmachineinstances/pause',
      'update virtualmachineinstances/reset',
      'update virtualmachineinstances/softreboot',
      'update virtualmachineinstances/unpause',
      'update virtualmachines/addvolume',
      'update virtualmachines/removevolume',
      'update virtualmachines/start',
      'update virtualmachines/stop',
    ]);
  });

test('a Secret is read in the namespace of the KubevirtConfigs, and for the templates of OpenShift', () => {
  const all = [...manifests('api-server.yaml'), ...manifests('api-server-member.yaml')];
  const reads = ({ resources, verbs }: Rule): boolean =>
    resources.includes('secrets') && verbs.some((verb) => reading.has(verb));
  const roles = all.filter(({ rules = [] }) => rules.some(reads));
  assert.deepEqual(new Set(roles.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`)).size, 2);
  assert.deepEqual(
    roles
      .filter(({ metadata }) => metadata.name !== 'ssvirt-api-server-templates')
      .map(({ kind, metadata }) => [kind, metadata.namespace]),
    [['Role', 'kubevirt-configs']],
  );
});

test('rights on Secrets of virtual data centers are in roles that no ClusterRoleBinding names', () => {
  for (const file of ['api-server.yaml', 'api-server-member.yaml']) {
    const all = manifests(file);
    const wide = all.filter(({ kind }) => kind === 'ClusterRoleBinding').map(({ metadata }) => metadata.name);
    const roles = all.filter(
      ({ kind, rules = [] }) => kind === 'ClusterRole' && rules.some(({ resources }) => resources.includes('secrets')),
    );
    assert.deepEqual(
      roles.map(({ metadata }) => metadata.name),
      ['ssvirt-api-server-vdc', 'ssvirt-api-server-templates'],
    );
    for (const { metadata } of roles) assert.ok(!wide.includes(metadata.name), metadata.name);
  }
});

test('a member needs of its own cluster what the supervisor needs of its own, and no more', () => {
  const member = manifests('api-server-member.yaml').filter(({ kind }) => kind === 'ClusterRole');
  assert.equal(member.length, 5);
  const supervisor = manifests('api-server.yaml');
  for (const role of member)
    assert.deepEqual(
      role,
      supervisor.find(({ kind, metadata }) => kind === role.kind && metadata.name === role.metadata.name),
    );
});
