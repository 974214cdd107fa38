/** The page about a tenant's VM. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantPage } from './tenant-page.ts';

type Explanation = Parameters<typeof tenantPage>[0];

const at = '2026-02-01T12:00:00Z';

function pageOf(stale: boolean): string {
  const owner = { name: '', id: '' };
  const shown = { description: '', href: '', owner, stale, staleReason: null, createdAt: at, updatedAt: at };
  const explained = {
    verdict: 'wrong',
    summary: 'POWERED_ON was the last known status.',
    findings: [
      {
        severity: 'note',
        reason: 'DISK_BUSY',
        what: 'One of its disks is still being filled.',
        why: null,
        remedy: null,
      },
      { severity: 'wrong', reason: 'NO_ROOM', what: 'It waits.', why: 'no node has room', remedy: 'Make it smaller.' },
    ],
    next: [],
    vm: {
      ...shown,
      name: 'web',
      status: 'POWERED_ON',
      vapp: { id: 'urn:vcloud:vapp:1', name: 'web' },
      standalone: false,
      vdc: { id: 'urn:vcloud:vdc:1', name: 'demo' },
      cpus: 2,
      memoryMb: 2048,
      disks: [],
      ipAddresses: [],
    },
    vapp: { ...shown, name: 'web', status: 'MIXED' },
    vdc: { ...shown, name: 'demo', statusText: 'READY', message: '', isEnabled: true },
    tasks: [],
  };
  return tenantPage(explained as unknown as Explanation, Date.parse(at));
}

test('the page marks each status that is stale: of the VM, of its vApp and of its virtual data center', () => {
  const marked = pageOf(true);
  for (const line of [/POWERED_ON \(stale\)$/m, /vApp +web, MIXED \(stale\)$/m, /VDC +demo, READY \(stale\)$/m])
    assert.match(marked, line);
  assert.doesNotMatch(pageOf(false), /\(stale\)/);
});

test('the page has what is wrong first, with its cause and what to do, then the status, then the rest', () => {
  assert.match(
    pageOf(true),
    /\n {2}NO_ROOM: It waits: no node has room\.\n {4}Make it smaller\.\n {2}POWERED_ON was the last known status\.\n {2}One of its disks is still being filled\.\n/,
  );
});
