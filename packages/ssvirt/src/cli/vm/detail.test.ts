import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, headers } from '../output/view.ts';
import { vms } from '../api/entity-kinds.ts';
import { detailPage } from './detail.ts';

type Vm = Parameters<typeof detailPage>[0];

const now = Date.parse('2026-02-01T12:10:00Z');
const vm = (some: Partial<Vm>): Vm => ({
  ...({} as Pick<Vm, 'operations'>),
  id: 'urn:vcloud:vm:1',
  name: 'web',
  description: '',
  href: '',
  status: 'POWERED_ON',
  statusCode: 4,
  stale: false,
  staleReason: null,
  vapp: { id: 'urn:vcloud:vapp:1', name: 'shop' },
  standalone: false,
  vdc: { id: 'urn:vcloud:vdc:1', name: 'lab' },
  owner: { id: 'urn:vcloud:user:1', name: 'ava' },
  cpus: 4,
  memoryMb: 4096,
  guestOs: 'Fedora',
  hostName: 'web',
  ipAddresses: ['10.0.2.2'],
  restartRequired: false,
  fault: null,
  busy: false,
  disks: [
    { name: 'rootdisk', sizeMb: 20_480, boot: true },
    { name: 'data', sizeMb: null, boot: false },
  ],
  networks: [
    { name: 'default', kind: 'pod' },
    { name: 'lan', kind: 'multus', networkName: 'blue' },
  ],
  createdAt: '2026-02-01T12:00:00Z',
  updatedAt: '2026-02-01T12:00:00Z',
  observed: { cpus: 2, memoryMb: 2048 },
  ...some,
});

test('the page of a VM has what it is made of, whose it is, and its last task', () => {
  const task = {
    operation: 'Powering on virtual machine web',
    status: 'error',
    startTime: '2026-02-01T12:05:00Z',
    user: { id: 'urn:vcloud:user:1', name: 'ava' },
    error: { minorErrorCode: 'CONFLICT', message: 'No room.', stackTrace: null },
    message: '',
  } as const;
  assert.equal(
    detailPage(vm({}), task, now),
    `Virtual machine web
  status         POWERED_ON
  size           4 CPUs, 4096 MB
  disks          rootdisk 20480 MB (boot), data
  network cards  default, lan (blue)
  addresses      10.0.2.2
  host name      web
  guest          Fedora
  VDC            lab
  vApp           shop
  owner          ava
  created        10 min ago
  last task      Powering on virtual machine web: error, started 5 min ago by ava: No room.
  id             urn:vcloud:vm:1
`,
  );
});

test('the vApp of a VM that was created alone is shown nowhere', () => {
  const vapp = { id: 'urn:vcloud:vapp:2', name: 'web (virtual machine)' };
  const [alone, shared] = [true, false].map((standalone) => vm({ standalone, vapp }));
  assert.ok(alone !== undefined && shared !== undefined);
  const texts = (one: Vm): readonly string[] => [
    detailPage(one, undefined, now),
    cells(vms.view, 'wide', one).join(' '),
    vms.whereabouts?.(one) ?? '',
  ];
  for (const text of texts(alone)) assert.doesNotMatch(text, /virtual machine\)/);
  for (const text of texts(shared)) assert.match(text, /web \(virtual machine\)/);
});

test('the page says why a VM does not run, and what its next restart changes', () => {
  const page = detailPage(
    vm({
      status: 'FAILED',
      stale: true,
      staleReason: { reason: 'ClusterSilent', message: 'The cluster is silent since 12:00.' },
      fault: { reason: 'NO_ROOM', message: 'No node has room.' },
      restartRequired: true,
      owner: null,
      networks: [],
    }),
    undefined,
    now,
  );
  for (const line of [
    /^ {2}status +FAILED \(stale\)$/m,
    /^ {2}stale +The cluster is silent since 12:00\.$/m,
    /^ {2}reason +NO_ROOM: No node has room\.$/m,
    /^ {2}pending restart +CPUs from 2 to 4, memory from 2048 MB to 4096 MB: takes effect after a power-off and power-on$/m,
    /^ {2}network cards +none known$/m,
    /^ {2}owner +unknown$/m,
    /^ {2}last task +none on record$/m,
  ])
    assert.match(page, line);
});

test('the list has a reason where something is wrong', () => {
  const at = headers(vms.view, 'table').indexOf('REASON');
  const reason = (some: Partial<Vm>) => cells(vms.view, 'table', vm(some))[at];
  assert.equal(reason({}), '-');
  assert.equal(reason({ fault: { reason: 'NO_ROOM', message: 'No node has room.' } }), 'NO_ROOM');
  assert.equal(reason({ restartRequired: true }), 'restart pending');
  const stale = { stale: true, staleReason: { reason: 'ClusterSilent', message: '' } };
  assert.equal(reason({ ...stale, restartRequired: true }), 'ClusterSilent, restart pending');
});
