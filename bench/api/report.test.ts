import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOf } from './anchors.ts';
import { cases, creations, farPage } from './cases.ts';
import { Arrivals } from './listeners/arrivals.ts';
import { changedId } from './listeners/changed-rows.ts';
import { EventReader } from './listeners/event-reader.ts';
import { listenersTable } from './listeners/report.ts';
import type { ListenersFound } from './listeners/scenario.ts';
import type { MeasuredMachines } from './machines.ts';
import { machinesTable } from './machines-report.ts';
import type { Measured } from './measure.ts';
import { parts, readOptions } from './options.ts';
import { planOf } from './plan.ts';
import { plainText } from './plain-machine.ts';
import { farRatios, loads, memoryTable, planReport } from './report.ts';
import { vmListCases, vmListTable } from './vm-lists.ts';

test('options default to the sizes of a whole run, and --quick gives small ones', () => {
  const whole = readOptions([]);
  assert.deepEqual([whole?.rows, whole?.seconds, whole?.only], [100_000, 10, [...parts]]);
  const quick = readOptions(['--quick', '--only', 'get,plans', '--rows', '300', '--markdown']);
  assert.deepEqual([quick?.rows, quick?.seconds, quick?.only], [300, 1, ['get', 'plans']]);
  assert.equal(quick?.markdown, true);
  assert.equal(readOptions(['--help']), undefined);
  assert.throws(() => readOptions(['--seconds', '0']), /--seconds: "0" is not a number from 1 to 999999/);
  assert.throws(() => readOptions(['--only', 'get,set']), /--only: "set" is none of get, lists/);
});

test('the far page of 100 000 rows is the one that the ancestor was asked for, and calls use rows that exist', () => {
  assert.equal(farPage(100_000), 3990);
  const names = cases(100_000).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes('users, filter and sort, page 3990'));
  const bodies = [...creations(3), ...creations(3, 'wait=60')].map(({ body }) => body);
  assert.equal(new Set(bodies).size, 6);
});

const measured = (name: string, seconds: number, more: Partial<Measured> = {}): Measured => ({
  name,
  connections: 16,
  requests: 1000,
  seconds,
  p50: 3,
  p99: 12.34,
  cpuSeconds: 0.1,
  bytes: 500,
  serverCpu: 0.4,
  databaseCpu: 0.25,
  anchor: undefined,
  ...more,
});

test('a load is reported by its rate, its times, its cost for each request, and its ratio to the ancestor', () => {
  const text = loads([measured('get VDC', 0.25, { anchor: anchorOf('get', 16) }), measured('discovery', 1)]);
  assert.match(
    text,
    /\| get VDC +\| 16 +\| +4000 \| +3\.00 \| +12\.3 \| +0\.400 \| +0\.250 \| +0\.100 \| +1780 \| +50\.0 \| +2\.2× \|/,
  );
  assert.match(text, /\| discovery +\| 16 +\| +1000 \|.*\| +\| +\| +\|$/m);
});

test('a far page is printed beside the first page of the same list', () => {
  const lines = farRatios([
    measured('users, page 1', 1),
    measured('users, page 3990', 2),
    measured('users, page 3990', 4, { connections: 1 }),
    measured('tasks, page 1', 1),
  ]);
  assert.deepEqual(lines, ['- users, 16 connections: page 3990 at 0.50× the rate of page 1']);
});

test('each order and each filter of VMs is measured on three pages, whose times are compared with the first', () => {
  const names = vmListCases(100_000).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const page of [1, 100, 4000]) assert.ok(names.includes(`VMs, order cpus, page ${page}`));
  assert.ok(
    names.includes('VMs, filter cpus==4, page 250') && !names.includes('VMs, filter ipAddresses==10.0.0.7, page 100'),
  );
  const text = vmListTable([
    measured('VMs, order cpus, page 1', 1),
    measured('VMs, order cpus, page 100', 1, { p50: 4.5 }),
  ]);
  assert.match(text, /\| order cpus +\| 1 +\| +3\.00 \| +12\.3 \| +0\.250 \| +\|/);
  assert.match(text, /\| order cpus +\| 100 +\| +4\.50 \| +12\.3 \| +0\.250 \| +1\.50× \|/);
});

test('memory is reported in MiB', () => {
  assert.match(
    memoryTable({ atStart: 2 ** 20, afterwards: 200 * 2 ** 20, peak: 2 ** 28 }),
    /after all runs +\| MiB +\| +200 \|/,
  );
});

test('a plan is found in what PostgreSQL says, with the tables that were read from end to end', () => {
  const scan = {
    'Node Type': 'Seq Scan',
    'Relation Name': 'users',
    'Actual Rows': 10,
    'Rows Removed by Filter': 99_990,
  };
  const roles = { 'Node Type': 'Seq Scan', 'Relation Name': 'roles', 'Actual Rows': 5 };
  const said = JSON.stringify({
    'Query Text': 'select  1',
    Plan: { 'Node Type': 'Limit', Plans: [{ ...scan, 'Actual Loops': 1 }, roles] },
  });
  const plan = planOf('GET /users', `duration: 12.5 ms  plan:\n${said}`);
  assert.ok(plan);
  assert.deepEqual(plan, {
    asked: 'GET /users',
    statement: 'select  1',
    duration: 12.5,
    sequential: ['users (100000 rows)'],
  });
  assert.equal(planOf('', 'relation "x" already exists, skipping'), undefined);
  assert.deepEqual(planReport([plan, plan]).slice(1), [
    '- GET /users: 12.5 ms, reads users (100000 rows): select 1',
    'the slowest:',
    '- GET /users: 12.5 ms, reads users (100000 rows): select 1',
  ]);
});

const machines = (name: string, seconds: number, more: Partial<MeasuredMachines> = {}): MeasuredMachines => ({
  name,
  connections: 16,
  requests: 100,
  seconds,
  p50: 20,
  p99: 40,
  cpuSeconds: 0.1,
  bytes: 500,
  cpu: { 'api-server': 1, PostgreSQL: 0.5, sandbox: 0.25, 'vm-controller': 0.125 },
  statements: [
    { text: 'select 1', calls: 3000, milliseconds: 50 },
    { text: 'select 2', calls: 1000, milliseconds: 5 },
  ],
  raw: undefined,
  ...more,
});

test('instantiations stand beside plain creates of as many connections', () => {
  const lines = machinesTable([
    machines('plain', 1, { connections: 1 }),
    machines('plain', 0.5),
    machines('instantiation', 2, { raw: 'plain' }),
  ]).split('\n');
  assert.match(
    lines.at(-1) ?? '',
    /\| instantiation \| 16 +\| 50\.0 \| +20\.0 \| +40\.0 \| +10\.0 \| +5\.00 \| +2\.50 \| +1\.25 \| +40\.0 \| +0\.25× \|/,
  );
  assert.match(lines.at(-2) ?? '', /\| plain +\| 16 +\| +200 \|.*\| +\| +\|$/);
});

test('a VM that ssvirt has made is created again plainly: of the same size, under another name, and without our labels', () => {
  const labels = { 'ssvirt.io/vm-id': 'a', 'vdc.ssvirt.io/vdc-id': 'b' };
  const spec = { template: { metadata: { labels: { 'kubevirt.io/vm': 'web-1' } } } };
  const text = plainText({ metadata: { name: 'web-1', labels }, spec }, 'plain-1');
  assert.deepEqual(JSON.parse(text), {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: 'plain-{number}',
      namespace: 'plain-1',
      labels: { 'plain.xyz/vm-id': 'a', 'vdc.plain.xyz/vdc-id': 'b' },
    },
    spec: { template: { metadata: { labels: { 'kubevirt.io/vm': 'plain-{number}' } } } },
  });
});

test('a stream of events is read across its pieces, and gone on with behind the last whole event', () => {
  const changes: number[] = [];
  const reader = new EventReader((change) => changes.push(change));
  const event = (position: string, number: number): string =>
    `id: ${position}\nevent: task\ndata: {"id":"urn:vcloud:task:${changedId(number)}","org":{"id":"00000000-0000-4000-8001-000000000001"}}\n\n`;
  const text = `HTTP/1.1 200 OK\r\nx-vmware-vcloud-request-id: 7\r\n\r\n9\r\nretry: 2000\n\n\r\n1f\r\nid: 5-0\nevent: ready\ndata: {}\n\n\r\n${event('6-1', 1)}${event('6-2', 300)}`;
  for (const byte of Buffer.from(text)) reader.push(Buffer.from([byte]));
  assert.deepEqual([changes, reader.lastId, reader.isReady, reader.resets], [[1, 300], '6-2', true, 0]);
  reader.push(Buffer.from(event('6-3', 2).slice(0, -5)));
  assert.equal(reader.lastId, '6-2');
  reader.renew();
  reader.push(Buffer.from(`\r\nid: 9-0\nevent: reset\ndata: {}\n\n`));
  assert.deepEqual([changes, reader.isReady, reader.resets], [[1, 300], false, 1]);
});

test('arrivals are counted once for each listener, and repeated ones are reported', () => {
  const arrivals = new Arrivals(2, 3);
  for (const [listener, change, at] of [
    [0, 1, 110],
    [0, 2, 225],
    [1, 2, 230],
    [1, 2, 250],
    [1, 99, 300],
  ] as const)
    arrivals.note(listener, change, at);
  assert.deepEqual([arrivals.arrived, arrivals.twice], [3, 1]);
  assert.deepEqual([...arrivals.since([100, 200, 300])], [10, 25, 30]);
});

test('the cost of listeners is reported for each delivery, and missing deliveries by their number', () => {
  const memory = { before: 100, listening: 150, changed: 170, after: 120, peak: 180 };
  const found: ListenersFound = {
    listeners: 1000,
    users: 10,
    changes: 1100,
    changing: 10,
    arriving: 10.2,
    connected: 3,
    p50: 12,
    p99: 99,
    max: 250,
    request: { p50: 5, max: 50 },
    missing: 7,
    twice: 0,
    resets: 0,
    serverCpu: 11,
    databaseCpu: 1,
    clientCpu: 4,
    memory: Object.fromEntries(
      Object.entries(memory).map(([when, size]) => [when, size * 2 ** 20]),
    ) as unknown as ListenersFound['memory'],
    restarted: 2,
    back: 5,
    away: 100,
    awayMissing: 0,
  };
  const text = listenersTable(found);
  assert.match(text, /until all 1000 listen \(10 users\) +\| s +\| +3\.00 \|/);
  assert.match(text, /deliveries that are missing +\| +\| +7 \|/);
  assert.match(text, /api-server CPU of a delivery +\| µs +\| +10\.0 \|/);
  assert.match(text, /resident memory with all of them +\| MiB +\| +150 \|/);
});
