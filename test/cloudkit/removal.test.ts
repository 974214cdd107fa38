/**
 * Deletion of orders in both modes: nothing of theirs is left, and no foreign object is touched. Rarer cases are in
 * removal.suite.ts.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claims,
  configMaps,
  dataVolumes,
  orders,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/kinds.ts';
import { namespaces, secrets } from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { parentMarks } from '../../packages/kube/src/reconcile/owners.ts';
import { annotations } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { until } from '../runtime/until.ts';
import { patient, tenant } from './ground.ts';
import { labelled, long, Removals, short, sshKey } from './removal-ground.ts';

const aapFinalizer = 'cloudkit.openshift.io/computeinstance-aap';

describe('an order that is deleted', () => {
  const removals = new Removals();

  test('takes its machine, Service, disk and Secrets along, one after the other, and whatever else bears its marks', async () => {
    const { ground } = removals;
    await removals.operate();
    const order = await ground.order('web', 'controller', sshKey);
    await ground.ready('web');
    const marks = parentMarks(orders, order);
    const { client } = ground.cloudkit;
    const place = (name: string): KubeObject['metadata'] => ({ namespace: tenant, name, ...marks });
    await client.create(configMaps, { metadata: place('of-a-template') });
    const accessModes = ['ReadWriteOnce'];
    const spec = { accessModes, resources: { requests: { storage: '1Gi' } } };
    await client.create(claims, { metadata: place('data-of-a-template'), spec } as KubeObject);
    await client.create(secrets, labelled('of-somebody', 'web'));
    await removals.hold(virtualMachines, 'web');
    await removals.hold(services, 'web-load-balancer');
    await removals.hold(dataVolumes, 'web-root-disk');
    await ground.cloudkit.delete('web');

    await removals.says('web', /^Waiting for the virtual machine to be gone: VirtualMachine tenant-a\/web\.$/);
    assert.equal((await ground.cloudkit.child(services, 'web-load-balancer')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(virtualMachines, 'web', null);
    await removals.says('web', /^Waiting for the Service/);
    assert.equal((await ground.cloudkit.child(dataVolumes, 'web-root-disk')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(services, 'web-load-balancer', null);
    await removals.says('web', /^Waiting for the disk/);
    assert.equal((await ground.cloudkit.child(secrets, 'web-cloud-init')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(dataVolumes, 'web-root-disk', null);
    await removals.goneWithAll('web');
    assert.equal(await ground.cloudkit.look(configMaps, 'of-a-template'), undefined);
    assert.equal(await ground.cloudkit.look(claims, 'data-of-a-template'), undefined);
    assert.notEqual(await ground.cloudkit.look(secrets, 'of-somebody'), undefined);
    assert.equal(ground.aap.callsFor('web').length, 0);
  });

  test('is removed by AAP where AAP has provisioned it; a failed call is reported and repeated', async () => {
    const { ground } = removals;
    await removals.operate();
    await ground.order('by-aap', 'aap', sshKey);
    await ground.ready('by-aap');
    // The annotation says which mode shall provision it, not which has.
    await ground.manage('by-aap', 'controller');
    await ground.aap.down();
    await ground.cloudkit.delete('by-aap');
    await removals.says(
      'by-aap',
      /^AAP could not be called to delete its objects: AAP at \S+ cannot be reached/,
      'WebhookFailed',
    );
    assert.notDeepEqual(await ground.uids('by-aap'), {});
    ground.aap.hold();
    await ground.aap.up();
    await removals.says(
      'by-aap',
      /^AAP was called .* its job removes the finalizer cloudkit\.openshift\.io\/computeinstance-aap/,
    );
    ground.aap.release();
    await removals.goneWithAll('by-aap');
    assert.equal(new Set(ground.aap.callsFor('by-aap', 'delete').map(({ key }) => key)).size, 1);
  });

  test('does not have AAP delete what has come under its names since', async () => {
    const { ground } = removals;
    await removals.operate();
    await ground.order('joined', 'aap', sshKey);
    await ground.ready('joined');
    const { client } = ground.cloudkit;
    const spec = { ports: [{ port: 80 }] };
    const metadata = { namespace: tenant, name: 'joined-service' };
    const { uid } = (await client.create(services, { metadata, spec } as KubeObject)).metadata;
    await ground.cloudkit.delete('joined');
    await removals.says(
      'joined',
      /^Service "tenant-a\/joined-service" exists and is not part of this order, and AAP would delete by name: AAP is not called/,
      'NameConflict',
    );
    assert.equal(removals.deletesOf('joined'), 0);
    assert.equal((await ground.cloudkit.child(services, 'joined-service')).metadata.uid, uid);
    assert.ok('machine' in (await ground.uids('joined')));
    await client.delete(services, { namespace: tenant, name: 'joined-service' });
    // It is reconciled again before the minute is over.
    await ground.cloudkit.annotate('joined', { touched: 'yes' });
    await removals.goneWithAll('joined');
    assert.ok(removals.deletesOf('joined') > 0);
  });

  test('waits for the URL that AAP is asked by; where its finalizer is taken off, what AAP has made goes all the same', async () => {
    const { ground } = removals;
    await removals.operate();
    await ground.order('no-url', 'aap', sshKey);
    await ground.ready('no-url');
    await removals.operate({}, () => ground.cloudkit.operate({ 'aap.createUrl': ground.aap.createUrl }));
    await ground.cloudkit.delete('no-url');
    await removals.says(
      'no-url',
      /cloudkit\.aap\.deleteUrl is not set: set it, or remove the finalizer/,
      'WebhookNotConfigured',
    );
    assert.ok('machine' in (await ground.uids('no-url')));
    await ground.cloudkit.change('no-url', { metadata: { finalizers: ['cloudkit.openshift.io/virtualmachine'] } });
    await removals.goneWithAll('no-url');
    assert.equal(removals.deletesOf('no-url'), 0);
  });

  test('that AAP has begun to make waits until its job cannot run any more, and takes what that has made meanwhile', async () => {
    const { ground } = removals;
    await removals.operate(long);
    ground.aap.dials.failJobs = 1;
    await ground.order('begun', 'aap');
    await until(
      'the job has failed',
      () => ground.aap.jobsFor('begun').some(({ state }) => state === 'failed'),
      patient,
    );
    await ground.cloudkit.delete('begun');
    await removals.says(
      'begun',
      /^An AAP job that creates the virtual machine may still be running.* remove the finalizer cloudkit\.openshift\.io\/virtualmachine\.$/,
    );
    assert.equal(removals.deletesOf('begun'), 1);
    assert.deepEqual(await ground.uids('begun'), {});
    await ground.cloudkit.client.create(secrets, labelled('begun-cloud-init', 'begun'));
    await removals.operate(short);
    await removals.goneWithAll('begun');
  });

  test('has no power over a namespace that is not bound, whatever is written on it', async () => {
    const { ground } = removals;
    await removals.operate();
    const { client } = ground.cloudkit;
    await client.create(namespaces, { metadata: { name: 'tenant-b' } });
    const victim = labelled('victim-cloud-init', 'victim');
    await client.create(secrets, { metadata: { ...victim.metadata, namespace: 'tenant-b' } });
    await ground.cloudkit.order(
      'victim',
      { tenantNamespace: 'tenant-b' },
      { finalizers: [aapFinalizer], annotations: { [annotations.reconciledConfigVersion]: 'v1' } },
    );
    await ground.cloudkit.condition('victim', 'Accepted', 'False', 'NamespaceNotBound');
    await ground.cloudkit.delete('victim');
    await removals.says('victim', /AAP is not called to delete anything there/, 'NamespaceNotBound');
    await ground.cloudkit.change('victim', { metadata: { finalizers: ['cloudkit.openshift.io/virtualmachine'] } });
    await ground.cloudkit.gone('victim');
    assert.equal(removals.deletesOf('victim'), 0);
    assert.equal((await client.list(secrets, { namespace: 'tenant-b' })).items.length, 1);
  });
});
