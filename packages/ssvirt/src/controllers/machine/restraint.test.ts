/**
 * What the operator does not do to a Machine or to other objects, and the order of what it does. The resync interval is
 * an hour, so every change comes from a watch.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorHarness, patient, team } from '../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import {
  claims,
  instances,
  namespaces,
  networkAttachments,
  secrets,
  storageClasses,
  virtualMachines,
} from '../../fleet/kinds.ts';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { finalizer } from '../../kubevirt/machine/resource.ts';
import { fields } from '../../kubevirt/facts/reading.ts';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { machines, networkConfigurations } from './machine-types.ts';

const small = { template: 'small', running: false } as const;
const held = 'example.com/held';

describe('a Machine and what is not its own', () => {
  let harness: OperatorHarness;
  const east = (): ReturnType<OperatorHarness['member']> => harness.member('east');
  const remove = (name: string): Promise<unknown> =>
    harness.supervisor.client.delete(machines, { namespace: team, name });
  const has = async (type: ResourceType, name: string): Promise<boolean> =>
    (await look(east().client, type, { namespace: team, name })) !== undefined;

  /** Much shorter than the retry interval. */
  const says = (name: string, what: RegExp): Promise<void> =>
    until(
      `${name} says ${what}`,
      async () => {
        const { message = '' } = findCondition((await harness.machine(name)).status?.conditions, 'Ready') ?? {};
        if (what.test(message)) return true;
        throw new Error(`it says ${message}`);
      },
      { deadlineMs: Math.min(patient.deadlineMs, lookAgainMs / 2) },
    );

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east'] });
    const labels = { 'vitistack.io/allow-machines': 'true' };
    await east().client.create(namespaces, { metadata: { name: team, labels } });
    await harness.operate({ resyncMs: 3_600_000 });
  });

  after(async () => {
    await harness.stop();
  });

  test('is held before anything is made for it, also where its cluster is written down already', async () => {
    await harness.declare('noted', small, { annotations: { 'vitistack.io/kubevirt-config': 'east' } });
    await harness.condition('noted', 'Ready', 'True');
    assert.ok((await harness.machine('noted')).metadata.finalizers?.includes(finalizer));
    await remove('noted');
    await harness.gone('noted');
    assert.equal(await has(virtualMachines, 'vm-noted'), false);
  });

  test('keeps its disks until its virtual machine is gone', async () => {
    const { client } = east();
    const key = { namespace: team, name: 'vm-slow' };
    await harness.declare('slow', small);
    await harness.condition('slow', 'Ready', 'True');
    const finalizers = async (change: (all: readonly string[]) => readonly string[]): Promise<unknown> => {
      const { metadata } = await client.get(virtualMachines, key);
      const body = { metadata: { finalizers: change(metadata.finalizers ?? []) } };
      return client.patch(virtualMachines, key, { type: 'merge', body });
    };
    await finalizers((all) => [...all, held]);
    await remove('slow');
    await until(
      'its virtual machine is to go',
      async () => (await client.get(virtualMachines, key)).metadata.deletionTimestamp !== undefined,
      patient,
    );
    await harness.condition('slow', 'Ready', 'False', 'Deleting');
    const disk = await client.get(claims, { namespace: team, name: 'slow-root' });
    assert.equal(disk.metadata.deletionTimestamp, undefined);
    await finalizers((all) => all.filter((one) => one !== held));
    await harness.gone('slow');
    assert.equal(await has(claims, 'slow-root'), false);
  });

  test('is not given up by force while its cluster answers', async () => {
    await harness.declare('doomed', small, { annotations: { 'vitistack.io/force-delete': 'true' } });
    await harness.condition('doomed', 'Ready', 'True');
    await remove('doomed');
    await harness.gone('doomed');
    assert.equal(await has(virtualMachines, 'vm-doomed'), false);
    assert.equal(await has(claims, 'doomed-root'), false);
  });

  test('leaves a network alone that another Machine uses', async () => {
    const { client } = harness.supervisor;
    await client.create(networkConfigurations, { metadata: { namespace: team, name: 'common' }, spec: { vlan: 7 } });
    const networks = [{ name: 'eth0', networkName: 'common' }];
    await harness.declare('one', { ...small, networks });
    // It has no VM yet: only the Machine shows that it needs the network.
    await harness.declare('other', { ...small, networks, disks: [{ name: 'root', storageClass: 'nowhere' }] });
    await harness.condition('one', 'Ready', 'True');
    await harness.condition('other', 'Ready', 'False', 'StorageClassNotFound');
    const key = { namespace: team, name: 'common' };
    const { uid } = (await east().client.get(networkAttachments, key)).metadata;
    await remove('one');
    await harness.gone('one');
    const { metadata } = await east().client.get(networkAttachments, key);
    assert.deepEqual([metadata.uid, metadata.deletionTimestamp], [uid, undefined]);
  });

  test('takes no foreign claim for its disk', async () => {
    const { client } = east();
    const metadata = { namespace: team, name: 'plain-root' };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await client.create(claims, { metadata, spec });
    await harness.declare('plain', small);
    await harness.condition('plain', 'Ready', 'False', 'NameConflict');
    assert.equal(await has(virtualMachines, 'vm-plain'), false);
    assert.deepEqual((await client.get(claims, metadata)).metadata.labels ?? {}, {});
  });

  test('uses no namespace that was made for another supervisor', async () => {
    const { client } = harness.supervisor;
    const name = 'team-elsewhere';
    await client.create(namespaces, { metadata: { name } });
    await east().client.create(namespaces, { metadata: { name, labels: { 'vitistack.io/supervisor': 'another' } } });
    const key = { namespace: name, name: 'guest' };
    await client.create(machines, { metadata: key, spec: small });
    await until(
      'it is refused',
      async () => {
        const { status } = await client.get(machines, key);
        const reason = findCondition(status?.conditions, 'Ready')?.reason;
        if (reason === 'NamespaceNotAllowed') return true;
        throw new Error(`it is ${reason}`);
      },
      patient,
    );
    assert.equal(await look(east().client, virtualMachines, { namespace: name, name: 'vm-guest' }), undefined);
  });

  test('copies nothing out of a namespace that does not allow it', async () => {
    const source = { pvc: { namespace: 'library', name: 'golden' } };
    await harness.declare('reader', { ...small, disks: [{ name: 'root', source }] });
    const absent = await harness.condition('reader', 'Ready', 'False', 'NamespaceNotAllowed');
    assert.match(absent.message, /"library", which does not exist in cluster "east"/);
    await harness.quiet();
    await east().client.create(namespaces, { metadata: { name: 'library' } });
    await says('reader', /"library", which does not let Machines of other namespaces copy from it/);
    await harness.quiet();
    const labels = { 'vitistack.io/allow-copies': 'true' };
    await east().client.patch(namespaces, { name: 'library' }, { type: 'merge', body: { metadata: { labels } } });
    await says('reader', /^The disk "root" is being made/);
  });

  test('keeps its address where a younger one wants it', async () => {
    const networks = [{ name: 'default', macAddress: '52:54:00:00:00:99' }];
    const { metadata } = await harness.declare('elder', { ...small, networks });
    await harness.condition('elder', 'Ready', 'True');
    // Ages are compared in whole seconds.
    await until('a second has passed', () => Date.now() >= Date.parse(metadata.creationTimestamp ?? '') + 1000);
    await harness.declare('younger', { ...small, networks });
    await harness.condition('younger', 'Ready', 'False', 'MacAddressConflict');
    await harness.change('elder', { spec: { resources: { cpu: { cores: 2 } } } });
    await harness.reaches('elder', 'is as declared', ({ status }) => status?.observedGeneration === 2);
    await harness.condition('elder', 'Ready', 'True');
  });

  test('gets its cloud-init Secret back where a user has deleted it', async () => {
    const key = { namespace: team, name: 'vm-chatty-cloudinit' };
    await harness.declare('chatty', { ...small, cloudInit: { userData: `#cloud-config\n# ${'x'.repeat(3000)}` } });
    await harness.condition('chatty', 'Ready', 'True');
    const { uid } = (await east().client.get(secrets, key)).metadata;
    await harness.quiet();
    await east().client.delete(secrets, key);
    await until(
      'it is there again',
      async () => {
        const found = await look(east().client, secrets, key);
        return found !== undefined && found.metadata.uid !== uid;
      },
      patient,
    );
  });

  test('has its guest, which has shut down, started for a new spec, once, when nothing hinders that any more', async () => {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-sleepy`;
    const { faults, client } = east();
    const { id } = faults.add({ kind: 'latency', delayMs: 0, path: `${path}/start` });
    const started = (): number | undefined => faults.list().find((fault) => fault.id === id)?.struck;
    await harness.declare('sleepy', { template: 'small' });
    await harness.condition('sleepy', 'Ready', 'True');
    await client.request({ method: 'PUT', path: `${path}/stop`, body: {} });
    await harness.condition('sleepy', 'Ready', 'False', 'GuestStopped');
    assert.equal(started(), 0, 'it was not left off');
    await harness.change('sleepy', { spec: { disks: [{ name: 'more', size: '1Gi', storageClass: 'late' }] } });
    await harness.condition('sleepy', 'Ready', 'False', 'StorageClassNotFound');
    assert.equal((await harness.machine('sleepy')).status?.observedGeneration, 1);
    const late = { metadata: { name: 'late' }, provisioner: 'csi.sandbox.ssvirt.io', volumeBindingMode: 'Immediate' };
    await harness.quiet();
    await client.create(storageClasses, late);
    await harness.condition('sleepy', 'Ready', 'True', 'Running');
    assert.equal(started(), 1);
  });

  test('says with the HTTP status and the text why its cluster refuses to start it, also without a Status', async () => {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-denied`;
    const { faults, client } = east();
    await harness.declare('denied', { template: 'small' });
    await harness.condition('denied', 'Ready', 'True');
    await client.request({ method: 'PUT', path: `${path}/stop`, body: {} });
    await harness.condition('denied', 'Ready', 'False', 'GuestStopped');
    const { id } = faults.add({ kind: '406', path: `${path}/start` });
    await harness.change('denied', { spec: { resources: { cpu: { cores: 3 } } } });
    const { message } = await harness.condition('denied', 'Ready', 'False', 'KubeVirtApiError');
    // Not a failure with endless retries: a person has to act.
    assert.match(
      message,
      /start VirtualMachine .*: HTTP 406: Not Acceptable.*\. Change the Machine, or check the KubeVirt installation there/,
    );
    faults.remove(id);
  });

  test('runs in the end where it is switched off and on again before its guest has stopped', async () => {
    const { client } = east();
    const key = { namespace: team, name: 'vm-fickle' };
    const finalizers = async (change: (all: readonly string[]) => readonly string[]): Promise<unknown> => {
      const { metadata } = await client.get(instances, key);
      const body = { metadata: { finalizers: change(metadata.finalizers ?? []) } };
      return client.patch(instances, key, { type: 'merge', body });
    };
    await harness.declare('fickle', { template: 'small' });
    await harness.condition('fickle', 'Ready', 'True');
    await finalizers((all) => [...all, held]);
    const { uid } = (await client.get(instances, key)).metadata;
    await harness.change('fickle', { spec: { running: false } });
    await until(
      'it is to stop',
      async () => (await client.get(instances, key)).metadata.deletionTimestamp !== undefined,
      patient,
    );
    await harness.change('fickle', { spec: { running: true } });
    await until(
      'KubeVirt knows that it is to run',
      async () => fields(fields(await harness.vm('east', 'fickle'))['status'])['runStrategy'] === 'RerunOnFailure',
      patient,
    );
    await finalizers((all) => all.filter((one) => one !== held));
    await until(
      'another instance is there',
      async () => ((await look(client, instances, key))?.metadata.uid ?? uid) !== uid,
      patient,
    );
    await harness.condition('fickle', 'Ready', 'True', 'Running');
    await harness.reaches('fickle', 'is observed', ({ status }) => status?.observedGeneration === 3);
  });

  test('is ready when its disk is bound', async () => {
    const { client } = east();
    const byHand = { metadata: { name: 'by-hand' }, provisioner: 'example.com/nobody', volumeBindingMode: 'Immediate' };
    await client.create(storageClasses, byHand);
    await harness.declare('bound', { ...small, disks: [{ name: 'root', storageClass: 'by-hand' }] });
    await harness.condition('bound', 'Ready', 'False', 'PVCPending');
    await harness.quiet();
    const key = { namespace: team, name: 'bound-root' };
    const body = { status: { phase: 'Bound' } };
    await client.patch(claims, key, { type: 'merge', body }, { subresource: 'status' });
    await harness.condition('bound', 'StorageReady', 'True');
    await harness.condition('bound', 'Ready', 'True');
  });

  test('says that its cluster does not answer, and works on when it does', async () => {
    const { faults } = east();
    await harness.declare('patient', small);
    await harness.condition('patient', 'Ready', 'True');
    faults.add({ kind: 'silence' });
    await harness.condition('patient', 'Ready', 'False', 'ClusterUnavailable');
    faults.clear();
    await harness.condition('patient', 'Ready', 'True');
  });
});
