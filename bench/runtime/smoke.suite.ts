/**
 * Checks that the bench runs and still measures everything it claims. The figures mean nothing on a host that runs
 * tests.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Figures } from '../sandbox/figures.ts';
import { measurable } from '../sandbox/processes.ts';
import { compare } from './report.ts';

interface Result {
  readonly server: string;
  readonly columns: readonly { readonly name: string; readonly figures: Figures }[];
}

const wanted = [
  'from the first request to the cache',
  'from the first request to the last first reconcile',
  'from the start of the process to the cache',
  'resident after the sync',
  'every object once, by an outside source',
  'events seen',
  'from sending the write, p50',
  'from sending the write, p99',
  'longest own slice in the initial sync',
];

test('the bench measures our runtime on a sandbox', { skip: !measurable && 'it reads /proc' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-bench-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const json = join(folder, 'figures.json');
  const sizes = ['--quick', '--sandbox-objects', '200', '--events', '20', '--ours-only', '--sandbox-only'];
  const args = [join(import.meta.dirname, 'main.ts'), ...sizes, '--json', json];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.match(stdout, /without Go's controller-runtime: left out by --ours-only/);
  const { results } = JSON.parse(readFileSync(json, 'utf8')) as { readonly results: readonly Result[] };
  assert.deepEqual(
    results.map(({ server, columns }) => [server, columns.map(({ name }) => name)]),
    [['sandbox', ['ssvirt', 'ssvirt, whole objects']]],
  );
  for (const { figures } of results[0]?.columns ?? []) {
    assert.deepEqual(
      figures.all.map(({ name }) => name),
      wanted,
    );
    for (const { name, value } of figures.all) assert.ok(value > 0, `${name}: ${value}`);
  }
});

test('figures stand beside those of the rival, with their ratio', () => {
  const column = (name: string, value: number): { name: string; figures: Figures } => {
    const figures = new Figures();
    figures.add('memory', 'resident', 'MB', value);
    return { name, figures };
  };
  assert.match(
    compare([column('ssvirt', 50), column('Go', 200)], 'Go'),
    /memory: resident \| MB +\| +50\.0 \| +200 \| +0\.25× \|/,
  );
});
