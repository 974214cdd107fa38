/** The advice for a tenant's VM whose size differs from the requested one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantAdvice } from './tenant-advice.ts';
import { tenantPage } from './tenant-page.ts';
import type { TenantCase } from './tenant-case.ts';

function caseOf(some: Partial<TenantCase['vm']>): TenantCase {
  const vm: TenantCase['vm'] = {
    id: 'urn:vcloud:vm:1',
    name: 'web',
    status: 'POWERED_ON',
    stale: false,
    staleReason: null,
    vapp: { id: 'urn:vcloud:vapp:1', name: 'web' },
    vdc: { id: 'urn:vcloud:vdc:1', name: 'demo' },
    cpus: 2,
    memoryMb: 2048,
    guestOs: null,
    ipAddresses: [],
    restartRequired: false,
    fault: null,
    busy: false,
    disks: [],
    createdAt: '2026-02-01T12:00:00Z',
    updatedAt: '2026-02-01T12:00:00Z',
    observed: { cpus: 1, memoryMb: 1024 },
    ...some,
  };
  return { now: Date.parse('2026-02-01T12:10:00Z'), vm, tasks: [] };
}

function told(some: Partial<TenantCase['vm']>): string {
  return tenantAdvice(caseOf(some)).sentences.join(' ');
}

const growing = /requested with 2 vCPUs and 2048 MB and has 1 vCPUs and 1024 MB so far.*power it off and on again/;

test('a machine that runs and has less than it was asked for is shown with what it waits for', () => {
  assert.match(told({}), growing);
});

test('a change that needs a restart is shown as such, once', () => {
  assert.match(told({ restartRequired: true }), /a change takes effect after a power-off and power-on/i);
  assert.doesNotMatch(told({ restartRequired: true }), growing);
});

for (const [why, some] of [
  ['it has what was asked for', { observed: { cpus: 2, memoryMb: 2048 } }],
  ['it is off', { status: 'POWERED_OFF' }],
  ['it was never observed', { observed: { cpus: null, memoryMb: null } }],
  ['no size was asked for', { cpus: null, memoryMb: null }],
] as const)
  test(`nothing is said of its size where ${why}`, () => {
    assert.doesNotMatch(told(some), /so far/);
  });

test('of a machine whose status is stale it is said why, since when and what to do, and never that nothing is wrong', () => {
  const staleReason = { reason: 'ControllerSilent', message: 'The vm-controller has not reported for 42 s.' };
  const placement = { cluster: 'east', namespace: 'ns', vmName: 'web', node: null };
  const observed = { cpus: 2, memoryMb: 2048 };
  const stale = { stale: true, staleReason, status: 'POWERED_OFF', observed } as const;
  const tenant = told(stale);
  assert.match(
    tenant,
    /^The vm-controller has not reported for 42 s\. The page shows the last known state, which may be out of date: tell the provider/,
  );
  assert.match(tenant, /POWERED_OFF was the last known status\./);
  assert.match(told({ ...stale, placement }), /check the pods and the log of ssvirt-vm-controller/);
  for (const text of [tenant, told({ ...stale, placement }), told({ stale: true })])
    assert.doesNotMatch(text, /nothing is wrong|it is off/i);
});

test('the page marks each status that is stale: of the machine, of its vApp and of its virtual data center', () => {
  const page = (stale: boolean): string => {
    const seen = caseOf({ stale });
    const vapp = { name: 'web', status: 'MIXED', stale, fault: null } as const;
    const vdc = { name: 'demo', statusText: 'READY', stale, message: '', isEnabled: true };
    const whole = { ...seen, vapp, vdc };
    return tenantPage(whole, tenantAdvice(whole));
  };
  const marked = page(true);
  for (const line of [/POWERED_ON \(stale\)$/m, /vApp +web, MIXED \(stale\)$/m, /VDC +demo, READY \(stale\)$/m])
    assert.match(marked, line);
  assert.doesNotMatch(page(false), /\(stale\)/);
});
