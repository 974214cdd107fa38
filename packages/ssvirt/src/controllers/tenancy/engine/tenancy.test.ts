/** VDCs from their rows to a cluster, and back to the desired state whatever users change there. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { makeVapp, makeVm } from '../../../../../../test/database/rows.ts';
import { virtualMachines } from '../../../../../../test/fleet/harness.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { specOf, TenancyHarness } from '../../../../../../test/tenancy/harness.ts';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { askForVdcRemoval } from '../../../db/vdcs/vdc-removal-request.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import { labels } from '../../../kubevirt/vdc/labels.ts';
import { childKinds, childNames } from '../../../kubevirt/vdc/objects.ts';
import { vdcTypes } from '../vdcs/vdc-types.ts';

// Each test has a VDC of its own, and most of its time is spent waiting for the cluster.
suite('a virtual data center in its cluster', { concurrency: 6 }, () => {
  let harness: Awaited<ReturnType<typeof TenancyHarness.start>>;
  before(async () => {
    harness = await TenancyHarness.start();
    harness.replica();
  });
  after(() => harness?.stop());

  test('is made: namespace, quota, limits, isolation, and the task ends well', async () => {
    const { vdc, task } = await harness.create({ name: 'Web team', vm_quota: 3, storage_limit_mb: 1000 });
    const ended = await harness.ended(task, 'success');
    assert.equal(ended.progress, 100);
    assert.notEqual(ended.started_at, null);
    const namespace = await harness.find(vdc, 'Namespace');
    assert.equal(namespace?.metadata.labels?.[labels.vdcId], vdc.id);
    assert.equal(namespace?.metadata.labels?.[labels.installationId], await installationId(harness.db));
    assert.equal(namespace?.metadata.annotations?.[labels.vdc], 'Web team');
    assert.deepEqual(specOf(await harness.find(vdc, 'ResourceQuota'))['hard'], {
      'count/virtualmachines.kubevirt.io': '3',
      'requests.storage': '3375Mi',
    });
    for (const kind of childKinds) assert.ok(await harness.find(vdc, kind), kind);
    const applied = await harness.db
      .selectFrom('vdc_applied')
      .selectAll()
      .where('vdc_id', '=', vdc.id)
      .executeTakeFirst();
    assert.equal(applied?.ready, true);
    assert.equal(applied?.namespace_uid, namespace?.metadata.uid);
  });

  test('gets its quota back when a user edits it', async () => {
    const vdc = await harness.made({ vm_quota: 3 });
    await harness.cluster.client.patch(
      vdcTypes.ResourceQuota,
      { namespace: vdc.namespace, name: 'vdc-quota' },
      { type: 'merge', body: { spec: { hard: { 'count/virtualmachines.kubevirt.io': '99', pods: '1' } } } },
    );
    await until('the quota is as asked for', async () => {
      const hard = specOf(await harness.find(vdc, 'ResourceQuota'))['hard'];
      return isDeepStrictEqual(hard, { 'count/virtualmachines.kubevirt.io': '3' });
    });
  });

  test('gets its RoleBinding back when a user gives it to others, or puts another role in its place', async () => {
    const vdc = await harness.made();
    const { client } = harness.cluster;
    const key = { namespace: vdc.namespace, name: childNames.RoleBinding };
    const made = (await harness.find(vdc, 'RoleBinding')) as Unstructured;
    const isBack = async (): Promise<boolean> => {
      const found = await harness.find(vdc, 'RoleBinding');
      return isDeepStrictEqual([found?.['roleRef'], found?.['subjects']], [made['roleRef'], made['subjects']]);
    };
    const others = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'everybody' }];
    await client.patch(vdcTypes.RoleBinding, key, { type: 'merge', body: { subjects: others } });
    await until('it is given to the API server alone', isBack);
    const metadata = { ...key, labels: made.metadata.labels ?? {} };
    const roleRef = { ...(made['roleRef'] as object), name: 'view' };
    await until('another stands in its place', async () => {
      await client.delete(vdcTypes.RoleBinding, key).catch(() => undefined);
      const other = { metadata, roleRef, subjects: others } as KubeObject;
      return client.create(vdcTypes.RoleBinding, other).then(
        () => true,
        () => false,
      );
    });
    await until('the role is ours', isBack);
  });

  for (const kind of childKinds)
    test(`gets its ${kind} back when a user deletes it`, async () => {
      const vdc = await harness.made();
      const first = await harness.find(vdc, kind);
      const key = { namespace: vdc.namespace, name: first?.metadata.name ?? '' };
      await harness.cluster.client.delete(vdcTypes[kind], key);
      await until('there is another', async () => {
        const found = await harness.find(vdc, kind);
        return found !== undefined && found.metadata.uid !== first?.metadata.uid;
      });
    });

  test('gets its labels back, those too by which it is found', async () => {
    const vdc = await harness.made();
    // Waits until the events of the creation have been handled, because they would lead to the same result.
    const later = { [labels.managedBy]: 'ssvirt', [labels.installationId]: await installationId(harness.db) };
    const ofNobody = { ...later, [labels.vdcId]: '00000000-0000-4000-8000-0000000000bb' };
    await harness.cluster.client.create(vdcTypes.Namespace, { metadata: { name: 'later', labels: ofNobody } });
    await until('what came later was looked at', () => harness.lines.some(({ namespace }) => namespace === 'later'));
    // Without the first label the watch cannot tell the VDC; without the second the namespace is not watched at all.
    for (const lost of [{ [labels.vdcId]: null }, { [labels.vdcId]: null, [labels.managedBy]: null }]) {
      const gone = { ...lost, 'pod-security.kubernetes.io/enforce': 'restricted' };
      await harness.cluster.client.patch(
        vdcTypes.Namespace,
        { name: vdc.namespace },
        { type: 'merge', body: { metadata: { labels: gone } } },
      );
      await until('the labels are back', async () => {
        const found = (await harness.find(vdc, 'Namespace'))?.metadata.labels;
        return found?.[labels.vdcId] === vdc.id && found['pod-security.kubernetes.io/enforce'] === 'baseline';
      });
    }
  });

  test('is made again when a user deletes its namespace', async () => {
    const vdc = await harness.made();
    const first = await harness.find(vdc, 'Namespace');
    const { client } = harness.cluster;
    const config = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    const key = { namespace: vdc.namespace, name: 'holds' };
    await client.create(config, { metadata: { ...key, finalizers: ['test.ssvirt.io/held'] } });
    await client.delete(vdcTypes.Namespace, { name: vdc.namespace });
    // Nothing is written to a terminating namespace.
    await until('it waits for the end of that', async () =>
      /which was deleted from outside, is gone/.test((await harness.work(vdc.id))?.message ?? ''),
    );
    assert.equal((await harness.work(vdc.id))?.failures, 0);
    await client.patch(config, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    await until('there is another, and everything in it', async () => {
      const found = await harness.find(vdc, 'Namespace');
      if (found === undefined || found.metadata.uid === first?.metadata.uid) return false;
      return (await harness.find(vdc, 'NetworkPolicy')) !== undefined;
    });
  });

  test('follows changes: quota, name, enabled', async () => {
    const vdc = await harness.made({ vm_quota: 3, memory_limit_mb: 1024 });
    const change = { name: 'other', vm_quota: 5, memory_limit_mb: 0, enabled: false };
    await harness.ended((await harness.update(vdc, change)).task, 'success');
    // A key that is no longer desired is removed.
    const hard = specOf(await harness.find(vdc, 'ResourceQuota'))['hard'];
    assert.deepEqual(hard, { 'count/virtualmachines.kubevirt.io': '5' });
    const namespace = await harness.find(vdc, 'Namespace');
    assert.equal(namespace?.metadata.labels?.[labels.vdc], 'other');
    assert.equal(namespace?.metadata.annotations?.['ssvirt.io/vdc-enabled'], 'false');
    await harness.ended((await harness.update(vdc, { name: 'no label', enabled: true })).task, 'success');
    const renamed = await harness.find(vdc, 'Namespace');
    assert.equal(renamed?.metadata.labels?.[labels.vdc], undefined);
    assert.equal(renamed?.metadata.annotations?.['ssvirt.io/vdc-enabled'], 'true');
  });

  test('follows the name of its organisation', async () => {
    const vdc = await harness.made();
    await harness.db
      .updateTable('organizations')
      .set({ name: 'renamed-1' })
      .where('id', '=', vdc.organization_id)
      .execute();
    await until('the label is the new name', async () => {
      const { labels: found } = (await harness.find(vdc, 'Namespace'))?.metadata ?? {};
      return found?.[labels.organization] === 'renamed-1';
    });
  });

  test('is removed with its machines first, its namespace then, its rows at last', async () => {
    const vdc = await harness.made();
    const { namespace } = vdc;
    const vapp = await makeVapp(harness.db, { vdc_id: vdc.id });
    const vm = await makeVm(harness.db, { vapp_id: vapp.id, cluster: 'local', namespace });
    const machine = { metadata: { namespace, name: 'held', finalizers: ['test.ssvirt.io/held'] } };
    const { client } = harness.cluster;
    await client.create(virtualMachines, machine);
    const { task } = await harness.remove(vdc, true);
    await until('it waits for the machine', async () => {
      const { metadata } = await client.get(virtualMachines, { namespace, name: 'held' });
      return metadata.deletionTimestamp !== undefined && /held/.test((await harness.work(vdc.id))?.message ?? '');
    });
    assert.equal((await harness.find(vdc, 'Namespace'))?.metadata.deletionTimestamp, undefined);
    assert.equal((await harness.task(task)).status, 'running');
    // An object that blocks the end of the namespace.
    const config = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    await client.create(config, { metadata: { namespace, name: 'holds', finalizers: ['test.ssvirt.io/held'] } });
    const release = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await client.patch(virtualMachines, { namespace, name: 'held' }, release);
    await until('it waits for the namespace', async () => {
      const found = await harness.find(vdc, 'Namespace');
      const { message = '' } = (await harness.work(vdc.id)) ?? {};
      return found?.metadata.deletionTimestamp !== undefined && message.includes(`namespace "${namespace}" is gone`);
    });
    assert.equal((await harness.row(vdc.id)).deleted_at, null);
    await client.patch(config, { namespace, name: 'holds' }, release);
    await harness.ended(task, 'success');
    assert.equal(await harness.find(vdc, 'Namespace'), undefined);
    assert.notEqual((await harness.row(vdc.id)).deleted_at, null);
    const left = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM vapps a JOIN vms v ON v.vapp_id = a.id
      WHERE v.id = ${vm.id} AND a.deleted_at IS NOT NULL AND v.deleted_at IS NOT NULL
    `.execute(harness.db);
    assert.equal(left.rows[0]?.count, 1);
    assert.equal(await harness.work(vdc.id), undefined);
  });

  test('is kept with a machine that the database did not know of, unless its removal is forced', async () => {
    const vdc = await harness.made();
    const { namespace } = vdc;
    await harness.cluster.client.create(virtualMachines, { metadata: { namespace, name: 'unknown' } });
    const vapp = await makeVapp(harness.db, { vdc_id: vdc.id });
    const { task, change } = await harness.db.transaction().execute(async (tx) => {
      const { task: before } = await harness.update(vdc, { vm_quota: 7 }, {}, tx);
      await askForVdcRemoval(tx, vdc.id);
      return { ...(await harness.remove(vdc, false, tx)), change: before };
    });
    const { error } = await harness.ended(task, 'error');
    await harness.ended(change, 'success');
    const states = await harness.db.selectFrom('vapps').select('desired_state').where('id', '=', vapp.id).execute();
    assert.deepEqual(states, [{ desired_state: 'present' }]);
    assert.match(String(error?.['message']), /has virtual machines \(unknown\).*force=true/);
    assert.equal((await harness.row(vdc.id)).desired_state, 'present');
    const { metadata } = await harness.cluster.client.get(virtualMachines, { namespace, name: 'unknown' });
    assert.equal(metadata.deletionTimestamp, undefined);
    assert.equal((await harness.find(vdc, 'Namespace'))?.metadata.deletionTimestamp, undefined);
    await harness.ended((await harness.remove(vdc, true)).task, 'success');
  });

  test('is kept with a machine, too, where its removal was refused at first and no request waits for it any more', async () => {
    const vdc = await harness.made();
    const { namespace } = vdc;
    const { client, faults } = harness.cluster;
    await client.create(virtualMachines, { metadata: { namespace, name: 'unknown' } });
    const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines*`;
    const { id } = faults.add({ kind: '403', path, verbs: ['list'] });
    await harness.ended((await harness.remove(vdc)).task, 'error');
    faults.remove(id);
    await until('it is present again', async () => (await harness.row(vdc.id)).desired_state === 'present');
    const { metadata } = await client.get(virtualMachines, { namespace, name: 'unknown' });
    assert.equal(metadata.deletionTimestamp, undefined);
    // A forced removal stays forced.
    const { id: again } = faults.add({ kind: '403', path, verbs: ['list'] });
    await harness.ended((await harness.remove(vdc, true)).task, 'error');
    faults.remove(again);
    await until('it is gone', async () => (await harness.row(vdc.id)).deleted_at !== null);
  });

  test('is refused and undone where a namespace of that name is foreign, which stays', async () => {
    const name = `foreign-${Date.now()}`;
    const theirs = await harness.cluster.client.create(vdcTypes.Namespace, {
      metadata: { name, labels: { of: 'them' } },
    });
    const { vdc, task } = await harness.create({ namespace: name });
    const { error } = await harness.ended(task, 'error');
    assert.equal(error?.['minorErrorCode'], 'CONFLICT');
    assert.match(
      String(error?.['message']),
      new RegExp(`namespace "${name}" that does not belong to this virtual data center`),
    );
    assert.notEqual((await harness.row(vdc.id)).deleted_at, null);
    const found = await harness.find(vdc, 'Namespace');
    assert.equal(found?.metadata.uid, theirs.metadata.uid);
    assert.equal(found?.metadata.labels?.[labels.vdcId], undefined);
    assert.equal(await harness.find(vdc, 'ResourceQuota'), undefined);
  });

  test('is undone where the cluster refuses a part of it: nothing of it is left', async () => {
    const name = `refused-${Date.now()}`;
    const { id } = harness.cluster.faults.add({
      kind: '403',
      path: `/api/v1/namespaces/${name}/limitranges*`,
      verbs: ['patch'],
    });
    const { vdc, task } = await harness.create({ namespace: name });
    const { error } = await harness.ended(task, 'error');
    harness.cluster.faults.remove(id);
    assert.match(String(error?.['message']), /refuses: .*a fault of the sandbox/);
    assert.notEqual((await harness.row(vdc.id)).deleted_at, null);
    assert.equal(await harness.find(vdc, 'Namespace'), undefined);
  });

  test('keeps what it has where a change is refused, shows the fault, and goes on when it is let', async () => {
    const vdc = await harness.made({ vm_quota: 1 });
    const quota = `/api/v1/namespaces/${vdc.namespace}/resourcequotas*`;
    const { id } = harness.cluster.faults.add({ kind: '403', path: quota, verbs: ['patch'] });
    const { task } = await harness.update(vdc, { vm_quota: 2 });
    await harness.ended(task, 'error');
    const fault = async (): Promise<string | null | undefined> =>
      (await harness.db.selectFrom('vdc_applied').select('fault').where('vdc_id', '=', vdc.id).executeTakeFirst())
        ?.fault;
    assert.match((await fault()) ?? '', /refuses/);
    assert.equal((await harness.row(vdc.id)).desired_state, 'present');
    harness.cluster.faults.remove(id);
    await until('it is as asked for', async () => {
      const hard = specOf(await harness.find(vdc, 'ResourceQuota'))['hard'] as Record<string, string>;
      return hard['count/virtualmachines.kubevirt.io'] === '2' && (await fault()) === null;
    });
  });

  test('waits for a cluster that does not answer, says so, and is made when it is back', async () => {
    const namespace = `away-${Date.now()}`;
    const { id } = harness.cluster.faults.add({ kind: 'reset', path: `/api/v1/namespaces/${namespace}*` });
    const { vdc, task } = await harness.create({ namespace });
    await until('it says what it waits for', async () =>
      ((await harness.work(vdc.id))?.message ?? '').startsWith('waits for cluster "local": '),
    );
    assert.equal((await harness.task(task)).status, 'running');
    harness.cluster.faults.remove(id);
    await harness.ended(task, 'success');
    assert.equal((await harness.work(vdc.id))?.message, '');
  });

  test('says that it waits for an unknown cluster', async () => {
    const { vdc } = await harness.create({ cluster: 'nowhere' });
    await until('it says so', async () =>
      ((await harness.work(vdc.id))?.message ?? '').startsWith('waits for cluster "nowhere": no KubevirtConfig'),
    );
  });

  test('that has gone leaves no namespace behind, even where a late one is made; one without a row is kept', async () => {
    const vdc = await harness.made();
    await harness.ended((await harness.remove(vdc)).task, 'success');
    const installation = await installationId(harness.db);
    const ours = { [labels.managedBy]: 'ssvirt', [labels.installationId]: installation };
    const { client } = harness.cluster;
    const unknown = { ...ours, [labels.vdcId]: '00000000-0000-4000-8000-0000000000aa' };
    await client.create(vdcTypes.Namespace, { metadata: { name: 'nobodys', labels: unknown } });
    await client.create(vdcTypes.Namespace, {
      metadata: { name: vdc.namespace, labels: { ...ours, [labels.vdcId]: vdc.id } },
    });
    await until('the late one is gone', async () => (await harness.find(vdc, 'Namespace')) === undefined);
    await until('the other is reported', () =>
      harness.lines.some(({ namespace, why }) => namespace === 'nobodys' && why !== undefined),
    );
    assert.equal((await client.get(vdcTypes.Namespace, { name: 'nobodys' })).metadata.deletionTimestamp, undefined);
  });

  test('that has gone leaves what is not its own to others: a namespace with a machine in it, one of another installation', async () => {
    const { client } = harness.cluster;
    const gone = async () => {
      const vdc = await harness.made();
      await harness.ended((await harness.remove(vdc)).task, 'success');
      return vdc;
    };
    const [inhabited, foreign, late] = await Promise.all([gone(), gone(), gone()]);
    // The namespace gets its labels when the VM is already in it.
    const { namespace } = inhabited;
    await client.create(vdcTypes.Namespace, { metadata: { name: namespace } });
    await client.create(virtualMachines, { metadata: { namespace, name: 'late' } });
    const installation = await installationId(harness.db);
    const labelsOf = (id: string, by: string) => ({
      [labels.managedBy]: 'ssvirt',
      [labels.installationId]: by,
      [labels.vdcId]: id,
    });
    await client.create(vdcTypes.Namespace, {
      metadata: { name: foreign.namespace, labels: labelsOf(foreign.id, 'another') },
    });
    const body = { metadata: { labels: labelsOf(inhabited.id, installation) } };
    await client.patch(vdcTypes.Namespace, { name: namespace }, { type: 'merge', body });
    await until('a person is told of the machine', () =>
      harness.lines.some((line) => line['namespace'] === namespace && /machines in it/.test(String(line['why']))),
    );
    // A later namespace was handled, so the earlier ones were, too.
    await client.create(vdcTypes.Namespace, {
      metadata: { name: late.namespace, labels: labelsOf(late.id, installation) },
    });
    await until('one that is later is gone', async () => (await harness.find(late, 'Namespace')) === undefined);
    for (const vdc of [inhabited, foreign]) {
      const found = await harness.find(vdc, 'Namespace');
      assert.ok(found, 'it is there');
      assert.equal(found.metadata.deletionTimestamp, undefined);
    }
  });
});
