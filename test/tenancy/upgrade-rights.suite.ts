/** The only check that an upgrade from 0.1.0 binds existing VDCs before the API server loses its right on all Secrets. */
// needs: etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { parseAllDocuments } from 'yaml';
import { vdcTypes } from '../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import { childNames } from '../../packages/ssvirt/src/kubevirt/vdc/objects.ts';
import { untilKnown } from '../rbac/known-rights.ts';
import { until } from '../runtime/until.ts';
import { installManifests, manifests, type Manifest, type Rule } from '../vm-status/manifests.ts';
import { machineSettings } from './vm-harness.ts';
import { RightsHarness, user } from './rights-harness.ts';

const file = join(import.meta.dirname, '../../deploy/upgrade/api-server-0.1.0.yaml');
const wideRights = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest);

const [role] = manifests('api-server.yaml').filter(
  ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'ssvirt-api-server',
) as [Manifest];
const withoutBinding = (rule: Rule): Rule =>
  rule.resources.includes('rolebindings') ? { ...rule, verbs: ['get', 'list', 'watch'] } : rule;

let rights: RightsHarness;
before(async () => {
  rights = await RightsHarness.start();
});
after(() => rights?.stop());

test('a VDC that 0.1.0 has made keeps its rights until it is bound, and is bound by the new version', async () => {
  const { client, harness } = rights;
  const bound = await harness.made();
  const told = { cloudInit: { userData: '#cloud-config' } };
  for (const replica of harness.replicas) await replica.stop();
  // The state that 0.1.0 leaves: no RoleBinding in the cluster and in the row, and its rights in all namespaces.
  await client.delete(vdcTypes.RoleBinding, { namespace: bound.namespace, name: childNames.RoleBinding });
  await sql`UPDATE vdc_applied SET objects = objects - 'RoleBinding' WHERE vdc_id = ${bound.id}`.execute(harness.db);
  await installManifests(client, wideRights);
  await untilKnown(client, user, wideRights);
  const may = async (verb: string, group: string, resource: string, namespace: string): Promise<boolean> => {
    const { body } = await client.request({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, resourceAttributes: { verb, group, resource, namespace } },
      },
    });
    return (body as { readonly status: { readonly allowed: boolean } }).status.allowed;
  };
  const mayWrite = (namespace: string): Promise<boolean> => may('create', '', 'secrets', namespace);
  assert.ok(await mayWrite(bound.namespace), 'it is not bound, and 0.1.0 goes on');

  const bindingFails = (fails: boolean): Promise<unknown> =>
    client.request({
      method: 'PATCH',
      path: `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role.metadata.name}`,
      contentType: 'application/merge-patch+json',
      body: { rules: role.rules?.map((rule) => (fails ? withoutBinding(rule) : rule)) },
    });
  await bindingFails(true);
  const mayBind = (): Promise<boolean> => may('patch', 'rbac.authorization.k8s.io', 'rolebindings', bound.namespace);
  await until('binding fails', async () => !(await mayBind()), { deadlineMs: 60_000 });
  const seen = rights.audited().length;
  const asked = (verb: string, resource: string): number =>
    rights
      .audited()
      .slice(seen)
      .filter((one) => one.verb === verb && one.objectRef?.resource === resource).length;
  harness.replica(machineSettings);
  await until(
    'it was to be bound, and the old rights were looked at',
    () =>
      asked('patch', 'rolebindings') > 0 &&
      (asked('list', 'clusterrolebindings') > 1 || asked('delete', 'clusterrolebindings') > 0),
    { deadlineMs: 60_000 },
  );
  assert.equal(asked('delete', 'clusterrolebindings'), 0, 'the old rights stay while it is not bound');
  assert.ok(await mayWrite('kube-system'));

  await bindingFails(false);
  await until('it is bound', async () => (await harness.find(bound, 'RoleBinding')) !== undefined, {
    deadlineMs: 60_000,
  });
  await until('the old rights are gone', async () => !(await mayWrite('kube-system')), { deadlineMs: 60_000 });
  assert.ok(await mayWrite(bound.namespace));
  const { vm } = await harness.orderMade(bound, { spec: told });
  await harness.ended(await harness.delete(vm), 'success');
});
