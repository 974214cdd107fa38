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
  namespaces,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { parentMarks } from '../../packages/kube/src/reconcile/owners.ts';
import { annotations } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { until } from '../runtime/until.ts';
import { patient, tenant } from './harness.ts';
import { labelled, long, Removals, short, sshKey } from './removal-harness.ts';

const aapFinalizer = 'cloudkit.openshift.io/computeinstance-aap';

describe('an order that is deleted', () => {
  const removals = new Removals();

  test('takes its machine, Service, disk and Secrets along, one after the other, and whatever else bears its marks', async () => {
    const { harness } = removals;
    await removals.operate();
    const order = await harness.order('web', 'controller', sshKey);
    await harness.ready('web');
    const marks = parentMarks(orders, order);
    const { client } = harness.cloudkit;
    const place = (name: string): KubeObject['metadata'] => ({ namespace: tenant, name, ...marks });
    await client.create(configMaps, { metadata: place('of-a-template') });
    const accessModes = ['ReadWriteOnce'];
    const spec = { accessModes, resources: { requests: { storage: '1Gi' } } };
    await client.create(claims, { metadata: place('data-of-a-template'), spec } as KubeObject);
    await client.create(secrets, labelled('of-somebody', 'web'));
    await removals.hold(virtualMachines, 'web');
    await removals.hold(services, 'web-load-balancer');
    await removals.hold(dataVolumes, 'web-root-disk');
    await harness.cloudkit.delete('web');

    await removals.says('web', /^Waiting for the virtual machine to be gone: VirtualMachine tenant-a\/web\.$/);
    assert.equal((await harness.cloudkit.child(services, 'web-load-balancer')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(virtualMachines, 'web', null);
    await removals.says('web', /^Waiting for the Service/);
    assert.equal((await harness.cloudkit.child(dataVolumes, 'web-root-disk')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(services, 'web-load-balancer', null);
    await removals.says('web', /^Waiting for the disk/);
    assert.equal((await harness.cloudkit.child(secrets, 'web-cloud-init')).metadata.deletionTimestamp, undefined);
    await removals.finalizers(dataVolumes, 'web-root-disk', null);
    await removals.goneWithAll('web');
    assert.equal(await harness.cloudkit.look(configMaps, 'of-a-template'), undefined);
    assert.equal(await harness.cloudkit.look(claims, 'data-of-a-template'), undefined);
    assert.notEqual(await harness.cloudkit.look(secrets, 'of-somebody'), undefined);
    assert.equal(harness.aap.callsFor('web').length, 0);
  });

  test('is removed by AAP where AAP has provisioned it; a failed call is reported and repeated', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('by-aap', 'aap', sshKey);
    await harness.ready('by-aap');
    // The annotation says which mode shall provision it, not which has.
    await harness.manage('by-aap', 'controller');
    await harness.aap.down();
    await harness.cloudkit.delete('by-aap');
    await removals.says(
      'by-aap',
      /^AAP could not be called to delete its objects: AAP at \S+ cannot be reached/,
      'WebhookFailed',
    );
    assert.notDeepEqual(await harness.uids('by-aap'), {});
    harness.aap.hold();
    await harness.aap.up();
    await removals.says(
      'by-aap',
      /^AAP was called .* its job removes the finalizer cloudkit\.openshift\.io\/computeinstance-aap/,
    );
    harness.aap.release();
    await removals.goneWithAll('by-aap');
    assert.equal(new Set(harness.aap.callsFor('by-aap', 'delete').map(({ key }) => key)).size, 1);
  });

  test('does not have AAP delete what has come under its names since', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('joined', 'aap', sshKey);
    await harness.ready('joined');
    const { client } = harness.cloudkit;
    const spec = { ports: [{ port: 80 }] };
    const metadata = { namespace: tenant, name: 'joined-service' };
    const { uid } = (await client.create(services, { metadata, spec } as KubeObject)).metadata;
    await harness.cloudkit.delete('joined');
    await removals.says(
      'joined',
      /^Service "tenant-a\/joined-service" exists and is not part of this order, and AAP would delete by name: AAP is not called/,
      'NameConflict',
    );
    assert.equal(removals.deletesOf('joined'), 0);
    assert.equal((await harness.cloudkit.child(services, 'joined-service')).metadata.uid, uid);
    assert.ok('machine' in (await harness.uids('joined')));
    await client.delete(services, { namespace: tenant, name: 'joined-service' });
    // It is reconciled again before the minute is over.
    await harness.cloudkit.annotate('joined', { touched: 'yes' });
    await removals.goneWithAll('joined');
    assert.ok(removals.deletesOf('joined') > 0);
  });

  test('waits for the URL that AAP is asked by; where its finalizer is taken off, what AAP has made goes all the same', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('no-url', 'aap', sshKey);
    await harness.ready('no-url');
    await removals.operate({}, () => harness.cloudkit.operate({ 'aap.createUrl': harness.aap.createUrl }));
    await harness.cloudkit.delete('no-url');
    await removals.says(
      'no-url',
      /cloudkit\.aap\.deleteUrl is not set: set it, or remove the finalizer/,
      'WebhookNotConfigured',
    );
    assert.ok('machine' in (await harness.uids('no-url')));
    await harness.cloudkit.change('no-url', { metadata: { finalizers: ['cloudkit.openshift.io/virtualmachine'] } });
    await removals.goneWithAll('no-url');
    assert.equal(removals.deletesOf('no-url'), 0);
  });

  test('that AAP has begun to make waits until its job cannot run any more, and takes what that has made meanwhile', async () => {
    const { harness } = removals;
    await removals.operate(long);
    harness.aap.dials.failJobs = 1;
    await harness.order('begun', 'aap');
    await until(
      'the job has failed',
      () => harness.aap.jobsFor('begun').some(({ state }) => state === 'failed'),
      patient,
    );
    await harness.cloudkit.delete('begun');
    await removals.says(
      'begun',
      /^An AAP job that creates the virtual machine may still be running.* remove the finalizer cloudkit\.openshift\.io\/virtualmachine\.$/,
    );
    assert.equal(removals.deletesOf('begun'), 1);
    assert.deepEqual(await harness.uids('begun'), {});
    await harness.cloudkit.client.create(secrets, labelled('begun-cloud-init', 'begun'));
    await removals.operate(short);
    await removals.goneWithAll('begun');
  });

  test('has no power over a namespace that is not bound, whatever is written on it', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    await client.create(namespaces, { metadata: { name: 'tenant-b' } });
    const victim = labelled('victim-cloud-init', 'victim');
    await client.create(secrets, { metadata: { ...victim.metadata, namespace: 'tenant-b' } });
    await harness.cloudkit.order(
      'victim',
      { tenantNamespace: 'tenant-b' },
      { finalizers: [aapFinalizer], annotations: { [annotations.reconciledConfigVersion]: 'v1' } },
    );
    await harness.cloudkit.condition('victim', 'Accepted', 'False', 'NamespaceNotBound');
    await harness.cloudkit.delete('victim');
    await removals.says('victim', /AAP is not called to delete anything there/, 'NamespaceNotBound');
    await harness.cloudkit.change('victim', { metadata: { finalizers: ['cloudkit.openshift.io/virtualmachine'] } });
    await harness.cloudkit.gone('victim');
    assert.equal(removals.deletesOf('victim'), 0);
    assert.equal((await client.list(secrets, { namespace: 'tenant-b' })).items.length, 1);
  });
});
