import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import type { PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { DRIVER, LOCAL, STANDARD, storageClass } from './classes.ts';
import { clonedClaim, isOurTurn, volumeFor, wantedSize } from './provisioning.ts';

const ours = { 'volume.kubernetes.io/storage-provisioner': DRIVER };
const claim = (
  annotations: Record<string, string>,
  spec: JsonObject = {},
  status: JsonObject = {},
): PersistentVolumeClaim => ({
  metadata: { namespace: 'ns', name: 'c', uid: 'u', annotations },
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: STANDARD,
    resources: { requests: { storage: '2Gi' } },
    ...spec,
  },
  status: { phase: 'Pending', ...status },
});

test('a claim is provisioned when the control plane says that it is our turn', () => {
  const cases: readonly (readonly [reason: string, claim: PersistentVolumeClaim, expected: boolean])[] = [
    ['it is', claim(ours), true],
    ['there is no such annotation', claim({}), false],
    ['it is another driver’s', claim({ 'volume.kubernetes.io/storage-provisioner': 'x' }), false],
    ['it has a volume', claim(ours, { volumeName: 'v' }), false],
    [
      'a populator fills it',
      claim(ours, { dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'x' } }),
      false,
    ],
    ['it copies another', claim(ours, { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } }), true],
    ['it goes', { ...claim(ours), metadata: { annotations: ours, deletionTimestamp: 'now' } }, false],
  ];
  for (const [reason, of, expected] of cases) assert.equal(isOurTurn(of), expected, reason);
  assert.equal(clonedClaim(claim(ours, { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } })), 'x');
});

test('a volume has what the claim asks for, on the node that was chosen', () => {
  const made = volumeFor(
    claim({ ...ours, 'volume.kubernetes.io/selected-node': 'node02' }),
    storageClass(LOCAL, false),
  );
  const spec = made['spec'] as JsonObject;
  assert.equal(made.metadata.name, 'pvc-u');
  assert.deepEqual(spec['capacity'], { storage: '2Gi' });
  assert.deepEqual(spec['accessModes'], ['ReadWriteMany']);
  assert.equal(spec['persistentVolumeReclaimPolicy'], 'Delete');
  assert.deepEqual(spec['nodeAffinity'], {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node02'] }] },
      ],
    },
  });
  assert.equal((volumeFor(claim(ours), undefined)['spec'] as JsonObject)['nodeAffinity'], undefined);
});

test('a volume says its size in binary units, however it was asked for', () => {
  const cases: readonly (readonly [asked: string, expected: string])[] = [
    ['10737418240', '10Gi'],
    ['10Gi', '10Gi'],
    ['2G', '1953125Ki'],
    ['11422789829', '11422789829'],
  ];
  for (const [storage, expected] of cases) {
    const { spec } = volumeFor(claim(ours, { resources: { requests: { storage } } }), undefined);
    assert.deepEqual((spec as JsonObject)['capacity'], { storage: expected });
  }
});

test('a bound claim that asks for more grows', () => {
  const bound = (storage: string): PersistentVolumeClaim =>
    claim(ours, { volumeName: 'v' }, { phase: 'Bound', capacity: { storage } });
  assert.equal(wantedSize(bound('1Gi')), '2Gi');
  assert.equal(wantedSize(bound('2048Mi')), undefined);
  assert.equal(wantedSize(claim(ours)), undefined);
});
