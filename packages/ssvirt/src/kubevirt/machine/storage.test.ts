import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { classes, identity, resolvedOf } from './cases.fixture.ts';
import { childLabels, childMetadata } from './identity.ts';
import { fields } from '../facts/reading.ts';
import { isAttached, type OwnDisk } from './resolve.ts';
import type { DiskSource, MachineDiskSpec, MachineProblemReason } from './resource.ts';
import { foreignSource, planDisk, type DiskPlan, type DiskContext, type ExistingDisk } from './storage.ts';
import { defaultClass, storageClassFacts, type StorageClassFacts } from './storage-class.ts';

function disk(more: Partial<MachineDiskSpec> = {}): OwnDisk {
  const [one] = resolvedOf({
    resources: { memory: { size: '1Gi' } },
    disks: [{ name: 'root', size: '20Gi', ...more }],
  }).disks;
  assert.ok(one !== undefined && !isAttached(one));
  return one;
}

const plan = (more: Partial<MachineDiskSpec>, context: Partial<DiskContext> = {}): DiskPlan =>
  planDisk(identity, disk(more), { classes, ...context });

const labels = childLabels(identity);
const claim = (spec: object = {}, more: { metadata?: object; status?: object } = {}): object => ({
  metadata: { name: 'custom-vm-root', labels, ...more.metadata },
  spec: {
    storageClassName: 'standard',
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '20Gi' } },
    ...spec,
  },
  status: { phase: 'Bound', ...more.status },
});
const storage = (size: string): object => ({ resources: { requests: { storage: size } } });
const dataVolume = (size = '20Gi', metadata: object = {}): object => ({
  metadata: { name: 'custom-vm-root', uid: 'dv-uid', labels, ...metadata },
  spec: { storage: storage(size) },
});

suite('a disk that is not there', () => {
  test('is a claim, as the reference has it', () => {
    const { create } = plan({ storageClass: 'fast-ssd', accessMode: 'ReadWriteOnce' });
    assert.deepEqual(create, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: childMetadata(identity, 'custom-vm-root'),
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast-ssd',
        resources: { requests: { storage: '20Gi' } },
      },
    });
  });

  for (const storageClass of ['default', undefined])
    test(`is of the cluster's default class, which is written down (${storageClass})`, () => {
      const { create } = plan(storageClass === undefined ? {} : { storageClass });
      assert.equal(fields(create?.['spec'])['storageClassName'], 'standard');
    });

  test('has the modes that are said', () => {
    const { create } = plan({ accessMode: 'ReadOnlyMany', volumeMode: 'Block' });
    const { accessModes, volumeMode } = fields(create?.['spec']);
    assert.deepEqual([accessModes, volumeMode], [['ReadOnlyMany'], 'Block']);
  });

  const sources: readonly (readonly [source: DiskSource, spec: object])[] = [
    [{ containerDisk: { image: 'fedora:42' } }, { source: { registry: { url: 'docker://fedora:42' } } }],
    [
      { containerDisk: { image: 'docker://images.example.com/a' } },
      { source: { registry: { url: 'docker://images.example.com/a' } } },
    ],
    [{ http: { url: 'https://example.com/a.qcow2' } }, { source: { http: { url: 'https://example.com/a.qcow2' } } }],
    [{ pvc: { name: 'golden' } }, { source: { pvc: { namespace: 'default', name: 'golden' } } }],
    [
      { dataSource: { name: 'fedora', namespace: 'images' } },
      { sourceRef: { kind: 'DataSource', namespace: 'images', name: 'fedora' } },
    ],
  ];
  for (const [source, spec] of sources)
    test(`is a DataVolume where it has a source, with modes of the class's profile: ${Object.keys(source).join('')}`, () => {
      const { create } = plan({ source });
      assert.equal(create?.kind, 'DataVolume');
      assert.deepEqual(create['spec'], { ...spec, storage: { storageClassName: 'standard', ...storage('20Gi') } });
    });

  test('says the modes of a DataVolume where the Machine does', () => {
    const { create } = plan({ source: { pvc: { name: 'a' } }, accessMode: 'ReadWriteMany', volumeMode: 'Block' });
    assert.deepEqual(fields(create?.['spec'])['storage'], {
      accessModes: ['ReadWriteMany'],
      storageClassName: 'standard',
      volumeMode: 'Block',
      ...storage('20Gi'),
    });
  });

  const absent: readonly (readonly [
    more: Partial<MachineDiskSpec>,
    classes: readonly StorageClassFacts[],
    says: RegExp,
  ])[] = [
    [
      { storageClass: 'gold' },
      classes,
      /no StorageClass "gold" \(it has "standard", "fast-ssd"\)\. Name another, or create it/,
    ],
    [{}, [{ name: 'fast-ssd' }], /no default StorageClass\. Name one \(it has "fast-ssd"\)/],
    [{}, [], /no default StorageClass\. Name one \(it has none\)/],
  ];
  for (const [more, there, says] of absent)
    test(`is refused without a class: ${says.source}`, () => {
      const { problem, create } = plan(more, { classes: there });
      assert.equal(problem?.reason, 'StorageClassNotFound');
      assert.match(problem.message, says);
      assert.equal(create, undefined);
    });
});

suite('a disk that is there', () => {
  const quiet: readonly (readonly [why: string, more: Partial<MachineDiskSpec>, existing: ExistingDisk])[] = [
    ['as asked', {}, { claim: claim() }],
    ['as asked in other words', { size: '20480Mi' }, { claim: claim() }],
    ['of a default class that was another then', {}, { claim: claim({ storageClassName: 'old' }) }],
    ['its class is said later', { storageClass: 'standard' }, { claim: claim() }],
    ['the DataVolume without its claim so far', { source: { pvc: { name: 'a' } } }, { dataVolume: dataVolume() }],
    [
      'a claim that has what the file system takes',
      { source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume(), claim: claim(storage('22548578304')) },
    ],
    [
      'a claim that only names its DataVolume',
      { source: { pvc: { name: 'a' } } },
      {
        dataVolume: dataVolume(),
        claim: claim({}, { metadata: { labels: {}, ownerReferences: [{ uid: 'dv-uid' }] } }),
      },
    ],
    [
      'a claim whose DataVolume was cleared away',
      { source: { pvc: { name: 'a' } } },
      { claim: claim({}, { metadata: { annotations: { 'cdi.kubevirt.io/storage.contentType': 'kubevirt' } } }) },
    ],
    ['larger, but not bound yet', { size: '30Gi' }, { claim: claim({}, { status: { phase: 'Pending' } }) }],
    [
      'a copy that has grown',
      { size: '30Gi', source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume(), claim: claim(storage('32508Mi')) },
    ],
  ];
  for (const [why, more, existing] of quiet)
    test(`is left alone: ${why}`, () => assert.deepEqual(plan(more, { existing }), {}));

  const growing: readonly (readonly [
    why: string,
    more: Partial<MachineDiskSpec>,
    existing: ExistingDisk,
    size: string,
  ])[] = [
    ['a claim', { size: '30Gi' }, { claim: claim() }, '30Gi'],
    ['by a little', { size: '20.5Gi' }, { claim: claim() }, '20992Mi'],
    [
      'a copy on a block device',
      { size: '30Gi', source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume(), claim: claim({ volumeMode: 'Block' }) },
      '30Gi',
    ],
    [
      'a copy in a file system, which takes some of it',
      { size: '30Gi', source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume(), claim: claim(storage('22548578304')) },
      '32508Mi',
    ],
  ];
  for (const [why, more, existing, size] of growing)
    test(`grows: ${why}`, () => {
      const { grow, problem } = plan(more, { existing });
      assert.equal(problem, undefined);
      assert.equal(grow?.kind, 'PersistentVolumeClaim');
      assert.equal(grow.metadata.name, 'custom-vm-root');
      assert.deepEqual(grow['spec'], storage(size));
    });

  const refused: readonly (readonly [
    reason: MachineProblemReason,
    says: RegExp,
    more: Partial<MachineDiskSpec>,
    existing: ExistingDisk,
  ])[] = [
    ['DiskChangeRefused', /has 20Gi, and disks do not shrink/, { size: '10Gi' }, { claim: claim() }],
    ['DiskChangeRefused', /asks for "fast-ssd", but .* "standard"/, { storageClass: 'fast-ssd' }, { claim: claim() }],
    ['DiskChangeRefused', /accessMode asks for ReadWriteMany/, { accessMode: 'ReadWriteMany' }, { claim: claim() }],
    [
      'DiskChangeRefused',
      /volumeMode asks for Block/,
      { volumeMode: 'Block' },
      { claim: claim({ volumeMode: undefined }) },
    ],
    [
      'DiskChangeRefused',
      /source asks for a source, but .* it is empty/,
      { source: { pvc: { name: 'a' } } },
      { claim: claim() },
    ],
    [
      'ExpansionUnsupported',
      /"fast-ssd" does not let it grow \(allowVolumeExpansion\)/,
      { size: '30Gi' },
      { claim: claim({ storageClassName: 'fast-ssd' }) },
    ],
    [
      'NameConflict',
      /PersistentVolumeClaim "custom-vm-root" that does not/,
      {},
      { claim: claim({}, { metadata: { labels: {} } }) },
    ],
    [
      'NameConflict',
      /DataVolume "custom-vm-root" that does not belong/,
      { source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume('20Gi', { labels: { ...labels, 'ssvirt.io/parent-uid': 'another' } }) },
    ],
    [
      'NameConflict',
      /PersistentVolumeClaim/,
      { source: { pvc: { name: 'a' } } },
      { dataVolume: dataVolume(), claim: claim({}, { metadata: { labels: {}, ownerReferences: [{ uid: 'x' }] } }) },
    ],
  ];
  for (const [reason, says, more, existing] of refused)
    test(`is not changed: ${reason}, ${says.source}`, () => {
      const { problem, ...rest } = plan(more, { existing });
      assert.equal(problem?.reason, reason);
      assert.match(problem.message, says);
      assert.deepEqual(rest, {});
    });
});

suite('a disk whose source is another one now', () => {
  const url = 'https://images.example.com/a.qcow2';
  const volume = (phase: string, spec: object, metadata: object = {}): object => ({
    metadata: { name: 'custom-vm-root', uid: 'dv-uid', labels, ...metadata },
    spec: { storage: storage('20Gi'), ...spec },
    status: { phase },
  });
  const fromWeb = { source: { http: { url } } };
  const same: readonly (readonly [source: DiskSource, spec: object])[] = [
    [{ http: { url } }, fromWeb],
    [{ containerDisk: { image: 'a/b:1' } }, { source: { registry: { url: 'docker://a/b:1', pullMethod: 'node' } } }],
    [{ containerDisk: { image: 'docker://a/b:1' } }, { source: { registry: { url: 'docker://a/b:1' } } }],
    [{ pvc: { name: 'a' } }, { source: { pvc: { namespace: 'default', name: 'a' } } }],
    [{ dataSource: { name: 'a' } }, { sourceRef: { kind: 'DataSource', namespace: 'default', name: 'a' } }],
  ];
  for (const [source, spec] of same)
    test(`is left alone where it is the same: ${JSON.stringify(source)}`, () => {
      for (const phase of ['ImportInProgress', 'Succeeded'])
        assert.deepEqual(plan({ source }, { existing: { dataVolume: volume(phase, spec) } }), {});
    });

  const other: DiskSource = { http: { url: 'https://images.example.com/b.qcow2' } };
  test('is created again where nothing is in it yet', () => {
    for (const existing of [
      { dataVolume: volume('ImportInProgress', fromWeb) },
      { dataVolume: volume('Pending', fromWeb), claim: claim({}, { status: { phase: 'Pending' } }) },
    ]) {
      assert.deepEqual(plan({ source: other }, { existing }), { replace: true });
      assert.deepEqual(plan({}, { existing }), { replace: true });
    }
  });

  test('is waited for while it goes, and its claim with it', () => {
    const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const dataVolumeToo = { dataVolume: volume('Pending', fromWeb, leaving), claim: claim() };
    assert.deepEqual(plan({ source: other }, { existing: dataVolumeToo }), {
      waitFor: 'DataVolume "default/custom-vm-root"',
    });
    const claimOnly = { claim: claim({}, { metadata: leaving }) };
    assert.deepEqual(plan({ source: other }, { existing: claimOnly }), {
      waitFor: 'PersistentVolumeClaim "default/custom-vm-root"',
    });
    // A claim that a VM uses is removed when the VM stops.
    assert.deepEqual(plan({}, { existing: claimOnly }), {});
  });

  test('stays what it is where it is filled, and says both', () => {
    const existing = { dataVolume: volume('Succeeded', fromWeb), claim: claim() };
    assert.deepEqual(plan({ source: other }, { existing }).problem, {
      reason: 'DiskChangeRefused',
      message: `spec.disks["root"].source asks for http "https://images.example.com/b.qcow2", but the disk was made with http "${url}", and that cannot be changed: set it back, or add a disk with another name.`,
    });
    assert.match(plan({}, { existing }).problem?.message ?? '', /asks for an empty disk, but/);
  });
});

test('a source in another namespace is refused, since the operator may read where others may not', () => {
  assert.equal(foreignSource(identity, disk()), undefined);
  assert.equal(foreignSource(identity, disk({ source: { pvc: { name: 'a' } } })), undefined);
  assert.equal(foreignSource(identity, disk({ source: { pvc: { name: 'a', namespace: 'default' } } })), undefined);
  assert.equal(foreignSource(identity, disk({ source: { pvc: { name: 'a', namespace: 'b' } } })), 'b');
  assert.equal(foreignSource(identity, disk({ source: { dataSource: { name: 'a', namespace: 'b' } } })), 'b');
});

suite('storage classes', () => {
  const of = (name: string, annotations: object = {}, more: object = {}): StorageClassFacts =>
    storageClassFacts({ metadata: { name, annotations }, ...more });
  const usual = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const ours = { 'storageclass.kubevirt.io/is-default-virt-class': 'true' };

  test('are read as far as disks are concerned', () => {
    const more = { allowVolumeExpansion: true, volumeBindingMode: 'WaitForFirstConsumer' };
    assert.deepEqual(of('a', usual, more), { name: 'a', isDefault: true, expandable: true, waitsForConsumer: true });
    assert.deepEqual(of('a', { 'storageclass.kubernetes.io/is-default-class': 'false' }), { name: 'a' });
  });

  test('have a default: that for machines before the other, the youngest before the older', () => {
    assert.equal(defaultClass([of('a'), of('b')]), undefined);
    assert.equal(defaultClass([of('a'), of('b', usual)])?.name, 'b');
    assert.equal(defaultClass([of('a', ours), of('b', usual)])?.name, 'a');
    const young = { ...of('young', usual), createdAt: '2026-02-01T00:00:00Z' };
    const old = { ...of('old', usual), createdAt: '2026-01-01T00:00:00Z' };
    assert.equal(defaultClass([old, young])?.name, 'young');
    assert.equal(defaultClass([of('b', usual), of('a', usual)])?.name, 'a');
  });
});
