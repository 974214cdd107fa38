import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../objects.ts';
import { overheadIn, unfitClaim } from './memory-dump-size.ts';

const claim = (storage: string, spec = {}): PersistentVolumeClaim => ({
  metadata: { name: 'dump' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
});
const vmi: VirtualMachineInstance = {
  metadata: { name: 'vm1' },
  spec: { domain: { resources: { requests: { memory: '1Gi' } } } },
};

for (const [reason, given, expected] of [
  ['room for memory and overheads', claim('2Gi'), undefined],
  // (1 Gi + 100 Mi) · 1.055, rounded up to the next Mi.
  ['exactly as much as is needed', claim('1186Mi'), undefined],
  ['a megabyte too little', claim('1185Mi'), 'pvc size [1242563k] should be bigger then [1186Mi]'],
  ['a block device', claim('2Gi', { volumeMode: 'Block' }), 'pvc should be filesystem pvc'],
  ['read only', claim('2Gi', { accessModes: ['ReadOnlyMany'] }), "pvc access mode can't be read only"],
] as const)
  test(`a claim for a memory dump: ${reason}`, () => assert.equal(unfitClaim(given, vmi), expected));

test("the overhead of a claim's storage class wins over that for all", () => {
  const config = { status: { filesystemOverhead: { global: '0.06', storageClass: { fast: '0.1' } } } };
  assert.equal(overheadIn(config, 'fast'), '0.1');
  assert.equal(overheadIn(config, 'other'), '0.06');
  assert.equal(overheadIn(config, undefined), '0.06');
  assert.equal(overheadIn(undefined, 'fast'), undefined);
});
