import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { aClaim, aClass, aDataVolume } from '../builders.fixture.ts';
import { NO_CLASS, renderClaim, type RenderedClaim } from './claim-spec.ts';

const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
const isVirtDefault = { 'storageclass.kubevirt.io/is-default-virt-class': 'true' };
const standard = aClass('standard', { annotations: isDefault });
const local = aClass('local', { mode: 'WaitForFirstConsumer' });
const foreign = aClass('foreign', { provisioner: 'who.knows' });
const sized = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const spec = (rendered: RenderedClaim): unknown => ('spec' in rendered ? rendered.spec : rendered.problem);

function render(
  of: JsonObject,
  classes: readonly Unstructured[] = [standard, local, foreign],
  more: { readonly config?: Unstructured; readonly isClone?: boolean; readonly profile?: Unstructured } = {},
): unknown {
  const harness = {
    classes,
    config: more.config,
    isClone: more.isClone ?? false,
    profile: () => more.profile,
    source: more.isClone === true ? aClaim({}, 'Bound', sized('3Gi')) : undefined,
  };
  return spec(renderClaim(aDataVolume(of), harness));
}

const GI = '1073741824';
const WITH_OVERHEAD = '1142278537';
const block = { accessModes: ['ReadWriteMany'], volumeMode: 'Block', storageClassName: 'standard' };

test('a claim gets what it does not say from the class that it gets', () => {
  const cases: readonly [reason: string, of: JsonObject, wanted: unknown][] = [
    ['all from the default class', { storage: sized('1Gi') }, { ...block, ...sized(GI) }],
    [
      'a file system needs some of the volume for itself',
      { storage: { ...sized('1Gi'), storageClassName: 'local' } },
      { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', storageClassName: 'local', ...sized(WITH_OVERHEAD) },
    ],
    [
      'the access mode that fits the volume mode',
      { storage: { ...sized('1Gi'), volumeMode: 'Filesystem' } },
      {
        accessModes: ['ReadWriteOnce'],
        volumeMode: 'Filesystem',
        storageClassName: 'standard',
        ...sized(WITH_OVERHEAD),
      },
    ],
    [
      'the volume mode that fits the access mode',
      { storage: { ...sized('1Gi'), accessModes: ['ReadWriteOnce'] } },
      { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', storageClassName: 'standard', ...sized(GI) },
    ],
    [
      'an archive is files',
      { contentType: 'archive', storage: sized('1Gi') },
      {
        accessModes: ['ReadWriteOnce'],
        volumeMode: 'Filesystem',
        storageClassName: 'standard',
        ...sized(WITH_OVERHEAD),
      },
    ],
    [
      'what is written out stays',
      { pvc: { accessModes: ['ReadWriteOnce'], ...sized('1Gi') } },
      { accessModes: ['ReadWriteOnce'], ...sized('1Gi') },
    ],
    [
      'of an unknown class, which has no profile',
      { storage: { ...sized('1Gi'), storageClassName: 'foreign' } },
      'no accessMode specified in StorageProfile foreign',
    ],
    ['a class that is not there', { storage: { ...sized('1Gi'), storageClassName: 'gone' } }, NO_CLASS],
    ['no size', { storage: {} }, 'PVC Spec is not valid - missing storage size'],
    ['too small', { storage: sized('1Ki') }, 'PVC Spec is not valid - storage size should be at least 1MiB'],
    [
      'an archive in a block volume',
      { contentType: 'archive', storage: { ...sized('1Gi'), volumeMode: 'Block' } },
      'ContentType Archive cannot have block volumeMode',
    ],
  ];
  for (const [reason, of, wanted] of cases) assert.deepEqual(render(of), wanted, reason);
});

test('the class is the default for machines, else the default, the newest of several, else none', () => {
  const chosen = (...classes: Unstructured[]): unknown => {
    const rendered = render({ storage: sized('1Gi') }, classes);
    return typeof rendered === 'string' ? rendered : (rendered as JsonObject)['storageClassName'];
  };
  const virt = aClass('virt', { annotations: isVirtDefault });
  const newer = aClass('newer', { annotations: isDefault, created: '2026-06-01T00:00:00Z' });
  const same = aClass('same', { annotations: isDefault });
  assert.equal(chosen(standard, virt), 'virt');
  assert.equal(chosen(standard, newer), 'newer');
  assert.equal(chosen(standard, same), 'same');
  assert.equal(chosen(local), NO_CLASS);
});

test('a class whose provisioner is called as what every object inherits is an unknown one', () => {
  const odd = { ...aClass('odd', { annotations: isDefault }), provisioner: 'constructor' };
  assert.equal(render({ storage: sized('1Gi') }, [odd]), 'no accessMode specified in StorageProfile odd');
});

test('a disk of more bytes than can be counted is a claim like any other', () => {
  const huge = render({ storage: sized('1e2000000000') }, [standard]);
  assert.deepEqual(huge, { ...block, ...sized('9223372036854775807') });
});

test('an archive and a literal claim do not ask for the default of machines', () => {
  const virt = aClass('virt', { annotations: isVirtDefault });
  const archive = render({ contentType: 'archive', storage: sized('1Gi') }, [standard, virt]) as JsonObject;
  assert.equal(archive['storageClassName'], 'standard');
});

test('a clone without a size is as large as what it is cloned from', () => {
  assert.deepEqual(render({ storage: {} }, [standard], { isClone: true }), { ...block, ...sized('3Gi') });
});

test('a profile and a configuration say what an administrator knows better', () => {
  const profile = {
    metadata: { name: 'foreign' },
    spec: { claimPropertySets: [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' }] },
  };
  const config = {
    metadata: { name: 'config' },
    status: { filesystemOverhead: { global: '0.06', storageClass: { foreign: '0.5' } } },
  };
  const of = { storage: { ...sized('1Gi'), storageClassName: 'foreign' } };
  assert.deepEqual(render(of, [foreign], { profile, config }), {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    storageClassName: 'foreign',
    ...sized('2147483648'),
  });
});
