import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, Volume } from '../objects.ts';
import { claimNamed, dataVolumeIn, vmiOf } from './builders.fixture.ts';
import { bootVolumes, dataVolumesOf, dataVolumesReady, type Storage } from './volumes.ts';

const owned: PersistentVolumeClaim = claimNamed('disk1', {
  metadata: {
    name: 'disk1',
    ownerReferences: [
      { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume', name: 'disk1', uid: 'u', controller: true },
    ],
  },
});

const storage = (claim: PersistentVolumeClaim | undefined, phase?: string): Storage => ({
  claim: () => claim,
  dataVolume: () => (phase === undefined ? undefined : dataVolumeIn(phase)),
});

const byName: Volume = { name: 'root', dataVolume: { name: 'disk1' } };
const byClaim: Volume = { name: 'root', persistentVolumeClaim: { claimName: 'disk1' } };

for (const { name, volume, there, ready, waits, reason } of [
  {
    name: 'a claim without a DataVolume is ready, bound or not',
    volume: byClaim,
    there: storage(claimNamed('disk1')),
    ready: true,
  },
  {
    name: 'an import that is under way is waited for',
    volume: byName,
    there: storage(owned, 'ImportInProgress'),
    ready: false,
  },
  { name: 'an import that is done is ready', volume: byName, there: storage(owned, 'Succeeded'), ready: true },
  {
    name: 'a populator waits for the launcher pod itself',
    volume: byName,
    there: storage(owned, 'PendingPopulation'),
    ready: true,
  },
  {
    name: 'the legacy flow needs a temporary pod',
    volume: byClaim,
    there: storage(owned, 'WaitForFirstConsumer'),
    ready: true,
    waits: true,
  },
  {
    name: 'a claim that is missing is waited for',
    volume: byClaim,
    there: storage(undefined),
    ready: false,
    reason: 'FailedPvcNotFound',
  },
  {
    name: 'a claim without its DataVolume is an error',
    volume: byClaim,
    there: storage(owned),
    ready: false,
    reason: 'FailedDataVolumeImport',
  },
])
  test(name, () => {
    const found = bootVolumes(vmiOf({ volumes: [volume] }), there);
    assert.deepEqual([found.ready, found.waitsForConsumer, found.error?.reason], [ready, waits ?? false, reason]);
  });

test('container disks and cloud-init need no wait', () => {
  const volumes = [
    { name: 'a', containerDisk: { image: 'x' } },
    { name: 'b', cloudInitNoCloud: { userData: '' } },
  ];
  assert.deepEqual(bootVolumes(vmiOf({ volumes }), storage(undefined)), { ready: true, waitsForConsumer: false });
});

test('a DataVolume is found by the claim that it made', () => {
  const [found] = dataVolumesOf(vmiOf({ volumes: [byClaim] }), storage(owned, 'Succeeded'));
  assert.equal(found?.metadata.name, 'disk1');
});

for (const { statuses, status } of [
  { statuses: ['True', 'True'], status: 'True' },
  { statuses: ['True', undefined], status: 'Unknown' },
  { statuses: [undefined, 'False'], status: 'False' },
] as const)
  test(`DataVolumes that are ${statuses.join(' and ')} are ready: ${status}`, () => {
    const all = statuses.map((ready) =>
      dataVolumeIn('x', ready === undefined ? [] : [{ type: 'Ready', status: ready }]),
    );
    assert.equal(dataVolumesReady(all)?.status, status);
  });

test('a VMI without DataVolumes has no such condition', () => assert.equal(dataVolumesReady([]), undefined));
