import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VmiSpec } from '../../objects.ts';
import { obstacle, volumePatch, type VolumeChange } from './volume-change.ts';

const root = { name: 'rootdisk', containerDisk: { image: 'demo' } };
const data = { name: 'data', persistentVolumeClaim: { claimName: 'p2', hotpluggable: true } };
const disk = { name: 'data', disk: { bus: 'scsi' } };
const spec: VmiSpec = { domain: { devices: { disks: [{ name: 'rootdisk' }] } }, volumes: [root] };
const add = (name: string, source: string): VolumeChange => ({
  add: name,
  disk: { disk: { bus: 'scsi' } },
  source: { persistentVolumeClaim: { claimName: source } },
});

for (const [reason, change, expected] of [
  ['a free name and a free claim', add('more', 'p3'), undefined],
  [
    'a name that is taken',
    add('data', 'p3'),
    'Unable to add volume [data] because volume with that name already exists',
  ],
  ['a claim that is taken', add('more', 'p2'), 'Unable to add volume source [p2] because it already exists'],
  ['by its name', { remove: 'data' }, undefined],
  ['by its claim', { remove: 'p2' }, undefined],
  [
    'one that was there from the start',
    { remove: 'rootdisk' },
    'Unable to remove volume [rootdisk] because it is not hotpluggable',
  ],
  ['one that is not there', { remove: 'none' }, 'Unable to remove volume [none] because it does not exist'],
] as const)
  test(`volumes are plugged and unplugged: ${reason}`, () => assert.equal(obstacle([root, data], change), expected));

test('plugging replaces both lists where they are those that were read', () => {
  assert.deepEqual(volumePatch('/spec/template', spec, add('data', 'p2')), [
    { op: 'test', path: '/spec/template/spec/volumes', value: [root] },
    { op: 'test', path: '/spec/template/spec/domain/devices/disks', value: [{ name: 'rootdisk' }] },
    { op: 'replace', path: '/spec/template/spec/volumes', value: [root, data] },
    { op: 'replace', path: '/spec/template/spec/domain/devices/disks', value: [{ name: 'rootdisk' }, disk] },
  ]);
});

test('the first volume makes the lists', () => {
  assert.deepEqual(volumePatch('', { domain: { devices: {} } }, add('data', 'p2')), [
    { op: 'test', path: '/spec/volumes', value: null },
    { op: 'test', path: '/spec/domain/devices/disks', value: null },
    { op: 'add', path: '/spec/volumes', value: [data] },
    { op: 'add', path: '/spec/domain/devices/disks', value: [disk] },
  ]);
});

test('unplugging takes the volume and its disk', () => {
  const plugged: VmiSpec = { domain: { devices: { disks: [{ name: 'rootdisk' }, disk] } }, volumes: [root, data] };
  const [, , volumes, disks] = volumePatch('', plugged, { remove: 'data' });
  assert.deepEqual(volumes, { op: 'replace', path: '/spec/volumes', value: [root] });
  assert.deepEqual(disks, { op: 'replace', path: '/spec/domain/devices/disks', value: [{ name: 'rootdisk' }] });
});
