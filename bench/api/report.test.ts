import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOf } from './anchors.ts';
import { cases, creations, farPage } from './cases.ts';
import type { Measured } from './measure.ts';
import { parts, readOptions } from './options.ts';
import { planOf } from './plan.ts';
import { farRatios, loads, memoryTable, planReport } from './report.ts';

test('options have the sizes of a whole run unless said, and small ones for a look', () => {
  const whole = readOptions([]);
  assert.deepEqual([whole?.rows, whole?.seconds, whole?.only], [100_000, 10, [...parts]]);
  const quick = readOptions(['--quick', '--only', 'get,plans', '--rows', '300', '--markdown']);
  assert.deepEqual([quick?.rows, quick?.seconds, quick?.only], [300, 1, ['get', 'plans']]);
  assert.equal(quick?.markdown, true);
  assert.equal(readOptions(['--help']), undefined);
  assert.throws(() => readOptions(['--seconds', '0']), /--seconds: "0" is not a number from 1 to 999999/);
  assert.throws(() => readOptions(['--only', 'get,set']), /--only: "set" is none of get, lists/);
});

test('the far page of 100 000 rows is the one that the ancestor was asked for, and calls are of what there is', () => {
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

test('a load is told by its rate, its times, its cost for each request, and its ratio to the ancestor', () => {
  const text = loads([measured('get VDC', 0.25, { anchor: anchorOf('get', 16) }), measured('discovery', 1)]);
  assert.match(
    text,
    /\| get VDC +\| 16 +\| +4000 \| +3\.00 \| +12\.3 \| +0\.400 \| +0\.250 \| +0\.100 \| +1780 \| +50\.0 \| +2\.2× \|/,
  );
  assert.match(text, /\| discovery +\| 16 +\| +1000 \|.*\| +\| +\| +\|$/m);
});

test('a far page stands beside the first of the same list', () => {
  const lines = farRatios([
    measured('users, page 1', 1),
    measured('users, page 3990', 2),
    measured('users, page 3990', 4, { connections: 1 }),
    measured('tasks, page 1', 1),
  ]);
  assert.deepEqual(lines, ['- users, 16 connections: page 3990 at 0.50× the rate of page 1']);
});

test('memory is told in MiB', () => {
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
