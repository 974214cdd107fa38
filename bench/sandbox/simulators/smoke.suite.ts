/**
 * Checks that the bench of the simulators runs and still measures everything it claims. The figures mean nothing on a
 * host that runs tests.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { measurable } from '../processes.ts';
import type { Row } from '../report.ts';
import { readOptions } from './options.ts';

const wanted = [
  'until the last one is Running',
  'machines',
  'from create to Running, p50',
  'from create to Running, p99',
  'changes stored, of all kinds, per machine',
  'state changes of one call',
  'calls answered',
  'calls refused',
  'state changes seen',
  'from the call to the machine showing it, p50',
  'from the call to the machine showing it, p99',
];
const wantedOfProcesses = [
  'processor time per machine',
  'resident, at most',
  'idle afterwards, of a core',
  'resident after',
];

test('the bench starts machines and changes their states by every driver', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-bench-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const json = join(folder, 'figures.json');
  // Few enough changes that no VM is called twice: on a busy host it would change back before the watch shows the first
  // change. A call changes at least two states.
  const machines = 8;
  const sizes = { machines, changes: 2 * machines, seconds: 1, connections: 4, rest: 1, patience: 180 };
  const flags = Object.entries({ ...sizes, by: 'reports,pauses' }).flatMap(([name, size]) => [
    `--${name}`,
    String(size),
  ]);
  const main = join(import.meta.dirname, '../main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'simulators', ...flags, '--json', json]);
  const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { rows: readonly Row[] };
  const found = new Map(rows.map(({ name, values }) => [name, values['sandbox']]));
  for (const name of [...wanted, ...(measurable ? wantedOfProcesses : [])]) {
    assert.ok(Number.isFinite(found.get(name)), `there is no figure "${name}"`);
    assert.ok(stdout.includes(name), `"${name}" is not printed`);
  }
  assert.equal(found.get('calls refused'), 0);
  const perCall = found.get('state changes of one call') ?? 0;
  assert.ok(perCall >= 2, `a machine and its instance change, not ${perCall} states`);
  for (const by of ['reports', 'pauses']) assert.match(stdout, new RegExp(`a second for 1 s, by ${by}`));
});

test('a size that is no number is refused by name', () => {
  assert.throws(() => readOptions(['--machines', 'many']), /--machines: "many"/);
});
