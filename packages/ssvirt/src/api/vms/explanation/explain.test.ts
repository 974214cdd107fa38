/** The explanation of a VM, from what its user sees. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { powerDecisions } from '../../../kubevirt/power/table.ts';
import { explain, type VisibleVm } from './explain.ts';

const at = '2026-02-01T12:00:00Z';
const now = new Date('2026-02-01T12:10:00Z');

function seen(some: Partial<VisibleVm['vm']>, more: Partial<VisibleVm> = {}): VisibleVm {
  const vm: VisibleVm['vm'] = {
    id: 'urn:vcloud:vm:1',
    name: 'web',
    description: '',
    href: '',
    status: 'POWERED_ON',
    statusCode: 4,
    operations: powerDecisions('POWERED_ON', false),
    stale: false,
    staleReason: null,
    vapp: { id: 'urn:vcloud:vapp:1', name: 'web' },
    standalone: false,
    vdc: { id: 'urn:vcloud:vdc:1', name: 'demo' },
    owner: null,
    cpus: 2,
    memoryMb: 2048,
    guestOs: null,
    hostName: null,
    ipAddresses: [],
    restartRequired: false,
    fault: null,
    busy: false,
    disks: [],
    networks: [],
    createdAt: at,
    updatedAt: at,
    observed: { cpus: 2, memoryMb: 2048 },
    ...some,
  };
  return { vm, tasks: [], ...more };
}

function reasons(some: Partial<VisibleVm['vm']>, more: Partial<VisibleVm> = {}): readonly string[] {
  return explain(seen(some, more), now).findings.map(({ reason }) => reason);
}

const smaller = { cpus: 1, memoryMb: 1024 };

test('a VM that runs and has what was requested is well', () => {
  const { verdict, summary, findings, next } = explain(seen({}), now);
  assert.deepEqual(
    { verdict, summary, findings, next },
    { verdict: 'well', summary: 'POWERED_ON: it is running. Nothing is wrong.', findings: [], next: [] },
  );
});

test('a VM that has less than was requested is explained with what it waits for, and with a restart only once', () => {
  const [finding] = explain(seen({ observed: smaller }), now).findings;
  assert.equal(finding?.reason, 'RESIZE_PENDING');
  assert.match(finding.what, /requested with 2 vCPUs and 2048 MB and has 1 vCPUs and 1024 MB so far\./);
  assert.deepEqual(reasons({ observed: smaller, restartRequired: true }), ['RESTART_REQUIRED']);
});

for (const [why, some] of [
  ['it is off', { status: 'POWERED_OFF', observed: smaller }],
  ['it was never observed', { observed: { cpus: null, memoryMb: null } }],
  ['no size was requested', { cpus: null, memoryMb: null, observed: smaller }],
] as const)
  test(`there is no finding about its size if ${why}`, () => {
    assert.deepEqual(reasons(some), []);
  });

test('the cause of a stale status comes first, with what its reader can do, and the VM is never well', () => {
  const staleReason = { reason: 'ControllerSilent', message: 'The vm-controller has not reported for 42 s.' };
  const placement = { cluster: 'east', namespace: 'ns', vmName: 'web', node: null };
  const stale = { stale: true, staleReason, status: 'POWERED_OFF' } as const;
  const ofTenant = explain(seen(stale), now);
  assert.deepEqual(ofTenant.findings, [
    {
      severity: 'wrong',
      reason: 'ControllerSilent',
      what: 'The status is the last known one and may be out of date.',
      why: 'The vm-controller has not reported for 42 s.',
      remedy: 'Tell the provider if this lasts.',
    },
  ]);
  const ofProvider = explain(seen({ ...stale, placement }), now);
  assert.match(ofProvider.findings[0]?.remedy ?? '', /Check the pods and the log of ssvirt-vm-controller/);
  for (const one of [ofTenant, ofProvider, explain(seen({ stale: true }), now)]) {
    assert.equal(one.verdict, 'wrong');
    assert.match(one.summary, /^POWERED_O(N|FF) was the last known status\.$/);
  }
});

test('a fault has a remedy for its reader, and is no problem yet while the VM starts', () => {
  const fault = { reason: 'NO_ROOM', message: 'No node has room for it.' };
  const placement = { cluster: 'east', namespace: 'ns', vmName: 'web', node: null };
  const failed = explain(seen({ status: 'FAILED', fault }), now);
  assert.deepEqual([failed.verdict, failed.next], ['wrong', []]);
  assert.match(failed.findings[0]?.remedy ?? '', /ask the provider for room/);
  const ofProvider = explain(seen({ status: 'FAILED', fault, placement }), now);
  assert.match(ofProvider.findings[0]?.remedy ?? '', /^Add nodes/);
  assert.deepEqual(ofProvider.next, ['kubectl describe vm,vmi -n ns   # in cluster "east"']);
  const starting = explain(seen({ status: 'POWERING_ON', fault }), now);
  assert.deepEqual([starting.verdict, starting.findings[0]?.severity], ['underway', 'note']);
});

test('a VM that does not appear in its cluster is lost when nothing creates it for two minutes', () => {
  assert.deepEqual(reasons({ status: 'UNRESOLVED' }), ['NOT_CREATED']);
  assert.deepEqual(reasons({ status: 'UNRESOLVED', createdAt: '2026-02-01T12:09:00Z' }), []);
});
