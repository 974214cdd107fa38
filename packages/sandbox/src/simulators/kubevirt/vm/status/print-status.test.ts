import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DataVolume, PersistentVolumeClaim } from '../../objects.ts';
import { claim, condition, dataVolume, template, vm, vmi } from '../builders.fixture.ts';
import { printableStatus, type Sight } from './print-status.ts';

interface Case extends Partial<Pick<Sight, 'vm' | 'vmi' | 'startIssued' | 'stopIssued'>> {
  readonly when: string;
  readonly disk?: DataVolume;
  readonly claim?: PersistentVolumeClaim;
  readonly shows: string;
}

const onDisk = template({ volumes: [{ name: 'rootdisk', dataVolume: { name: 'disk1' } }] });
const unsynced = (reason: string) => condition('Synchronized', 'False', reason);
const unschedulable = condition('PodScheduled', 'False', 'Unschedulable');
const failedOnce = { startFailure: { consecutiveFailCount: 1, lastFailedVMIUID: 'old' } };

const cases: readonly Case[] = [
  { when: 'nothing is there', shows: 'Stopped' },
  { when: 'a VMI was created and not seen yet', startIssued: true, shows: 'Starting' },
  { when: 'the VMI is Pending', vmi: vmi('Pending'), shows: 'Starting' },
  { when: 'the VMI is Scheduled', vmi: vmi('Scheduled'), shows: 'Starting' },
  { when: 'the VMI runs', vmi: vmi('Running'), shows: 'Running' },
  { when: 'it is paused', vmi: vmi('Running', { conditions: [condition('Paused', 'True')] }), shows: 'Paused' },
  {
    when: 'it migrates, even if it is paused',
    vmi: vmi('Running', {
      conditions: [condition('Paused', 'True')],
      status: { migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } },
    }),
    shows: 'Migrating',
  },
  {
    when: 'a migration has ended',
    vmi: vmi('Running', {
      status: { migrationState: { startTimestamp: '2026-01-01T00:00:00Z', endTimestamp: '2026-01-01T00:00:05Z' } },
    }),
    shows: 'Running',
  },
  { when: 'the VMI goes', vmi: vmi('Running', { deleting: true }), shows: 'Stopping' },
  { when: 'the VMI was just deleted', vmi: vmi('Running'), stopIssued: true, shows: 'Stopping' },
  { when: 'what ended was just deleted', vmi: vmi('Succeeded', { ran: true }), stopIssued: true, shows: 'Stopped' },
  { when: 'the VMI ended and goes', vmi: vmi('Succeeded', { deleting: true, ran: true }), shows: 'Stopped' },
  { when: 'the VMI failed after it ran', vmi: vmi('Failed', { ran: true }), shows: 'Stopped' },
  {
    when: 'the VM goes, whatever its VMI does',
    vm: vm({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    vmi: vmi('Running', { deleting: true }),
    shows: 'Terminating',
  },
  {
    when: 'a claim is missing, which makes it unschedulable too',
    vmi: vmi('Pending', { conditions: [unschedulable, unsynced('FailedPvcNotFound')] }),
    shows: 'ErrorPvcNotFound',
  },
  { when: 'no node fits', vmi: vmi('Scheduling', { conditions: [unschedulable] }), shows: 'ErrorUnschedulable' },
  {
    when: 'it is stopped while no node fits',
    vmi: vmi('Failed', { conditions: [unschedulable], deleting: true }),
    shows: 'ErrorUnschedulable',
  },
  {
    when: 'an image cannot be pulled',
    vmi: vmi('Scheduling', { conditions: [unsynced('ErrImagePull')] }),
    shows: 'ErrImagePull',
  },
  {
    when: 'pulling an image is tried again later',
    vmi: vmi('Scheduling', { conditions: [unsynced('ImagePullBackOff')] }),
    shows: 'ImagePullBackOff',
  },
  {
    when: 'a disk was just asked for',
    vm: vm({ template: onDisk }),
    disk: dataVolume(undefined),
    shows: 'Provisioning',
  },
  {
    when: 'a disk of a halted VM is imported',
    vm: vm({ template: onDisk, spec: { runStrategy: 'Halted' } }),
    disk: dataVolume('ImportInProgress'),
    shows: 'Provisioning',
  },
  { when: 'a disk has failed', vm: vm({ template: onDisk }), disk: dataVolume('Failed'), shows: 'DataVolumeError' },
  {
    when: 'the importer stumbles',
    vm: vm({ template: onDisk }),
    disk: dataVolume('ImportInProgress', condition('Running', 'False', 'Error')),
    shows: 'DataVolumeError',
  },
  {
    when: 'the importer cannot be pulled',
    vm: vm({ template: onDisk }),
    disk: dataVolume('ImportInProgress', condition('Running', 'False', 'ImagePullFailed')),
    shows: 'DataVolumeError',
  },
  {
    when: 'the importer is about to run',
    vm: vm({ template: onDisk }),
    disk: dataVolume('ImportScheduled', condition('Running', 'False', 'ContainerCreating')),
    shows: 'Provisioning',
  },
  {
    when: 'the import is done, and the VMI not made yet',
    vm: vm({ template: onDisk }),
    disk: dataVolume('Succeeded'),
    claim: claim('Bound'),
    shows: 'Stopped',
  },
  {
    when: 'a claim waits for its first consumer',
    vm: vm({ template: onDisk }),
    vmi: vmi('Pending'),
    disk: dataVolume('WaitForFirstConsumer', condition('Bound', 'False')),
    claim: claim('Pending'),
    shows: 'WaitingForVolumeBinding',
  },
  {
    when: 'the first consumer has come and the import runs',
    vm: vm({ template: onDisk }),
    disk: dataVolume('WaitForFirstConsumer', condition('Bound', 'True')),
    claim: claim('Bound'),
    shows: 'Provisioning',
  },
  {
    when: 'a claim of a halted VM is not bound',
    vm: vm({ template: onDisk, spec: { runStrategy: 'Halted' } }),
    disk: dataVolume('PendingPopulation'),
    claim: claim('Pending'),
    shows: 'Stopped',
  },
  { when: 'starts have failed', vm: vm({ status: failedOnce }), shows: 'CrashLoopBackOff' },
  {
    when: 'starts have failed and the next is on its way',
    vm: vm({ status: failedOnce }),
    startIssued: true,
    shows: 'Starting',
  },
  {
    when: 'the failed VMI of a VM that starts once lies there',
    vm: vm({ status: failedOnce, spec: { runStrategy: 'Once' } }),
    vmi: vmi('Failed'),
    shows: 'CrashLoopBackOff',
  },
  {
    when: 'starts have failed and the next VMI is there',
    vm: vm({ status: failedOnce }),
    vmi: vmi('Scheduling'),
    shows: 'Starting',
  },
  {
    when: 'starts of a halted VM had failed',
    vm: vm({ status: failedOnce, spec: { runStrategy: 'Halted' } }),
    shows: 'Stopped',
  },
  {
    when: 'it waits for a migration to come in',
    vm: vm({ spec: { runStrategy: 'WaitAsReceiver' } }),
    vmi: vmi('WaitingForSync'),
    shows: 'WaitingForReceiver',
  },
  { when: 'the node is lost', vmi: vmi('Unknown'), shows: 'Unknown' },
];

suite('printableStatus is the first that holds', () => {
  for (const { when, shows, disk, claim: pvc, ...sight } of cases) {
    test(`${shows} when ${when}`, () => {
      const shown = printableStatus({
        vm: vm(),
        vmi: undefined,
        startIssued: false,
        stopIssued: false,
        dataVolume: () => disk,
        claim: () => pvc,
        ...sight,
      });
      assert.equal(shown, shows);
    });
  }
});
