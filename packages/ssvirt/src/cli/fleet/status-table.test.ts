/** The table of the fleet status, at several widths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FleetStatus } from '../../fleet/health/fleet-status.ts';
import { statusTable } from './status-table.ts';

const east = { name: 'east', phase: 'Ready', status: 'Connected', kubernetesVersion: 'v1.34.2', conditions: [] };
const message = 'no answer in time: check that the cluster is up and that no firewall drops the connection';
const status: FleetStatus = {
  ok: false,
  clusters: [
    { ...east, kubevirtVersion: 'v1.6.0', machines: 12, message: '' },
    { name: 'west', phase: 'Failed', status: 'Disconnected', machines: 0, message, conditions: [] },
  ],
  unplacedMachines: 2,
  checks: [{ subject: 'KubevirtConfigs', ok: true, message: '2 in namespace "kubevirt-configs"' }],
};

test('what is piped has one line for each cluster', () => {
  assert.equal(
    statusTable(status),
    `NAME  PHASE   STATUS        KUBERNETES  KUBEVIRT  MACHINES  MESSAGE
east  Ready   Connected     v1.34.2     v1.6.0    12
west  Failed  Disconnected  -           -         0         ${message}

2 Machines are not placed on a cluster

CHECK            RESULT  FOUND
KubevirtConfigs  ok      2 in namespace "kubevirt-configs"
`,
  );
});

test('in a wide terminal the message is wrapped in its column, in a narrow one below the row', () => {
  const wide = statusTable(status, { width: 110 }).split('\n');
  assert.deepEqual(wide.slice(2, 4), [
    'west  Failed  Disconnected  -           -         0         no answer in time: check that the cluster is up',
    '                                                            and that no firewall drops the connection',
  ]);
  const narrow = statusTable(status, { width: 70 }).split('\n');
  assert.deepEqual(narrow.slice(0, 5), [
    'NAME  PHASE   STATUS        KUBERNETES  KUBEVIRT  MACHINES',
    'east  Ready   Connected     v1.34.2     v1.6.0    12',
    'west  Failed  Disconnected  -           -         0',
    '    no answer in time: check that the cluster is up and that no',
    '    firewall drops the connection',
  ]);
});

test('wide has the conditions that are not as they should be', () => {
  const conditions = [
    { type: 'Reachable', status: 'False', reason: 'TimedOut' },
    { type: 'Identified', status: 'True', reason: 'Recorded' },
  ];
  const clusters = status.clusters.map((one) => (one.name === 'west' ? { ...one, conditions } : one));
  const [head, well, bad] = statusTable({ ...status, clusters }, { isWide: true }).split('\n');
  assert.match(head ?? '', /MACHINES +CONDITIONS +MESSAGE$/);
  assert.match(well ?? '', /^east .* 12 +-$/);
  assert.match(bad ?? '', /^west .* 0 +Reachable=False:TimedOut +no answer in time/);
});

test('no word of a cluster steers the terminal', () => {
  const bad = { ...east, kubernetesVersion: 'v1\u001B[2J', machines: 0, message: 'a\u001B]0;x\u0007b\nc' };
  assert.doesNotMatch(statusTable({ ...status, clusters: [bad] }), /[^\P{Cc}\n]/u);
});

test('without clusters it says so', () => {
  const { unplacedMachines: _, ...rest } = status;
  assert.match(statusTable({ ...rest, clusters: [] }), /^no clusters\n\nCHECK/);
});
