import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fields, list, type Fields } from '../facts/reading.ts';
import { identity } from './cases.fixture.ts';
import { instanceLabels, machineAnnotations, machineLabels, vappLabels } from './labels.ts';
import { instanceSpecOf, specOf, templateOf } from './live.ts';
import { fromProcessed, instanceTemplate, parameterSecret, templateInstance } from './template-vm.ts';

/** A VM as a template has it, with values filled in by a cluster. */
const written = (name: string): Fields => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: {
    name,
    namespace: 'openshift',
    resourceVersion: '12',
    uid: 'u0',
    labels: { app: name, 'ssvirt.io/vm-id': 'forged' },
    annotations: { 'vm.kubevirt.io/validations': '[]', 'kubectl.kubernetes.io/last-applied-configuration': '{…}' },
  },
  spec: {
    running: false,
    instancetype: { inferFromVolume: 'rootdisk' },
    dataVolumeTemplates: [
      { metadata: { name, namespace: 'openshift' }, spec: { sourceRef: {}, storage: {} } },
      { metadata: { name: `${name}-data`, labels: { own: 'x' } }, spec: { source: { blank: {} }, storage: {} } },
    ],
    template: {
      metadata: { labels: { 'kubevirt.io/domain': name }, annotations: { 'vm.kubevirt.io/os': 'fedora' } },
      spec: {
        domain: { cpu: { cores: 2 }, devices: {} },
        evictionStrategy: 'LiveMigrate',
        volumes: [
          { name: 'rootdisk', dataVolume: { name } },
          { name: 'data', persistentVolumeClaim: { claimName: `${name}-data` } },
          { name: 'shared', persistentVolumeClaim: { claimName: 'shared' } },
          { name: 'cloudinitdisk', cloudInitNoCloud: { userData: '#cloud-config\n' } },
        ],
      },
    },
  },
});

suite('what a VirtualMachineTemplate gives', () => {
  const made = fromProcessed({ ...written('fedora-x1'), status: { ready: true } }, identity, { running: true });

  test('is a machine of ours: its name, its place, its labels, and nothing of where it was read', () => {
    assert.deepEqual(made.metadata, {
      name: 'web-01-9a1c44de',
      namespace: identity.namespace,
      labels: { app: 'fedora-x1', ...machineLabels(identity) },
      annotations: { 'vm.kubevirt.io/validations': '[]', ...machineAnnotations(identity) },
    });
    assert.deepEqual(Object.keys(made), ['apiVersion', 'kind', 'metadata', 'spec']);
  });

  test('keeps its hardware and what it says of its guest', () => {
    assert.deepEqual(fields(instanceSpecOf(made))['domain'], { cpu: { cores: 2 }, devices: {} });
    assert.deepEqual(fields(templateOf(made)['metadata'])['annotations'], { 'vm.kubevirt.io/os': 'fedora' });
    assert.deepEqual(specOf(made)['instancetype'], { inferFromVolume: 'rootdisk' });
  });

  test('shows whose its instances are', () => {
    assert.deepEqual(fields(templateOf(made)['metadata'])['labels'], {
      'kubevirt.io/domain': 'fedora-x1',
      ...instanceLabels(identity),
    });
  });

  test('is run as ours are', () => {
    assert.deepEqual(specOf(made)['runStrategy'], 'RerunOnFailure');
    assert.ok(!('running' in specOf(made)));
    assert.equal(instanceSpecOf(made)['evictionStrategy'], 'LiveMigrateIfPossible');
    assert.equal(specOf(fromProcessed(written('x'), identity, { running: false }))['runStrategy'], 'Halted');
  });

  test('has disks under names of its own, and leaves those that it only uses', () => {
    assert.deepEqual(specOf(made)['dataVolumeTemplates'], [
      {
        metadata: { name: 'web-01-9a1c44de-rootdisk', labels: machineLabels(identity) },
        spec: { sourceRef: {}, storage: {} },
      },
      {
        metadata: { name: 'web-01-9a1c44de-data', labels: { own: 'x', ...machineLabels(identity) } },
        spec: { source: { blank: {} }, storage: {} },
      },
    ]);
    assert.deepEqual(list(instanceSpecOf(made)['volumes']).slice(0, 3), [
      { name: 'rootdisk', dataVolume: { name: 'web-01-9a1c44de-rootdisk' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'web-01-9a1c44de-data' } },
      { name: 'shared', persistentVolumeClaim: { claimName: 'shared' } },
    ]);
  });

  test('is a machine whatever it is', () => {
    for (const odd of [undefined, null, 'x', {}, { spec: { template: 1, dataVolumeTemplates: {} } }])
      assert.equal(fromProcessed(odd, identity, { running: true }).metadata.name, 'web-01-9a1c44de');
  });
});

suite('a Template for a TemplateInstance', () => {
  const second = { ...identity, vmId: '22222222-1111-4222-8333-444455556666', vmName: 'db-22', name: 'db' };
  const template = {
    apiVersion: 'template.openshift.io/v1',
    kind: 'Template',
    metadata: {
      name: 'shop',
      namespace: 'openshift',
      uid: 'u9',
      resourceVersion: '3',
      managedFields: [],
      annotations: { description: 'A shop' },
    },
    message: 'Welcome to ${NAME}',
    labels: { tier: 'gold', 'ssvirt.io/installation-id': 'forged' },
    parameters: [{ name: 'NAME' }, { name: 'NS' }],
    objects: [
      written('${NAME}'),
      { apiVersion: 'v1', kind: 'Service', metadata: { name: '${NAME}', namespace: '${NS}' }, spec: { ports: [] } },
      written('${NAME}-db'),
    ],
  };
  const made = instanceTemplate(template, [identity, second], { powerOn: true });
  const objects = list(made['objects']).map(fields);

  test('is a copy without what belongs to where it was read', () => {
    assert.deepEqual(made['metadata'], { name: 'shop', labels: {}, annotations: { description: 'A shop' } });
    assert.equal(made['message'], 'Welcome to ${NAME}');
    assert.deepEqual(made['parameters'], template.parameters);
  });

  test('puts our labels on all that it makes', () => {
    assert.deepEqual(made['labels'], { tier: 'gold', ...vappLabels(identity) });
    assert.deepEqual(fields(objects[1]?.['metadata'])['labels'], vappLabels(identity));
    assert.deepEqual(fields(objects[1]?.['spec']), { ports: [] });
  });

  test('makes each of its machines the one that was asked for, in their order', () => {
    for (const [index, one] of [
      [0, identity],
      [2, second],
    ] as const) {
      const metadata = fields(objects[index]?.['metadata']);
      assert.equal(metadata['name'], one.vmName);
      assert.equal(fields(metadata['labels'])['ssvirt.io/vm-id'], one.vmId);
      assert.equal(fields(metadata['annotations'])['ssvirt.io/vm-name'], one.name);
      assert.equal(fields(fields(templateOf(objects[index])['metadata'])['labels'])['ssvirt.io/vm-id'], one.vmId);
      assert.equal(specOf(objects[index])['runStrategy'], 'RerunOnFailure');
      assert.equal(instanceSpecOf(objects[index])['evictionStrategy'], 'LiveMigrateIfPossible');
      assert.ok(!('running' in specOf(objects[index])));
    }
    const [halted] = list(instanceTemplate(template, [identity, second], { powerOn: false })['objects']);
    assert.equal(specOf(halted)['runStrategy'], 'Halted');
  });

  test('makes nothing in another namespace, whatever a parameter says', () => {
    assert.doesNotMatch(JSON.stringify(objects), /"namespace"/);
  });

  test('keeps what an object is called by, where it has no name', () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'seed-', namespace: 'x' } };
    const [only] = list(instanceTemplate({ objects: [job] }, [identity], { powerOn: true })['objects']).map(fields);
    assert.deepEqual(only?.['metadata'], { generateName: 'seed-', labels: vappLabels(identity) });
  });

  test('keeps the names of disks as the template has them', () => {
    assert.deepEqual(list(instanceSpecOf(objects[0])['volumes'])[0], {
      name: 'rootdisk',
      dataVolume: { name: '${NAME}' },
    });
  });

  test('leaves a machine more than there are rows as it is, but for what is shared', () => {
    const [, , left] = list(instanceTemplate(template, [identity], { powerOn: true })['objects']).map(fields);
    assert.equal(fields(left?.['metadata'])['name'], '${NAME}-db');
    assert.equal(fields(fields(left?.['metadata'])['labels'])['vapp.ssvirt.io/vapp-id'], identity.vappId);
  });

  test('does not let words of ours be filled in', () => {
    const odd = { ...identity, name: '${PASSWORD}', description: 'costs ${{PRICE}}' };
    const [machine] = list(instanceTemplate(template, [odd], { powerOn: true })['objects']).map(fields);
    const words = fields(fields(machine?.['metadata'])['annotations']);
    assert.deepEqual(Object.keys(words).toSorted(), [
      'ssvirt.io/vapp-name',
      'ssvirt.io/vm-urn',
      'vm.kubevirt.io/validations',
    ]);
  });

  test('goes into a TemplateInstance whose values lie in a Secret', () => {
    const instance = templateInstance(identity, 'web-shop-1b9f0e52', made);
    assert.deepEqual(instance.metadata, {
      name: 'web-shop-1b9f0e52',
      namespace: identity.namespace,
      labels: vappLabels(identity),
      annotations: { 'ssvirt.io/vapp-name': 'Web shop' },
    });
    assert.deepEqual(instance['spec'], { secret: { name: 'web-shop-1b9f0e52-parameters' }, template: made });
    const secret = parameterSecret(identity, 'web-shop-1b9f0e52', { NAME: 'web', EMPTY: '' });
    assert.equal(secret.metadata.name, 'web-shop-1b9f0e52-parameters');
    assert.deepEqual(secret.metadata.labels, vappLabels(identity));
    assert.deepEqual(secret['data'], { NAME: 'd2Vi', EMPTY: '' });
  });
});
