/** The disks of a template: which are created, kept, grown and refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeLike } from '../../tenant-vm/kube-like.ts';
import { templateDisk, templateDiskChange, withStorageClass, type LiveTemplateDisk } from './disk.ts';

const claimSpec = (storage: string): object => ({
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'fast',
  resources: { requests: { storage } },
});
const volume = (url: string, storage: string): KubeLike => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name: 'web-d', namespace: 'tenant-a', labels: {} },
  spec: { source: { registry: { url } }, pvc: claimSpec(storage) },
});
const claim = (storage: string, phase = 'Bound'): object => ({ spec: claimSpec(storage), status: { phase } });
const fast = { name: 'fast', expandable: true as const };
const none: LiveTemplateDisk = { dataVolume: undefined, claim: undefined, madeAs: undefined, wantedAs: 'a' };

test('a disk that is not there is made', () => {
  assert.equal(templateDiskChange(volume('docker://x/a', '1Gi'), none, [fast]), 'create');
});

test('all of a disk lasts but its size', () => {
  const [small, large, other] = [volume('a', '1Gi'), volume('a', '2Gi'), volume('b', '1Gi')].map(templateDisk);
  assert.deepEqual(small?.lasting, large?.lasting);
  assert.notDeepEqual(small?.lasting, other?.lasting);
  assert.deepEqual([small?.size, large?.size, small?.storageClass], ['1Gi', '2Gi', 'fast']);
});

test('one that was made otherwise is refused, with both sources and without a password', () => {
  const live = { dataVolume: volume('https://me:hush@x/a', '1Gi'), claim: claim('1Gi'), madeAs: 'b', wantedAs: 'a' };
  const change = templateDiskChange(volume('https://x/b', '1Gi'), live, [fast]);
  assert.ok(typeof change === 'object' && 'problem' in change);
  assert.equal(change.problem.reason, 'ImmutableFieldChanged');
  assert.match(change.problem.message, /DataVolume "web-d" .*from "https:\/\/x\/a", now from "https:\/\/x\/b"/);
});

test('it grows where its class lets it, and never shrinks', () => {
  const live = { dataVolume: volume('a', '2Gi'), claim: claim('2Gi'), madeAs: 'a', wantedAs: 'a' };
  assert.deepEqual(templateDiskChange(volume('a', '3Gi'), live, [fast]), { grow: '3Gi' });
  assert.equal(templateDiskChange(volume('a', '2048Mi'), live, [fast]), 'keep');
  const shrunk = templateDiskChange(volume('a', '1Gi'), live, [fast]);
  assert.ok(typeof shrunk === 'object' && 'problem' in shrunk);
  assert.match(
    shrunk.problem.message,
    /The size of DataVolume "web-d" is 1Gi, but the disk has 2Gi, and disks do not shrink/,
  );
  const stuck = templateDiskChange(volume('a', '3Gi'), live, [{ name: 'fast' }]);
  assert.ok(typeof stuck === 'object' && 'problem' in stuck);
  assert.match(stuck.problem.message, /"fast" does not let it grow/);
});

test('a class is put where the disk asks for its storage', () => {
  const made = withStorageClass({ ...volume('a', '1Gi'), spec: { storage: {} } }, 'slow');
  assert.deepEqual(made['spec'], { storage: { storageClassName: 'slow' } });
  const plain = withStorageClass({ ...volume('a', '1Gi'), kind: 'PersistentVolumeClaim', spec: {} }, 'slow');
  assert.deepEqual(plain['spec'], { storageClassName: 'slow' });
});
