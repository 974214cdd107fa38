/**
 * Machines from creation to deletion, on one cluster. The resync interval is an hour, so every change here comes from a
 * watch.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  look,
  OperatorHarness,
  patient,
  team,
  type RunningOperator,
} from '../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  networkAttachments,
  type SecretObject,
  secrets,
  virtualMachines,
} from '../../fleet/kinds.ts';
import { findCondition, isConditionTrue } from '@ssvirt/kube/reconcile/conditions';
import type { Unstructured } from '@ssvirt/kube/object';
import { eventType } from '@ssvirt/kube/events/event';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { machines, networkConfigurations } from './machine-types.ts';

interface Vm extends Unstructured {
  readonly spec: {
    readonly runStrategy: string;
    readonly template: {
      readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly domain: {
          readonly cpu: { readonly cores: number };
          readonly devices: {
            readonly disks: readonly { readonly name: string }[];
            readonly interfaces: readonly { readonly name: string; readonly macAddress?: string }[];
          };
        };
        readonly networks: readonly { readonly name: string }[];
        readonly volumes: readonly { readonly name: string; readonly [source: string]: unknown }[];
      };
    };
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString();

describe('a Machine on one cluster', () => {
  let harness: OperatorHarness;
  let operator: RunningOperator;
  const east = (): ReturnType<OperatorHarness['member']> => harness.member('east');
  const vm = async (name: string): Promise<Vm> => (await harness.vm('east', name)) as Vm;
  const act = (name: string, action: string, body: object = {}): Promise<unknown> =>
    east().client.request({
      method: 'PUT',
      path: `/apis/subresources.kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-${name}/${action}`,
      body,
    });
  const remove = async (name: string): Promise<void> => {
    await harness.supervisor.client.delete(machines, { namespace: team, name });
    await harness.gone(name);
  };

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east'] });
    operator = await harness.operate({ resyncMs: 3_600_000 });
  });

  after(async () => {
    await harness.stop();
  });

  test('becomes a virtual machine that runs, and goes with all that was made for it', async () => {
    const { client } = east();
    await harness.declare('basic', { template: 'medium' });
    const { status, metadata } = await harness.phase('basic', 'Running');
    assert.equal(status?.kubevirtConfigRef, 'east');
    assert.equal(metadata.annotations?.['vitistack.io/kubevirt-config'], 'east');
    await harness.condition('basic', 'Ready', 'True');
    const { status: ready } = await harness.reaches(
      'basic',
      'has an address',
      (one) => (one.status?.ipAddresses ?? []).length > 0,
    );
    assert.deepEqual([ready?.vmName, ready?.vmiName, ready?.observedGeneration], ['vm-basic', 'vm-basic', 1]);
    assert.ok(ready?.nodeName !== undefined);
    for (const type of ['VirtualMachineReady', 'StorageReady', 'NetworkReady'])
      assert.ok(isConditionTrue(ready.conditions, type), type);
    const labelled = { namespace: team, labelSelector: 'vitistack.io/machine=basic' };
    for (const type of [virtualMachines, instances, claims])
      assert.equal((await client.list(type, labelled)).items.length, 1, type.kind);
    const placed = harness.lines.find(({ msg }) => msg === 'Automatically assigned KubevirtConfig to machine');
    assert.deepEqual([placed?.['machine'], placed?.['kubevirtConfig']], ['basic', 'east']);
    const made = harness.lines.find(({ msg }) => msg === 'Creating VirtualMachine resource');
    assert.deepEqual(
      [made?.['controller'], made?.['machine'], made?.['namespace'], made?.['phase']],
      ['Machine', 'basic', team, 'Creating'],
    );

    await remove('basic');
    assert.equal(await look(client, virtualMachines, { namespace: team, name: 'vm-basic' }), undefined);
    assert.equal(await look(client, claims, { namespace: team, name: 'basic-root' }), undefined);
  });

  test('has the disks, networks and cloud-init that it asks for, and takes them with it', async () => {
    const { client } = east();
    await harness.declare('full', {
      template: 'small',
      disks: [{ name: 'root', source: { containerDisk: { image: 'registry.example/fedora:42' } } }],
      networks: [{ name: 'eth0', networkName: 'prod', macAddress: '52:54:00:12:34:56' }],
      cloudInit: { userData: `#cloud-config\n# ${'x'.repeat(3000)}\n` },
    });
    const refused = await harness.condition('full', 'Ready', 'False', 'NetworkConfigurationNotFound');
    assert.match(refused.message, /NetworkConfiguration "prod" does not exist/);
    assert.equal((await harness.condition('full', 'NetworkReady', 'False')).reason, 'NetworkFailed');
    await harness.quiet();
    await harness.supervisor.client.create(networkConfigurations, {
      metadata: { namespace: team, name: 'prod' },
      spec: { vlan: 7, bridge: 'br1' },
    });
    await harness.phase('full', 'Running');
    await harness.condition('full', 'Ready', 'True');
    const attachment = await client.get(networkAttachments, { namespace: team, name: 'prod' });
    assert.match(JSON.stringify(attachment['spec']), /br1.*7/);
    const { template } = (await vm('full')).spec;
    assert.equal(template.spec.domain.devices.interfaces[0]?.macAddress, '52:54:00:12:34:56');
    assert.deepEqual(template.spec.volumes.at(-1), {
      name: 'cloudinitdisk',
      cloudInitNoCloud: { secretRef: { name: 'vm-full-cloudinit' } },
    });
    assert.ok((await look(client, dataVolumes, { namespace: team, name: 'full-root' })) !== undefined);
    await until(
      'the network says where it is',
      async () => {
        const { status } = await harness.supervisor.client.get(networkConfigurations, {
          namespace: team,
          name: 'prod',
        });
        return status?.phase === 'Ready' && status.networks?.[0]?.kubevirtConfig === 'east';
      },
      patient,
    );
    const lines = JSON.stringify(harness.lines);
    assert.ok(!lines.includes('xxxxxxxx'), 'what the guest is told stands in the log');

    await remove('full');
    for (const [type, name] of [
      [virtualMachines, 'vm-full'],
      [dataVolumes, 'full-root'],
      [claims, 'full-root'],
      [secrets, 'vm-full-cloudinit'],
      [networkAttachments, 'prod'],
    ] as const)
      assert.equal(await look(client, type as ResourceType, { namespace: team, name }), undefined, type.kind);
    assert.ok(await look(harness.supervisor.client, networkConfigurations, { namespace: team, name: 'prod' }));
  });

  test('shows at once that it stopped by itself, stays off, and is started when its spec changes', async () => {
    await harness.declare('sleepy', { template: 'small' });
    await harness.condition('sleepy', 'Ready', 'True');
    await act('sleepy', 'stop');
    await harness.phase('sleepy', 'Stopped');
    await harness.condition('sleepy', 'Ready', 'False', 'GuestStopped');
    assert.equal((await vm('sleepy')).spec.runStrategy, 'RerunOnFailure');
    await harness.change('sleepy', { spec: { resources: { cpu: { cores: 2 } } } });
    await harness.phase('sleepy', 'Running');
    assert.equal((await vm('sleepy')).spec.template.spec.domain.cpu.cores, 2);

    await harness.change('sleepy', { spec: { running: false } });
    await harness.phase('sleepy', 'Stopped');
    await harness.condition('sleepy', 'Ready', 'True', 'Stopped');
    await harness.change('sleepy', { spec: { running: true } });
    await harness.condition('sleepy', 'Ready', 'True', 'Running');
  });

  test('is restarted once for each value of the annotation, though the answer is lost and operators change', async () => {
    const { client, faults } = east();
    const instance = async (): Promise<string | undefined> =>
      (await look(client, instances, { namespace: team, name: 'vm-fresh' }))?.metadata.uid;
    const ask = (value: string): Promise<unknown> =>
      harness.change('fresh', { metadata: { annotations: { 'vitistack.io/restart-requested-at': value } } });
    const restarts = async (before: string | undefined, value: string): Promise<string | undefined> => {
      await until(`it is restarted for ${value}`, async () => ![undefined, before].includes(await instance()), patient);
      await harness.reaches(
        'fresh',
        `runs again for ${value}`,
        ({ status }) =>
          isConditionTrue(status?.conditions, 'Ready') && !isConditionTrue(status?.conditions, 'RestartRequired'),
      );
      return instance();
    };
    await harness.declare('fresh', { template: 'small' });
    await harness.condition('fresh', 'Ready', 'True');
    const first = await instance();
    await ask('monday');
    const { message } = await harness.condition('fresh', 'RestartRequired', 'True', 'RestartRequested');
    assert.match(message, /restart-requested-at is "monday"/);
    const second = await restarts(first, 'monday');
    const reasons = await harness.told('fresh', ['Restarting']);
    assert.equal(reasons.filter((reason) => reason === 'Restarting').length, 1);

    // The cluster restarts it, and the operator does not know.
    const path = '/apis/subresources.kubevirt.io/*/restart';
    const { id } = faults.add({ kind: 'reset-mid-line', verbs: ['update'], path });
    await ask('tuesday');
    const third = await restarts(second, 'tuesday');
    faults.remove(id);
    await operator.stop();
    operator = await harness.operate({ resyncMs: 3_600_000 });
    await harness.quiet();
    assert.equal(await instance(), third, 'it was restarted again');

    await harness.change('fresh', { spec: { running: false } });
    await harness.condition('fresh', 'Ready', 'True', 'Stopped');
    await ask('wednesday');
    await harness.change('fresh', { spec: { running: true } });
    await harness.condition('fresh', 'Ready', 'True', 'Running');
    const fourth = await instance();
    await harness.quiet();
    assert.equal(await instance(), fourth, 'its start was the restart');
    await remove('fresh');
  });

  test('keeps what others have plugged into it, and takes its own fields back', async () => {
    const { client } = east();
    const name = 'shared';
    await harness.declare(name, { template: 'small' });
    await harness.condition(name, 'Ready', 'True');
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await client.create(claims, { metadata: { namespace: team, name: 'extra' }, spec });
    const volumeSource = { persistentVolumeClaim: { claimName: 'extra' } };
    await act(name, 'addvolume', { name: 'extra', disk: { disk: { bus: 'scsi' } }, volumeSource });
    await harness.quiet();
    const before = await vm(name);
    const { domain, networks } = before.spec.template.spec;
    await client.patch(
      virtualMachines,
      { namespace: team, name: `vm-${name}` },
      {
        type: 'merge',
        body: {
          spec: {
            template: {
              spec: {
                networks: [...networks, { name: 'by-hand', multus: { networkName: 'elsewhere' } }],
                domain: {
                  // A field of ours, and one that another manager adds.
                  cpu: { cores: 3 },
                  devices: { interfaces: [...domain.devices.interfaces, { name: 'by-hand', bridge: {} }] },
                },
              },
            },
          },
        },
      },
    );
    await until('our field is back', async () => (await vm(name)).spec.template.spec.domain.cpu.cores === 1, patient);
    // A change of our own fields also keeps the fields of others.
    await harness.change(name, { spec: { resources: { cpu: { cores: 2 } } } });
    await until('the change is there', async () => (await vm(name)).spec.template.spec.domain.cpu.cores === 2, patient);
    const { volumes, domain: after, networks: all } = (await vm(name)).spec.template.spec;
    const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map((one) => one.name);
    assert.deepEqual(names(volumes), ['root', 'extra']);
    assert.deepEqual(names(after.devices.disks), ['root', 'extra']);
    assert.deepEqual(names(all), ['default', 'by-hand']);
    assert.deepEqual(names(after.devices.interfaces), ['default', 'by-hand']);
    await harness.condition(name, 'RestartRequired', 'True');
  });

  test('is left alone while it is paused', async () => {
    await harness.declare(
      'calm',
      { template: 'small', running: false },
      { annotations: { 'vitistack.io/paused': 'true' } },
    );
    await harness.declare('loud', { template: 'small', running: false });
    await harness.condition('loud', 'Ready', 'True');
    await harness.condition('calm', 'Paused', 'True');
    assert.equal((await harness.machine('calm')).status?.kubevirtConfigRef, undefined);
    await harness.change('calm', { metadata: { annotations: { 'vitistack.io/paused': null } } });
    await harness.condition('calm', 'Ready', 'True');
    await harness.change('calm', { metadata: { annotations: { 'vitistack.io/paused': 'look at it first' } } });
    await harness.condition('calm', 'Paused', 'True');
    await harness.change('calm', { spec: { resources: { cpu: { cores: 4 } } } });
    await harness.change('loud', { spec: { resources: { cpu: { cores: 4 } } } });
    await until(
      'the other is changed',
      async () => (await vm('loud')).spec.template.spec.domain.cpu.cores === 4,
      patient,
    );
    assert.equal((await vm('calm')).spec.template.spec.domain.cpu.cores, 1);
  });

  test('finds its virtual machine again when that lost its labels and the Machine changed meanwhile', async () => {
    const name = 'unmarked';
    await harness.declare(name, { template: 'small', running: false });
    await harness.condition(name, 'Ready', 'True');
    await harness.change(name, { metadata: { annotations: { 'vitistack.io/paused': 'true' } } });
    await harness.condition(name, 'Paused', 'True');
    const { metadata } = await harness.vm('east', name);
    const labels = Object.fromEntries(Object.keys(metadata.labels ?? {}).map((label) => [label, null]));
    const key = { namespace: team, name: `vm-${name}` };
    await east().client.patch(virtualMachines, key, { type: 'merge', body: { metadata: { labels } } });
    await harness.change(name, { spec: { resources: { cpu: { cores: 3 } } } });
    await harness.change(name, { metadata: { annotations: { 'vitistack.io/paused': null } } });
    await until('it is changed', async () => (await vm(name)).spec.template.spec.domain.cpu.cores === 3, patient);
    assert.deepEqual((await harness.vm('east', name)).metadata.labels, metadata.labels);
    assert.equal((await harness.vm('east', name)).metadata.uid, metadata.uid);
  });

  test('takes a label off its virtual machine that it has no more, though it came while that was not seen', async () => {
    const [name, label] = ['passing', 'cluster.vitistack.io/cluster-name'];
    const key = { namespace: team, name: `vm-${name}` };
    const shown = async (): Promise<readonly unknown[]> => {
      const { metadata, spec } = await vm(name);
      return [metadata.labels?.[label], spec.template.metadata.labels?.[label]];
    };
    const say = (value: string | null): Promise<unknown> =>
      harness.change(name, { metadata: { labels: { [label]: value }, annotations: { 'vitistack.io/paused': null } } });
    await harness.declare(name, { template: 'small', running: false });
    await harness.condition(name, 'Ready', 'True');
    await harness.change(name, { metadata: { annotations: { 'vitistack.io/paused': 'true' } } });
    await harness.condition(name, 'Paused', 'True');
    const { metadata } = await vm(name);
    const none = Object.fromEntries(Object.keys(metadata.labels ?? {}).map((one) => [one, null]));
    await east().client.patch(virtualMachines, key, { type: 'merge', body: { metadata: { labels: none } } });
    await say('blue');
    await until('it is labelled', async () => isDeepStrictEqual(await shown(), ['blue', 'blue']), patient);
    await say(null);
    await until(
      'the label is gone',
      async () => {
        if ((await shown()).every((value) => value === undefined)) return true;
        throw new Error(JSON.stringify((await vm(name)).metadata));
      },
      patient,
    );
  });

  test('says that a disk will be gone whose claim was deleted while it runs, and has it created again when it stops', async () => {
    const name = 'doomed';
    const key = { namespace: team, name: `${name}-data` };
    const says = (what: RegExp): Promise<unknown> =>
      harness.reaches(name, `says ${what}`, ({ status }) =>
        what.test(findCondition(status?.conditions, 'StorageReady')?.message ?? ''),
      );
    await harness.declare(name, { template: 'small', disks: [{ name: 'data', size: '1Gi' }] });
    await harness.condition(name, 'Ready', 'True');
    const { uid } = (await east().client.get(claims, key)).metadata;
    await east().client.delete(claims, key);
    await says(/^All 2 disks are there\. The claim of the disk "data"/);
    const { message } = await harness.condition(name, 'Ready', 'False', 'ClaimDeleted');
    assert.match(message, /^The claim of the disk "data" was deleted: back up its data/);
    await harness.told(name, ['ClaimDeleted']);
    await harness.change(name, { spec: { running: false } });
    await until(
      'there is another',
      async () => ((await look(east().client, claims, key))?.metadata.uid ?? uid) !== uid,
      patient,
    );
    await says(/^All 2 disks are there\.$/);
    await harness.told(name, ['DiskLost']);
    await harness.condition(name, 'Ready', 'True');
  });

  test('copies the Secret that it names, and again when that changes', async () => {
    const { client } = harness.supervisor;
    const key = { namespace: team, name: 'words' };
    await harness.declare('told', {
      template: 'small',
      running: false,
      cloudInit: { secretRef: { name: 'words', key: 'guest' } },
    });
    await harness.condition('told', 'Ready', 'False', 'CloudInitSecretNotFound');
    await harness.quiet();
    await client.create(secrets, { metadata: key, data: { guest: base64('first') } });
    await harness.condition('told', 'Ready', 'True');
    const copy = async (): Promise<string> => {
      const found: SecretObject = await east().client.get(secrets, { namespace: team, name: 'vm-told-cloudinit' });
      return decoded(found.data?.['userdata']);
    };
    assert.equal(await copy(), 'first');
    await harness.quiet();
    await client.patch(secrets, key, { type: 'merge', body: { data: { guest: base64('second') } } });
    await until('the copy is new', async () => (await copy()) === 'second', patient);
    await harness.change('told', { spec: { cloudInit: null } });
    await until(
      'the copy is gone',
      async () => (await look(east().client, secrets, { namespace: team, name: 'vm-told-cloudinit' })) === undefined,
      patient,
    );
  });

  test('keeps the Secret that an instance was made with, until that is gone', async () => {
    const key = { namespace: team, name: 'vm-early-cloudinit' };
    const isThere = async (): Promise<boolean> => (await look(east().client, secrets, key)) !== undefined;
    await harness.declare('early', {
      template: 'small',
      cloudInit: { userData: `#cloud-config\n# ${'x'.repeat(3000)}\n` },
    });
    await harness.condition('early', 'Ready', 'True');
    const { metadata } = await harness.change('early', { spec: { cloudInit: null } });
    await harness.reaches(
      'early',
      'the change is made',
      ({ status }) => status?.observedGeneration === metadata.generation,
    );
    assert.ok(await isThere());
    await harness.change('early', { spec: { running: false } });
    await until('the Secret is gone', async () => !(await isThere()), patient);
  });

  test('takes no virtual machine that is not its own, unless an annotation allows that', async () => {
    const { client } = east();
    const template = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };
    await client.create(virtualMachines, {
      metadata: { namespace: team, name: 'vm-found' },
      spec: { running: true, template },
    });
    await until(
      'it runs',
      async () => (await look(client, instances, { namespace: team, name: 'vm-found' })) !== undefined,
      patient,
    );
    await harness.declare('found', { template: 'small' });
    const refused = await harness.condition('found', 'Ready', 'False', 'AdoptionRefused');
    assert.match(refused.message, /vitistack.io\/adopt/);
    await harness.change('found', { metadata: { annotations: { 'vitistack.io/adopt': 'true' } } });
    await harness.reaches('found', 'has an address', ({ status }) => (status?.ipAddresses ?? []).length > 0);
    assert.equal((await vm('found')).spec.runStrategy, 'RerunOnFailure');
    const told = await harness.told('found', ['Adopted', 'VMUpdated']);
    assert.ok(!told.includes('VMCreated'), 'it was there before');
  });

  test('knows its virtual machine though a user has removed its labels', async () => {
    const key = { namespace: team, name: 'vm-bare' };
    const strip = async (): Promise<void> => {
      const { metadata } = await east().client.get(virtualMachines, key);
      const none = Object.fromEntries(Object.keys(metadata.labels ?? {}).map((label) => [label, null]));
      await east().client.patch(virtualMachines, key, { type: 'merge', body: { metadata: { labels: none } } });
    };
    await harness.declare('bare', { template: 'small', running: false });
    await harness.condition('bare', 'Ready', 'True');
    await strip();
    await until(
      'the labels are back',
      async () => (await vm('bare')).metadata.labels?.['vitistack.io/machine'] === 'bare',
      patient,
    );
    await harness.told('bare', ['VMCreated', 'VMUpdated']);
    await harness.change('bare', { metadata: { annotations: { 'vitistack.io/paused': 'true' } } });
    await harness.condition('bare', 'Paused', 'True');
    await strip();
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'bare' });
    await harness.change('bare', { metadata: { annotations: { 'vitistack.io/paused': null } } });
    await harness.gone('bare');
    assert.equal(await look(east().client, virtualMachines, key), undefined);
  });

  test('uses a namespace that is not its own only where that is allowed', async () => {
    const { client } = east();
    for (const cluster of [client, harness.supervisor.client])
      await cluster.create(namespaces, { metadata: { name: 'team-b' } });
    await harness.supervisor.client.create(machines, {
      metadata: { namespace: 'team-b', name: 'guest' },
      spec: { template: 'small', running: false },
    });
    const ready = async (): Promise<string | undefined> => {
      const { status } = await harness.supervisor.client.get(machines, { namespace: 'team-b', name: 'guest' });
      return findCondition(status?.conditions, 'Ready')?.reason;
    };
    await until('it is refused', async () => (await ready()) === 'NamespaceNotAllowed', patient);
    const body = { metadata: { labels: { 'vitistack.io/allow-machines': 'true' } } };
    await harness.quiet();
    await client.patch(namespaces, { name: 'team-b' }, { type: 'merge', body });
    await until('it is made', async () => (await ready()) === 'Stopped', patient);
  });

  test('grows its disks, keeps those that are taken out, and refuses what cannot be', async () => {
    const { client } = east();
    await harness.declare('disky', { template: 'small', disks: [{ name: 'data', size: '1Gi' }] });
    await harness.condition('disky', 'Ready', 'True');
    await harness.change('disky', { spec: { disks: [{ name: 'data', size: '2Gi' }] } });
    await until(
      'it has grown',
      async () => {
        const claim = await client.get(claims, { namespace: team, name: 'disky-data' });
        return JSON.stringify(claim).includes('"requests":{"storage":"2Gi"}');
      },
      patient,
    );
    const { metadata: disk } = await client.get(claims, { namespace: team, name: 'disky-data' });
    const filled = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'disky-data', uid: disk.uid ?? '' };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const { labels = {}, annotations = {} } = disk;
    // CDI creates such a claim beside a disk that it fills.
    const prime = { namespace: team, name: 'prime-of-disky', labels, annotations, ownerReferences: [filled] };
    await client.create(claims, { metadata: prime, spec });
    await harness.change('disky', { spec: { disks: [] } });
    await until('it is detached', async () => (await vm('disky')).spec.template.spec.volumes.length === 1, patient);
    await harness.told('disky', ['DiskDetached']);
    const { items } = await harness.supervisor.client.list(eventType, { namespace: team });
    const { message } = items.find((one) => one.reason === 'DiskDetached') ?? {};
    assert.equal(message, 'Kept until the Machine is deleted, since no disk of the spec names them: disky-data');
    await client.delete(claims, { namespace: team, name: prime.name });
    assert.ok(await look(client, claims, { namespace: team, name: 'disky-data' }));
    await harness.change('disky', { spec: { disks: [{ name: 'more', size: '1Gi', storageClass: 'nowhere' }] } });
    const refused = await harness.condition('disky', 'Ready', 'False', 'StorageClassNotFound');
    assert.match(refused.message, /"nowhere"/);
    assert.equal((await harness.machine('disky')).status?.phase, 'Running');
    // Other problems do not prevent powering it off.
    await harness.change('disky', { spec: { running: false } });
    await harness.phase('disky', 'Stopped');
    await remove('disky');
    assert.equal(await look(client, claims, { namespace: team, name: 'disky-data' }), undefined);
  });
});
