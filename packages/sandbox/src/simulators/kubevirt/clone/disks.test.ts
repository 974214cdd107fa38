import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notBackedUp } from './disks.ts';

const template = {
  spec: {
    domain: {},
    volumes: [
      { name: 'root', dataVolume: { name: 'a' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'b' } },
      { name: 'seed', cloudInitNoCloud: {} },
    ],
  },
};
const source = { virtualMachine: { metadata: {}, spec: { template } } };

for (const [name, backups, said] of [
  ['all disks is complete', ['root', 'data'], undefined],
  ['some disks says which are missing', ['root'], 'volume data is not backed up in snapshot s'],
  [
    'no disk names all of them',
    [],
    'volume root is not backed up in snapshot s\nvolume data is not backed up in snapshot s',
  ],
] as const)
  test(`a snapshot with ${name}`, () => {
    const volumeBackups = backups.map((volumeName) => ({ volumeName }));
    assert.equal(notBackedUp({ metadata: {}, spec: { virtualMachineSnapshotName: 's', source, volumeBackups } }), said);
  });
