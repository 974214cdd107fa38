/**
 * Orders with one name, in two namespaces, that have their objects in one namespace: neither gets the other's objects.
 * Run by .ci/run.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { claims, namespaces, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { parentMarks, parentUidOf } from '../../packages/kube/src/reconcile/owners.ts';
import { aapFinalizers, annotations, finalizer } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { until } from '../runtime/until.ts';
import { nativeTemplate, patient, tenant } from './harness.ts';
import { Removals, sshKey } from './removal-harness.ts';

const elsewhere = 'more-orders';
const unbound = 'strangers';

describe('of two orders with one name and one namespace for their objects', () => {
  const removals = new Removals();

  before(async () => {
    const { client } = removals.harness.cloudkit;
    for (const name of [elsewhere, unbound]) await client.create(namespaces, { metadata: { name } });
    const body = { metadata: { annotations: { [annotations.orderNamespaces]: elsewhere } } };
    await client.patch(namespaces, { name: tenant }, { type: 'merge', body });
  });

  function write(name: string, namespace: string, metadata: Partial<KubeObject['metadata']>): Promise<Order> {
    const spec = { templateID: nativeTemplate, tenantNamespace: tenant };
    return removals.harness.cloudkit.client.create(orders, { metadata: { namespace, name, ...metadata }, spec });
  }

  function change(name: string, metadata: object): Promise<Order> {
    const body = { metadata };
    return removals.harness.cloudkit.client.patch(orders, { namespace: elsewhere, name }, { type: 'merge', body });
  }

  async function says(name: string, type: string, message: RegExp): Promise<void> {
    await until(
      `the order ${elsewhere}/${name} says ${message}`,
      async () => {
        const { status } = await removals.harness.cloudkit.client.get(orders, { namespace: elsewhere, name });
        const found = findCondition(status?.conditions, type);
        if (found?.reason === 'NameConflict' && message.test(found.message)) return true;
        throw new Error(`it has ${JSON.stringify(status)}`);
      },
      patient,
    );
  }

  async function drop(name: string): Promise<void> {
    await change(name, { finalizers: [finalizer] });
    await until(
      `the order ${elsewhere}/${name} is gone`,
      async () =>
        (await removals.harness.cloudkit.client.list(orders, { namespace: elsewhere })).items.every(
          ({ metadata }) => metadata.name !== name,
        ),
      patient,
    );
  }

  test('the younger gets nothing of what AAP has made for the older, whatever is written on it', async () => {
    const { harness } = removals;
    await removals.operate();
    const older = await harness.order('shared', 'aap', sshKey);
    await harness.ready('shared');
    const uids = await harness.uids('shared');
    const forged = { [annotations.managedBy]: 'controller', [annotations.reconciledConfigVersion]: 'v0' };
    await write('shared', elsewhere, { annotations: forged, finalizers: [...aapFinalizers] });
    await says('shared', 'Accepted', /are not part of this order/);
    await change('shared', { annotations: { [annotations.managedBy]: 'aap' } });
    await says('shared', 'Accepted', /^Another order has the name "shared"/);
    await harness.cloudkit.client.delete(orders, { namespace: elsewhere, name: 'shared' });
    await says('shared', 'Deleting', /AAP is not called to delete anything there/);
    await drop('shared');

    assert.deepEqual(await harness.uids('shared'), uids);
    assert.equal(parentUidOf((await harness.cloudkit.child(virtualMachines, 'shared')).metadata), undefined);
    const asked = harness.aap.callsFor('shared').map(({ order }) => order.metadata.uid);
    assert.deepEqual([...new Set(asked)], [older.metadata.uid]);
    assert.equal(removals.deletesOf('shared'), 0);
  });

  test('one in an unbound namespace affects no other', async () => {
    const { harness } = removals;
    await removals.operate();
    await write('own', unbound, {});
    await harness.order('own', 'aap', sshKey);
    await harness.ready('own');
    const uids = await harness.uids('own');
    await harness.manage('own', 'controller');
    await harness.cloudkit.ask('own', { ...sshKey, cpu_cores: 3 });
    const order = await harness.ready('own');
    assert.equal(order.status?.provisionedBy, 'controller');
    const { service: _, ...kept } = await harness.uids('own');
    assert.deepEqual(kept, uids);
  });

  test('the older does nothing by AAP to what the controller has made for the younger', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.aap.down();
    await write('squat', elsewhere, {
      annotations: { [annotations.managedBy]: 'aap' },
      finalizers: [...aapFinalizers],
    });
    await harness.order('squat', 'controller');
    await harness.ready('squat');
    const uids = await harness.uids('squat');
    await says('squat', 'Accepted', /^Another order has the name "squat"/);
    await harness.aap.up();
    await harness.cloudkit.client.delete(orders, { namespace: elsewhere, name: 'squat' });
    await says('squat', 'Deleting', /AAP is not called to delete anything there/);
    await drop('squat');
    assert.deepEqual(await harness.uids('squat'), uids);
    assert.equal(harness.aap.callsFor('squat').length, 0);
  });

  test('a disk is not taken from an order whose names meet with those of another', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    const unmanaged = { annotations: { [annotations.managementState]: 'unmanaged' } };
    const marks = parentMarks(orders, await write('db', elsewhere, unmanaged));
    // As a template creates it from "${ORDER_NAME}-copy-root-disk".
    const metadata = { namespace: tenant, name: 'db-copy-root-disk', ...marks };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
    const { metadata: before } = await client.create(claims, { metadata, spec } as KubeObject);
    await harness.order('db-copy', 'controller');
    const { message } = await harness.cloudkit.condition('db-copy', 'Accepted', 'False', 'NameConflict');
    assert.match(message, /PersistentVolumeClaim "tenant-a\/db-copy-root-disk" exists and is not part of this order/);
    assert.equal(await harness.cloudkit.look(virtualMachines, 'db-copy'), undefined);
    assert.equal(
      parentUidOf((await harness.cloudkit.child(claims, 'db-copy-root-disk')).metadata),
      parentUidOf(before),
    );
  });
});
