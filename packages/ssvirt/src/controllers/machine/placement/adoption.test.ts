/**
 * Adoption of VirtualMachines that existed before their Machine: they keep the settings that the Machine does not
 * state, and the objects that they use become children of the Machine.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAdoptionWebhook } from '../../../../../../test/machine-operator/adoption-webhook.ts';
import { look, OperatorHarness, patient, team } from '../../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { roleBindings } from '../../../fleet/identity/account.ts';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  networkAttachments,
  secrets,
  virtualMachines,
} from '../../../fleet/kinds.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { findCondition, type Condition } from '@ssvirt/kube/reconcile/conditions';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { MachineSpec } from '../../../kubevirt/machine/resource.ts';
import { fields, list, type Fields } from '../../../kubevirt/facts/reading.ts';
import { machines, networkConfigurations, type Machine } from '../machine-types.ts';

const adopting = { annotations: { 'vitistack.io/adopt': 'true' } };
const words = `#cloud-config\n# ${'x'.repeat(3000)}\n`;
const full: MachineSpec = {
  template: 'medium',
  disks: [
    { name: 'data', size: '1Gi' },
    { name: 'image', size: '2Gi', source: { containerDisk: { image: 'registry.example/fedora:42' } } },
  ],
  cloudInit: { userData: words },
};

describe('a VirtualMachine that is adopted', () => {
  let harness: OperatorHarness;
  const client = (): ReturnType<OperatorHarness['member']>['client'] => harness.member('east').client;
  const made = (type: ResourceType<KubeObject>, name: string, object: object): Promise<KubeObject> => {
    const { metadata, ...rest } = fields(object);
    return client().create(type, { metadata: { namespace: team, name, ...fields(metadata) }, ...rest });
  };
  const claim = (name: string, more: object = {}): Promise<KubeObject> =>
    made(claims, name, {
      ...more,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } },
    });
  const vm = (name: string): Promise<KubeObject> =>
    client().get(virtualMachines, { namespace: team, name: `vm-${name}` });
  const template = async (name: string): Promise<Fields> =>
    fields(fields(fields(fields(await vm(name))['spec'])['template'])['spec']);
  const at = <T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> =>
    look(client(), type, { namespace: team, name });
  const uids = async (name: string): Promise<Readonly<Record<string, string | undefined>>> => {
    const objects = [
      await at(virtualMachines, `vm-${name}`),
      await at(instances, `vm-${name}`),
      await at(claims, `${name}-root`),
      await at(claims, `${name}-data`),
      await at(claims, `${name}-image`),
      await at(dataVolumes, `${name}-image`),
      await at(secrets, `vm-${name}-cloudinit`),
    ];
    return Object.fromEntries(objects.map((one, index) => [`${index} ${one?.metadata.name}`, one?.metadata.uid]));
  };
  const ready = (name: string): Promise<Machine> =>
    harness.reaches(name, 'is ready, as it is asked for', ({ status, metadata }) =>
      (status?.conditions ?? []).some(
        (one) => one.type === 'Ready' && one.status === 'True' && status?.observedGeneration === metadata.generation,
      ),
    );
  /** Waits until the Machine is ready or its disks or VM are refused. */
  const settled = async (name: string): Promise<Condition | undefined> => {
    const readiness = ({ status }: Machine): Condition | undefined => findCondition(status?.conditions, 'Ready');
    const machine = await harness.reaches(name, 'is ready or refused', (one) => {
      const { status, reason } = readiness(one) ?? {};
      const isDone = status === 'True' && one.status?.observedGeneration === one.metadata.generation;
      return isDone || reason === 'NameConflict' || reason === 'AdoptionRefused';
    });
    return readiness(machine);
  };
  const refusal = async (name: string): Promise<string> => {
    const { reason, message } = (await settled(name)) ?? {};
    return `${reason}: ${message}`;
  };
  const using = (existingClaim: string): MachineSpec => ({
    template: 'small',
    running: false,
    disks: [{ name: 'root', existingClaim }],
  });
  const original = (name: string): KubeObject['metadata'] => ({
    labels: { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': name },
  });
  /** A VirtualMachine made by hand, or by the original operator. */
  const handMade = (
    name: string,
    claimName: string,
    metadata: object = {},
    ...volumes: readonly object[]
  ): Promise<KubeObject> =>
    made(virtualMachines, `vm-${name}`, {
      metadata,
      spec: {
        runStrategy: 'Halted',
        template: {
          spec: {
            domain: { memory: { guest: '1Gi' }, devices: {} },
            volumes: [{ name: 'os', persistentVolumeClaim: { claimName } }, ...volumes],
          },
        },
      },
    });
  const isKept = async (name: string): Promise<boolean> => {
    const found = await at(claims, name);
    return found !== undefined && found.metadata.deletionTimestamp === undefined;
  };
  /** The Machine is lost and its objects stay, as after the loss of a supervisor or of its cluster. */
  const lose = async (name: string): Promise<void> => {
    await harness.change(name, { metadata: { annotations: { 'vitistack.io/paused': 'true' } } });
    await harness.condition(name, 'Paused', 'True');
    await harness.quiet();
    await harness.supervisor.client.delete(machines, { namespace: team, name });
    await harness.change(name, { metadata: { finalizers: null } });
    await harness.gone(name);
  };
  const remove = async (name: string): Promise<void> => {
    await harness.supervisor.client.delete(machines, { namespace: team, name });
    await harness.gone(name);
  };

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east'] });
    // Some tests create objects before any Machine exists.
    await client().create(namespaces, {
      metadata: { name: team, labels: { 'vitistack.io/allow-machines': 'true' } },
    });
    await harness.operate({ resyncMs: 3_600_000 });
  });

  after(async () => {
    await harness.stop();
  });

  test('by a Machine that is written again is the very same, with all that it uses, and goes with it', async () => {
    const name = 'again';
    await harness.declare(name, full);
    await ready(name);
    const [before, had] = [await uids(name), await template(name)];
    await lose(name);
    await harness.declare(name, full);
    const refused = await harness.condition(name, 'Ready', 'False', 'AdoptionRefused');
    assert.match(
      refused.message,
      /^VirtualMachine "team-a\/vm-again" exists .* not created for Machine "team-a\/again"\. Set the annotation vitistack\.io\/adopt: "true"/,
    );
    await harness.change(name, { metadata: adopting });
    await ready(name);
    assert.deepEqual(await uids(name), before);
    assert.deepEqual(await template(name), had);
    assert.equal(
      (await harness.machine(name)).status?.conditions?.some(({ type }) => type === 'RestartRequired'),
      false,
    );
    const { nodeName, ipAddresses } = await harness
      .reaches(name, 'is seen to run', ({ status }) => status?.nodeName !== undefined)
      .then(({ status }) => status ?? {});
    assert.ok(nodeName !== undefined && (ipAddresses ?? []).length > 0);
    await harness.told(name, ['Adopted']);
    // The VM belongs to the Machine now, whatever the annotation says.
    await harness.change(name, {
      metadata: { annotations: { 'vitistack.io/adopt': null } },
      spec: { disks: [{ name: 'data', size: '2Gi' }, full.disks?.[1]] },
    });
    await until(
      'the disk has grown',
      async () => JSON.stringify(await at(claims, `${name}-data`)).includes('"requests":{"storage":"2Gi"}'),
      patient,
    );
    await remove(name);
    assert.deepEqual(
      Object.values(await uids(name)),
      Object.values(before).map(() => undefined),
    );
  });

  test('by a Machine that says less keeps its sizes, disks, address and firmware', async () => {
    const name = 'less';
    await harness.declare(name, {
      ...full,
      resources: { cpu: { cores: 3, threads: 2 }, memory: { size: '3Gi' } },
      networks: [{ name: 'eth0', macAddress: '52:54:00:aa:bb:cc', model: 'e1000' }],
      bootOrder: ['network', 'disk'],
      domain: { firmware: { bootloader: { efi: true } }, machine: { type: 'pc-q35' } },
    });
    await ready(name);
    const [before, had] = [await uids(name), await template(name)];
    await lose(name);
    await harness.declare(name, { template: 'small' }, adopting);
    await ready(name);
    assert.deepEqual(await uids(name), before);
    assert.deepEqual(await template(name), had);
    // Settings that the Machine states are applied, and so is another template.
    await harness.change(name, { spec: { resources: { cpu: { cores: 4 } } } });
    await until(
      'it has 4 cores',
      async () =>
        JSON.stringify((await template(name))['domain']).includes('"cpu":{"cores":4,"sockets":1,"threads":2}') ||
        JSON.stringify(fields(fields((await template(name))['domain'])['cpu'])) ===
          '{"cores":4,"threads":2,"sockets":1}',
      patient,
    );
    await harness.change(name, { spec: { template: 'large', resources: null } });
    await until(
      'it is large',
      async () => fields(fields((await template(name))['domain'])['memory'])['guest'] === '8Gi',
      patient,
    );
    assert.deepEqual(list((await template(name))['volumes']).length, list(had['volumes']).length);
    await remove(name);
    // Disks that the Machine did not name were also created for a Machine of its name.
    assert.equal(await at(claims, `${name}-data`), undefined);
  });

  test('of the original operator keeps its claim, which becomes the disk of the Machine', async () => {
    const labels = { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': 'mig' };
    const root = await claim('mig-root', { metadata: { labels } });
    await made(virtualMachines, 'vm-mig', {
      metadata: { labels },
      spec: {
        runStrategy: 'Always',
        template: {
          metadata: { labels: { 'vitistack.io/machine': 'mig' } },
          spec: {
            domain: {
              cpu: { cores: 2, threads: 1, sockets: 1 },
              memory: { guest: '4Gi' },
              devices: {
                disks: [{ name: 'root', bootOrder: 1, disk: { bus: 'sata' } }],
                interfaces: [{ name: 'default', macAddress: '02:12:34:56:78:9a', masquerade: {} }],
              },
            },
            networks: [{ name: 'default', pod: {} }],
            volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'mig-root' } }],
          },
        },
      },
    });
    await until(
      'it runs',
      async () =>
        (await at(instances, 'vm-mig'))?.metadata.uid !== undefined &&
        fields(fields(await at(instances, 'vm-mig'))['status'])['phase'] === 'Running',
      patient,
    );
    const [{ metadata }, had, instance] = [await vm('mig'), await template('mig'), await at(instances, 'vm-mig')];
    await harness.declare('mig', { template: 'small' }, adopting);
    await ready('mig');
    assert.equal((await vm('mig')).metadata.uid, metadata.uid);
    assert.deepEqual(await template('mig'), had);
    assert.equal((await at(instances, 'vm-mig'))?.metadata.uid, instance?.metadata.uid);
    assert.equal((await at(claims, 'mig-root'))?.metadata.uid, root.metadata.uid);
    await remove('mig');
    assert.equal(await at(claims, 'mig-root'), undefined);
  });

  test('made by hand keeps disks of other names, in their order, in front of a new one', async () => {
    for (const name of ['legacy-os', 'legacy-data']) await claim(name);
    await made(virtualMachines, 'vm-hand', {
      spec: {
        running: false,
        template: {
          spec: {
            domain: {
              resources: { requests: { memory: '2Gi' } },
              devices: {
                disks: [
                  { name: 'd', disk: { bus: 'virtio' } },
                  { name: 'c', bootOrder: 1, disk: { bus: 'sata' } },
                ],
                interfaces: [{ name: 'nic', macAddress: '02:00:00:00:00:07', bridge: {} }],
              },
            },
            networks: [{ name: 'nic', pod: {} }],
            volumes: [
              { name: 'c', persistentVolumeClaim: { claimName: 'legacy-os' } },
              { name: 'd', persistentVolumeClaim: { claimName: 'legacy-data' } },
            ],
          },
        },
      },
    });
    const had = await template('hand');
    await harness.declare('hand', { template: 'small', running: false }, adopting);
    await ready('hand');
    assert.deepEqual(await template('hand'), had);
    assert.equal(await at(claims, 'hand-root'), undefined, 'a blank disk was made');
    await harness.change('hand', {
      spec: {
        disks: [
          { name: 'more', size: '1Gi' },
          { name: 'c', existingClaim: 'legacy-os' },
        ],
      },
    });
    await until('there is one disk more', async () => list((await template('hand'))['volumes']).length === 3, patient);
    const names = list(fields(fields((await template('hand'))['domain'])['devices'])['disks']).map(
      (one) => fields(one)['name'],
    );
    assert.deepEqual(names, ['d', 'c', 'more']);
    // A new disk with the name of an existing volume would replace it.
    await harness.change('hand', { spec: { disks: [{ name: 'd', size: '1Gi' }] } });
    const { message } = await harness.condition('hand', 'Ready', 'False', 'NameConflict');
    assert.match(message, /^spec\.disks\["d"\].*is the claim "legacy-data".*existingClaim: legacy-data/);
    assert.deepEqual(list(fields(fields((await template('hand'))['domain'])['devices'])['disks'])[0], {
      name: 'd',
      disk: { bus: 'virtio' },
    });
    await remove('hand');
    assert.equal(await at(claims, 'hand-more'), undefined);
    for (const name of ['legacy-os', 'legacy-data'])
      assert.equal((await at(claims, name))?.metadata.deletionTimestamp, undefined, name);
  });

  test('may be gone, and its disks are had back all the same', async () => {
    const labels = { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': 'bare' };
    const { metadata } = await claim('bare-root', { metadata: { labels } });
    await harness.declare('bare', { template: 'small', running: false });
    const { message } = await harness.condition('bare', 'Ready', 'False', 'AdoptionRefused');
    assert.match(
      message,
      /bare-root".*which is gone.*vitistack\.io\/adopt: "true".*ssvirt machine adopt bare -n team-a --dry-run/,
    );
    await harness.change('bare', { metadata: adopting, spec: { disks: [{ name: 'root', size: '3Gi' }] } });
    await ready('bare');
    assert.equal((await at(claims, 'bare-root'))?.metadata.uid, metadata.uid);
  });

  test('is left alone where the Machine does not say so, and no unused disk is made', async () => {
    const spec = { runStrategy: 'Halted', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } };
    await made(virtualMachines, 'vm-strange', { spec });
    await harness.declare('strange', { template: 'small', running: false });
    await harness.condition('strange', 'Ready', 'False', 'AdoptionRefused');
    assert.equal(await at(claims, 'strange-root'), undefined);
  });

  test('is an invalid spec where a webhook of the cluster denies it or its claim, in the words of the webhook', async () => {
    const webhook = await startAdoptionWebhook(client(), team);
    try {
      await claim('guarded-root', { metadata: original('guarded') });
      await handMade('guarded', 'guarded-root', original('guarded'));
      const denial = async (kind: string, name: string): Promise<void> => {
        const said = `adopt ${kind} "${team}/${name}" in remote cluster "east": admission webhook "owners.example.com" denied the request: ${name} has an owner. Change the Machine, or the policy that rejects it`;
        const reached = await harness.reaches('guarded', `is denied ${name}`, ({ status }) => {
          const { reason, message = '' } = findCondition(status?.conditions, 'Ready') ?? {};
          return reason !== 'Creating' && message.includes(name);
        });
        const { reason, message } = findCondition(reached.status?.conditions, 'Ready') ?? {};
        assert.deepEqual([reason, message], ['InvalidSpec', `Failed to ${said}`]);
      };
      webhook.deny('vm-guarded');
      await harness.declare('guarded', { template: 'small', running: false }, adopting);
      await denial('VirtualMachine', 'vm-guarded');
      webhook.deny('guarded-root');
      await harness.change('guarded', { metadata: { annotations: { tried: 'again' } } });
      await denial('PersistentVolumeClaim', 'guarded-root');
      webhook.deny(undefined);
      await harness.change('guarded', { metadata: { annotations: { tried: 'once more' } } });
      await ready('guarded');
    } finally {
      await webhook.stop();
    }
  });

  test('is refused while a claim that it uses is that of a live Machine, and nothing is written', async () => {
    await harness.declare('first', { template: 'small', running: false });
    await ready('first');
    await made(virtualMachines, 'vm-second', {
      spec: {
        runStrategy: 'Halted',
        template: {
          spec: {
            domain: { memory: { guest: '1Gi' }, devices: {} },
            volumes: [{ name: 'x', persistentVolumeClaim: { claimName: 'first-root' } }],
          },
        },
      },
    });
    await harness.declare('second', { template: 'small', running: false }, adopting);
    const { message } = await harness.condition('second', 'Ready', 'False', 'AdoptionRefused');
    assert.match(message, /uses PersistentVolumeClaim "first-root", which belongs to Machine "team-a\/first"/);
    const { metadata } = await vm('second');
    assert.deepEqual([metadata.labels, metadata.generation], [undefined, 1]);
    // The same for a claim that a Machine names.
    await harness.declare('third', {
      template: 'small',
      running: false,
      disks: [{ name: 'root', existingClaim: 'first-root' }],
    });
    const refused = await harness.condition('third', 'Ready', 'False', 'NameConflict');
    assert.match(
      refused.message,
      /^spec\.disks\["root"\]\.existingClaim: .*belongs to Machine "team-a\/first": name another/,
    );
  });

  test('is refused to a second Machine that says it is the same, as long as the first is there', async () => {
    await harness.declare('one', { template: 'small', running: false });
    await ready('one');
    const { metadata } = await harness.machine('one');
    // The result of a tool that moves VMs: the VirtualMachine has a new name and the uid of the Machine that it was
    // created for.
    const labels = { ...(await vm('one')).metadata.labels, 'vitistack.io/machine': 'two' };
    await made(virtualMachines, 'vm-two', {
      metadata: { labels, annotations: { 'ssvirt.io/parent': `${team}/one` } },
      spec: { runStrategy: 'Halted', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    });
    await harness.declare('two', { template: 'small', running: false }, adopting);
    const { message } = await harness.condition('two', 'Ready', 'False', 'AdoptionRefused');
    assert.match(message, /belongs to Machine "team-a\/one": two controllers would overwrite/);
    assert.equal((await vm('two')).metadata.labels?.['ssvirt.io/parent-uid'], metadata.uid);
  });

  test('is adopted where Secrets are closed to the operator, unless it uses one', async () => {
    const namespace = 'closed';
    const opened = { name: namespace, labels: { 'vitistack.io/allow-machines': 'true' } };
    await client().create(namespaces, { metadata: opened });
    await harness.supervisor.client.create(namespaces, { metadata: { name: namespace } });
    const { faults } = harness.member('east');
    const { id } = faults.add({ kind: '403', path: `/api/v1/namespaces/${namespace}/secrets` });
    const { metadata } = await claim('plain-root', { metadata: { ...original('plain'), namespace } });
    await handMade('plain', 'plain-root', { ...original('plain'), namespace });
    const words = { name: 'cloudinit', cloudInitNoCloud: { secretRef: { name: 'words' } } };
    await handMade('worded', 'worded-root', { ...original('worded'), namespace }, words);
    const reaches = async (name: string, isThere: (ready: Condition | undefined) => boolean): Promise<void> => {
      await harness.declare(name, { template: 'small', running: false }, { ...adopting, namespace });
      await until(
        `Machine ${name} is adopted or refused`,
        async () => {
          const { status } = await harness.supervisor.client.get(machines, { namespace, name });
          if (isThere(findCondition(status?.conditions, 'Ready'))) return true;
          throw new Error(JSON.stringify(status));
        },
        patient,
      );
    };
    await reaches('plain', (ready) => ready?.status === 'True');
    const adopted = await client().get(claims, { namespace, name: 'plain-root' });
    assert.equal(adopted.metadata.uid, metadata.uid);
    const machine = await harness.supervisor.client.get(machines, { namespace, name: 'plain' });
    assert.equal(adopted.metadata.labels?.['ssvirt.io/parent-uid'], machine.metadata.uid);
    await reaches('worded', (ready) => ready?.reason === 'SecretsForbidden');
    const { labels } = (await client().get(virtualMachines, { namespace, name: 'vm-worded' })).metadata;
    assert.deepEqual(labels, original('worded').labels);
    faults.remove(id);
  });

  test('is taken from a supervisor that is gone, and not taken back from one that has adopted it since', async () => {
    const name = 'wanted';
    const old = {
      'vitistack.io/managed-by': 'kubevirt-operator',
      'vitistack.io/machine': name,
      'vitistack.io/supervisor': 'the-old-one',
      'ssvirt.io/parent-uid': 'of-the-old-one',
    };
    await made(virtualMachines, `vm-${name}`, {
      metadata: { labels: old, annotations: { 'ssvirt.io/parent': `${team}/${name}` } },
      spec: { runStrategy: 'Halted', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    });
    await harness.declare(name, { template: 'small', running: false }, adopting);
    await ready(name);
    assert.notEqual((await vm(name)).metadata.labels?.['vitistack.io/supervisor'], 'the-old-one');
    const labels = { 'vitistack.io/supervisor': 'the-new-one', 'ssvirt.io/parent-uid': 'of-the-new-one' };
    const body = { metadata: { labels } };
    await client().patch(virtualMachines, { namespace: team, name: `vm-${name}` }, { type: 'merge', body });
    const { message } = await harness.condition(name, 'Ready', 'False', 'AdoptionRefused');
    assert.match(message, /Another supervisor \(label vitistack\.io\/supervisor: the-new-one\) has adopted it since/);
    assert.equal((await vm(name)).metadata.labels?.['vitistack.io/supervisor'], 'the-new-one');
  });

  test('is adopted where a lost supervisor has left its RoleBinding and its network', async () => {
    const name = 'left';
    const spec: MachineSpec = {
      template: 'small',
      running: false,
      networks: [{ name: 'eth0', networkName: 'prod' }],
    };
    const key = { namespace: team, name: 'prod' };
    await harness.supervisor.client.create(networkConfigurations, { metadata: key, spec: {} });
    await harness.declare(name, spec);
    await ready(name);
    const before = await uids(name);
    await lose(name);
    const metadata = {
      labels: { 'vitistack.io/supervisor': 'the-lost-one' },
      annotations: { 'ssvirt.io/applied-hash': 'by-the-lost-one' },
    };
    await client().patch(networkAttachments, key, { type: 'merge', body: { metadata } });
    const binding = { namespace: team, name: 'ssvirt-machine-operator-secrets' };
    await client().patch(roleBindings, binding, { type: 'merge', body: { metadata } });
    await harness.declare(name, spec, adopting);
    await ready(name);
    assert.deepEqual(await uids(name), before);
    await remove(name);
  });

  test('uses a claim that a Machine names, waits for one that is missing, and leaves it behind', async () => {
    const name = 'attached';
    await harness.declare(name, {
      template: 'small',
      running: false,
      disks: [{ name: 'root', existingClaim: 'imported' }],
    });
    const missing = await harness.condition(name, 'Ready', 'False', 'ClaimNotFound');
    assert.match(
      missing.message,
      /^spec\.disks\["root"\]\.existingClaim: cluster "east" has no PersistentVolumeClaim "team-a\/imported"/,
    );
    await claim('imported');
    await harness.change(name, { metadata: { annotations: { seen: 'yes' } } });
    await ready(name);
    assert.deepEqual((await template(name))['volumes'], [
      { name: 'root', persistentVolumeClaim: { claimName: 'imported' } },
    ]);
    assert.equal(await at(claims, `${name}-root`), undefined);
    await harness.declare('late', {
      template: 'small',
      running: false,
      disks: [{ name: 'root', existingClaim: 'imported' }],
    });
    const taken = await harness.condition('late', 'Ready', 'False', 'NameConflict');
    assert.match(taken.message, /is used by Machine "team-a\/attached": name another/);
    await remove('late');
    await remove(name);
    const left = await at(claims, 'imported');
    assert.ok(left !== undefined && left.metadata.deletionTimestamp === undefined);
    assert.equal(left.metadata.labels, undefined);
  });

  test('gets no disk of a former Machine that another Machine uses, and does not delete it', async () => {
    for (const name of ['lent-root', 'moved-root', 'moved-data'])
      await claim(name, { metadata: original(name.replace(/-.*/, '')) });
    for (const name of ['lent-root', 'moved-data']) {
      await harness.declare(`user-of-${name}`, using(name));
      await ready(`user-of-${name}`);
    }
    // There is no VM: the disk is where the Machine would create its own.
    await harness.declare(
      'lent',
      { template: 'small', running: false, disks: [{ name: 'root', size: '3Gi' }] },
      adopting,
    );
    assert.match(
      await refusal('lent'),
      /^NameConflict: PersistentVolumeClaim "team-a\/lent-root" .* is used by Machine "team-a\/user-of-lent-root": give/,
    );
    // The VM does not use the disk any more.
    await handMade('moved', 'moved-root', original('moved'));
    await harness.declare('moved', { template: 'small', running: false }, adopting);
    await ready('moved');
    for (const name of ['lent', 'moved']) await remove(name);
    assert.deepEqual(await Promise.all(['lent-root', 'moved-data', 'moved-root'].map(isKept)), [true, true, false]);
  });

  test('is refused while another Machine uses its disk, and nothing is written', async () => {
    await claim('shared');
    await harness.declare('lender', using('shared'));
    await ready('lender');
    await handMade('borrower', 'shared');
    await harness.declare('borrower', { template: 'small', running: false }, adopting);
    assert.match(
      await refusal('borrower'),
      /^AdoptionRefused: .* uses PersistentVolumeClaim "shared", which Machine "team-a\/lender" uses too: .* one of them$/,
    );
    const { metadata } = await vm('borrower');
    assert.deepEqual([metadata.labels, metadata.generation], [undefined, 1]);
  });

  test('keeps a disk that its Machine does not name, also from a Machine that names it', async () => {
    await claim('unnamed');
    await handMade('keeper', 'unnamed');
    await harness.declare('keeper', { template: 'small', running: false }, adopting);
    await ready('keeper');
    await harness.declare('taker', using('unnamed'));
    assert.match(
      await refusal('taker'),
      /^NameConflict: spec\.disks\["root"\]\.existingClaim: .*"team-a\/unnamed" .* is used by Machine "team-a\/keeper": name/,
    );
    await harness.change('keeper', { metadata: { annotations: { seen: 'yes' } } });
    await harness.quiet();
    assert.equal((await settled('keeper'))?.status, 'True');
  });

  test('has a claim that it uses to itself, also from an older Machine that names the claim later', async () => {
    await claim('contested');
    const older = await harness.declare('older', { template: 'small', running: false });
    await ready('older');
    const created = Date.parse(older.metadata.creationTimestamp ?? '');
    // Creation times are whole seconds.
    await until('a Machine is younger', async () => Date.now() > created + 1000, patient);
    await harness.declare('younger', using('contested'));
    await ready('younger');
    await harness.change('older', { spec: { disks: [{ name: 'data', existingClaim: 'contested' }] } });
    assert.match(
      await refusal('older'),
      /^NameConflict: .*"team-a\/contested" .* is used by Machine "team-a\/younger"/,
    );
    assert.equal(list((await template('older'))['volumes']).length, 1);
    await harness.change('younger', { metadata: { annotations: { seen: 'yes' } } });
    await harness.quiet();
    assert.equal((await settled('younger'))?.status, 'True');
    await remove('younger');
    await ready('older');
  });

  test('has a claim to itself until it restarts without it', async () => {
    await claim('scratch');
    await harness.declare('runner', { template: 'small', disks: [{ name: 'data', existingClaim: 'scratch' }] });
    await ready('runner');
    await harness.change('runner', { spec: { disks: [] } });
    await ready('runner');
    assert.equal(list((await template('runner'))['volumes']).length, 1);
    await harness.declare('next', using('scratch'));
    assert.match(await refusal('next'), /^NameConflict: .*"team-a\/scratch" .* is used by Machine "team-a\/runner"/);
    await harness.change('runner', { spec: { running: false } });
    await ready('next');
    assert.equal(await at(instances, 'vm-runner'), undefined);
  });
});
