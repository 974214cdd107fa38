/** The VMs of a template, one by one. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nameWith, sizesWith, storageClassWith } from './machine-shape.ts';
import { fromTemplate } from './template.ts';
import { fromInstancetype, fromPreference } from './instance-type.ts';

const GIB = 2 ** 30;

function machine(name: string, domain: object, spec: object = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: { template: { spec: { domain } }, ...spec },
  };
}

const disk = { metadata: { name: '${NAME}' }, spec: { storage: { resources: { requests: { storage: '${SIZE}' } } } } };
const entry = fromTemplate({
  metadata: { name: 'pair' },
  parameters: [
    { name: 'NAME', generate: 'expression', from: 'x[a-z]{3}' },
    { name: 'CORES', value: '2' },
    { name: 'SIZE', value: '10Gi' },
    { name: 'TYPE', value: 'u1.small' },
  ],
  objects: [
    machine('${NAME}-web', { cpu: { cores: '${{CORES}}' }, memory: { guest: '1Gi' } }, { dataVolumeTemplates: [disk] }),
    { apiVersion: 'v1', kind: 'Secret' },
    machine('${NAME}-db', {}, { instancetype: { name: '${TYPE}' } }),
    machine('fixed', { memory: { guest: '2Gi' }, devices: { interfaces: [{ name: 'a' }, { name: 'b' }] } }),
    machine('alone', { devices: { autoattachPodInterface: false } }),
  ],
});
const [web, db, fixed] = entry?.machines ?? [];

suite('the machines of a template', () => {
  test('are called as the template calls them, and have the sizes of the defaults', () => {
    assert.deepEqual(
      entry?.machines.map(({ open, ...shape }) => ({ ...shape, isOpen: open !== undefined })),
      [
        {
          name: '${NAME}-web',
          storageClasses: [null],
          cpuCount: 2,
          memoryBytes: GIB,
          storageBytes: 10 * GIB,
          isOpen: true,
        },
        { name: '${NAME}-db', storageBytes: 0, instancetype: 'u1.small', isOpen: true },
        { name: 'fixed', nics: 2, cpuCount: 1, memoryBytes: 2 * GIB, storageBytes: 0, isOpen: false },
        { name: 'alone', nics: 0, cpuCount: 1, storageBytes: 0, isOpen: false },
      ],
    );
  });

  test('are as large as the values make them, or unknown where a value is none', () => {
    assert.ok(web !== undefined && db !== undefined && fixed !== undefined);
    const values = new Map([
      ['CORES', '64'],
      ['SIZE', '1Ti'],
      ['TYPE', 'u1.large'],
    ]);
    assert.deepEqual(sizesWith(web, values), { cpuCount: 64, memoryBytes: GIB, storageBytes: 1024 * GIB });
    assert.deepEqual(sizesWith(db, values), { storageBytes: 0, instancetype: 'u1.large' });
    assert.equal(sizesWith(fixed, values).cpuCount, 1);
    assert.deepEqual(sizesWith(web, new Map([['CORES', 'many']])), { memoryBytes: GIB });
  });

  test('name the storage classes of their disks, each once; a disk that wants no class has none', () => {
    const ofClass = (storageClassName?: string, part = 'storage'): object => ({
      spec: { [part]: storageClassName === undefined ? {} : { storageClassName } },
    });
    const dataVolumeTemplates = [ofClass('${CLASS}'), ofClass('slow', 'pvc'), ofClass(), ofClass('slow'), ofClass('')];
    const [only] =
      fromTemplate({ metadata: { name: 'x' }, objects: [machine('x', {}, { dataVolumeTemplates })] })?.machines ?? [];
    assert.deepEqual(only?.storageClasses, ['${CLASS}', 'slow', null]);
    const values = new Map([['CLASS', 'fast']]);
    assert.deepEqual(
      only?.storageClasses?.map((one) => storageClassWith(one, values)),
      ['fast', 'slow', null],
    );
    assert.equal(storageClassWith('${CLASS}', new Map()), undefined);
  });

  test('have a name when all that is in it is known', () => {
    assert.ok(web !== undefined && fixed !== undefined);
    assert.equal(nameWith(web, new Map([['NAME', 'shop']])), 'shop-web');
    assert.equal(nameWith(web, new Map()), undefined);
    assert.equal(nameWith(fixed, new Map()), 'fixed');
    assert.equal(nameWith({ name: '${{NAME}}' }, new Map([['NAME', '7']])), '7');
    assert.equal(nameWith({ name: '${{NAME}}' }, new Map([['NAME', '{}']])), undefined);
  });

  test('are not all kept where there are very many', () => {
    const many = fromTemplate({
      metadata: { name: 'many' },
      objects: Array.from({ length: 150 }, () => machine('x', {})),
    });
    assert.deepEqual([many?.vmCount, many?.machines.length], [150, 100]);
  });
});

suite('instance types and preferences', () => {
  test('are what their objects say, and none where these do not', () => {
    const spec = { cpu: { guest: 2 }, memory: { guest: '4Gi' } };
    assert.deepEqual(fromInstancetype({ metadata: { name: 'u1.medium' }, spec }), {
      name: 'u1.medium',
      cpus: 2,
      memoryMb: 4096,
    });
    for (const object of [
      {},
      { metadata: { name: 'x' } },
      { metadata: {}, spec },
      { metadata: { name: 'x' }, spec: { ...spec, memory: {} } },
    ])
      assert.equal(fromInstancetype(object), undefined);
    const annotations = { 'openshift.io/display-name': 'Fedora (amd64)' };
    assert.deepEqual(fromPreference({ metadata: { name: 'fedora', annotations } }), {
      name: 'fedora',
      displayName: 'Fedora (amd64)',
    });
    assert.equal(fromPreference({ metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } }), undefined);
  });
});
