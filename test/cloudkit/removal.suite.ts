/** Deletion of orders after rare events; run by .ci/run. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { annotations, labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { definitions } from '../fleet/definition.ts';
import { until } from '../runtime/until.ts';
import { ordersNamespace, patient, tenant } from './harness.ts';
import { long, Removals, short, sshKey } from './removal-harness.ts';

describe('an order that is deleted after all sorts of things', () => {
  const removals = new Removals();

  test('goes also where its objects lost the label by which they are watched, its namespace its binding, and the controller its switch', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    const metadata = { name: 'tenant-loose', labels: { [labels.project]: ordersNamespace } };
    await client.create(namespaces, { metadata });
    await harness.cloudkit.order('loose', { tenantNamespace: 'tenant-loose' });
    await harness.ready('loose');
    await removals.rest();
    const unlabelled = { metadata: { labels: { [labels.order]: null } } };
    const key = { namespace: 'tenant-loose', name: 'loose' };
    await client.patch(virtualMachines, key, { type: 'merge', body: unlabelled });
    await client.patch(
      namespaces,
      { name: 'tenant-loose' },
      { type: 'merge', body: { metadata: { labels: { [labels.project]: null } } } },
    );
    await harness.cloudkit.delete('loose');
    await removals.operate({ controllerMode: 'false' });
    await harness.cloudkit.gone('loose');
    for (const type of [
      virtualMachines,
      instances,
      services,
      dataVolumes,
      claims,
      secrets,
    ] as ResourceType<KubeObject>[])
      assert.deepEqual(
        (await client.list(type, { namespace: 'tenant-loose' })).items.map(({ metadata: { name } }) => name),
        [],
        type.kind,
      );
  });

  test('goes with the namespace of its tenant', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    await client.create(namespaces, {
      metadata: { name: 'tenant-gone', labels: { [labels.project]: ordersNamespace } },
    });
    await harness.cloudkit.order('homeless', { tenantNamespace: 'tenant-gone' });
    await harness.ready('homeless');
    await client.delete(namespaces, { name: 'tenant-gone' });
    await harness.cloudkit.delete('homeless');
    await harness.cloudkit.gone('homeless');
    await until(
      'the namespace is gone',
      async () => !(await client.list(namespaces)).items.some(({ metadata }) => metadata.name === 'tenant-gone'),
      patient,
    );
  });

  test('that AAP was asked for, and has not begun, waits in the same way; one that AAP has refused does not', async () => {
    const { harness } = removals;
    await removals.operate(long);
    harness.aap.dials.jobsForCall = 0;
    await harness.order('asked', 'aap');
    await until('AAP was asked', () => harness.aap.callsFor('asked').length > 0, patient);
    await harness.cloudkit.delete('asked');
    await removals.says('asked', /^An AAP job that creates the virtual machine may still be running/);
    harness.aap.dials.jobsForCall = 1;
    harness.aap.dials.refuse = 1000;
    await harness.order('refused', 'aap');
    await harness.cloudkit.reaches('refused', 'was refused', ({ status }) =>
      /503/.test(status?.webhook?.lastError ?? ''),
    );
    await harness.cloudkit.delete('refused');
    await harness.cloudkit.gone('refused');
    harness.aap.dials.refuse = 0;
    await removals.operate(short);
    await removals.goneWithAll('asked');
    assert.equal(removals.deletesOf('asked') + removals.deletesOf('refused'), 0);
  });

  test('that the controller has taken over from AAP goes by the hand of both', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('both', 'aap', sshKey);
    await harness.ready('both');
    await harness.manage('both', 'controller');
    await harness.cloudkit.ask('both', { ...sshKey, cpu_cores: 3 });
    await harness.cloudkit.reaches(
      'both',
      "is the controller's",
      ({ status }) => status?.provisionedBy === 'controller',
    );
    await harness.ready('both');
    await harness.aap.down();
    await harness.cloudkit.delete('both');
    await removals.says('both', /^AAP could not be called to delete/, 'WebhookFailed');
    assert.deepEqual(await harness.uids('both'), {});
    await harness.aap.up();
    await removals.goneWithAll('both');
  });

  test('stays until people have removed it if they manage it, and goes like any other if it is unmanaged', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('by-hand', 'controller');
    await harness.order('by-hand-of-aap', 'aap');
    await harness.order('unmanaged', 'controller');
    for (const name of ['by-hand', 'by-hand-of-aap', 'unmanaged']) await harness.ready(name);
    const uids = await harness.uids('by-hand');
    for (const name of ['by-hand', 'by-hand-of-aap'])
      await harness.cloudkit.annotate(name, { [annotations.managementState]: 'manual' });
    await harness.cloudkit.annotate('unmanaged', { [annotations.managementState]: 'unmanaged' });
    for (const name of ['by-hand', 'by-hand-of-aap', 'unmanaged']) await harness.cloudkit.delete(name);
    await removals.goneWithAll('unmanaged');
    await removals.says(
      'by-hand',
      /^The order is managed manually, and these objects are left: VirtualMachine tenant-a\/by-hand, .*remove the annotation/,
    );
    await removals.says(
      'by-hand-of-aap',
      /so AAP is not called to delete its objects: delete them and remove the finalizer/,
    );
    assert.deepEqual(await harness.uids('by-hand'), uids);
    assert.equal(removals.deletesOf('by-hand-of-aap'), 0);
    for (const name of ['by-hand', 'by-hand-of-aap'])
      await harness.cloudkit.annotate(name, { [annotations.managementState]: null });
    await removals.goneWithAll('by-hand');
    await removals.goneWithAll('by-hand-of-aap');
  });

  test('leaves what is there to whoever takes our finalizer off; the next order of its name says that it is in the way', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('given-up', 'controller');
    await harness.ready('given-up');
    const uids = await harness.uids('given-up');
    await removals.hold(virtualMachines, 'given-up');
    await harness.cloudkit.delete('given-up');
    await removals.says('given-up', /^Waiting for the virtual machine/);
    await harness.cloudkit.change('given-up', { metadata: { finalizers: null } });
    await harness.cloudkit.gone('given-up');
    await harness.order('given-up', 'controller');
    const { message } = await harness.cloudkit.condition('given-up', 'Accepted', 'False', 'NameConflict');
    assert.match(message, /Secret "tenant-a\/given-up-cloud-init".* not part of this order/);
    await harness.cloudkit.delete('given-up');
    await harness.cloudkit.gone('given-up');
    assert.deepEqual(await harness.uids('given-up'), uids);
    await removals.finalizers(virtualMachines, 'given-up', null);
  });

  test('is still removed by AAP after our finalizer, but not its own, was removed', async () => {
    const { harness } = removals;
    await removals.operate();
    await harness.order('half-given-up', 'aap');
    await harness.ready('half-given-up');
    await harness.aap.down();
    await harness.cloudkit.delete('half-given-up');
    await removals.says('half-given-up', /^AAP could not be called/, 'WebhookFailed');
    await harness.cloudkit.change('half-given-up', {
      metadata: { finalizers: ['cloudkit.openshift.io/computeinstance-aap'] },
    });
    await harness.aap.up();
    await removals.goneWithAll('half-given-up');
  });

  test('leaves what AAP has made under its name where another order of that name has it, too', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    await harness.order('twin', 'aap');
    await harness.ready('twin');
    const uids = await harness.uids('twin');
    await client.create(namespaces, { metadata: { name: 'more-orders' } });
    const other = { namespace: 'more-orders', name: 'twin' };
    const unmanaged = { [annotations.managementState]: 'unmanaged' };
    const { spec } = await harness.cloudkit.read('twin');
    await client.create(orders, { metadata: { ...other, annotations: unmanaged }, spec });
    await harness.aap.down();
    await harness.cloudkit.delete('twin');
    await removals.says('twin', /^AAP could not be called/, 'WebhookFailed');
    await harness.cloudkit.change('twin', { metadata: { finalizers: ['cloudkit.openshift.io/virtualmachine'] } });
    await harness.cloudkit.gone('twin');
    await harness.aap.up();
    assert.deepEqual(await harness.uids('twin'), uids);
    await client.delete(orders, other);
  });

  test('leaves a copy of its objects in another namespace alone, which bears its marks as well', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    await client.create(namespaces, { metadata: { name: 'restored' } });
    await harness.order('copied', 'controller');
    await harness.ready('copied');
    const disk = await harness.cloudkit.child(claims, 'copied-root-disk');
    const { name, labels: all, annotations: some } = disk.metadata;
    const copy = { name, namespace: 'restored', labels: all, annotations: some } as KubeObject['metadata'];
    const { accessModes, resources } = disk['spec'] as Readonly<Record<string, unknown>>;
    await client.create(claims, { metadata: copy, spec: { accessModes, resources } } as KubeObject);
    await harness.cloudkit.delete('copied');
    await removals.goneWithAll('copied');
    const found = await client.get(claims, { namespace: 'restored', name: 'copied-root-disk' });
    assert.equal(found.metadata.deletionTimestamp, undefined);
  });

  test('goes also where its name is longer than a label may be, by which AAP would have marked what it makes', async () => {
    const { harness } = removals;
    await removals.operate(short);
    const name = `long-${'x'.repeat(60)}`;
    await harness.order(name, 'aap');
    await until('its job has failed', () => harness.aap.jobsFor(name).some(({ state }) => state === 'failed'), patient);
    await harness.cloudkit.delete(name);
    await harness.cloudkit.gone(name);
  });

  test('goes also when KubeVirt and CDI were taken out of the cluster, before this process began or since', async () => {
    const { harness } = removals;
    await removals.operate();
    const { client } = harness.cloudkit;
    const names = ['last', 'very-last'];
    for (const name of names) await harness.order(name, 'controller');
    for (const name of names) {
      await harness.ready(name);
      await harness.cloudkit.annotate(name, { [annotations.managementState]: 'manual' });
      await client.delete(virtualMachines, { namespace: tenant, name });
      await client.delete(dataVolumes, { namespace: tenant, name: `${name}-root-disk` });
      for (const [type, child] of [
        [instances, name],
        [dataVolumes, `${name}-root-disk`],
      ] as const)
        await until(`${child} is gone`, async () => (await harness.cloudkit.look(type, child)) === undefined, patient);
    }
    for (const { plural, group } of [virtualMachines, instances, dataVolumes])
      await client.delete(definitions, { name: `${plural}.${group}` });
    for (const name of names) {
      await harness.cloudkit.delete(name);
      await removals.says(name, /managed manually/);
      await harness.cloudkit.annotate(name, { [annotations.managementState]: null });
      await harness.cloudkit.gone(name);
      const left = { namespace: tenant, labelSelector: `${labels.order}=${name}` };
      for (const type of [services, claims, secrets] as ResourceType<KubeObject>[])
        assert.deepEqual((await client.list(type, left)).items, []);
      await removals.operate();
    }
  });
});
