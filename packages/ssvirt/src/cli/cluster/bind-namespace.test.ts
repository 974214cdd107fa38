/** The objects that an administrator applies to grant an operator access to a namespace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { bindingManifests } from './bind-namespace.ts';

const process = 'ssvirt-cloudkit-operator';
const parsed = (text: string): readonly unknown[] =>
  parseAllDocuments(text).map((document) => document.toJS() as unknown);

test('a RoleBinding for each namespace, to the account of the operator', () => {
  const text = bindingManifests({ process, accountNamespace: 'elsewhere', namespaces: ['a', 'b'] });
  const name = 'ssvirt-cloudkit-operator-secrets';
  const expected = (namespace: string): object => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'ssvirt' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: process, namespace: 'elsewhere' }],
  });
  assert.deepEqual(parsed(text), [expected('a'), expected('b')]);
});

test('the label that binds the namespace is shown before it, where one is asked for', () => {
  const labels = { 'cloudkit.openshift.io/project': 'orders' };
  const [namespace, binding] = parsed(
    bindingManifests({ process, accountNamespace: 'ssvirt-system', namespaces: ['a'], labels }),
  );
  assert.deepEqual(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels } });
  assert.equal((binding as { kind: string }).kind, 'RoleBinding');
});
