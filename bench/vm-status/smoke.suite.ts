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
import type { Figure } from '../sandbox/figures.ts';
import { measurable } from '../sandbox/processes.ts';

interface Result {
  readonly name: string;
  readonly figures: readonly Figure[];
}

const loads = [
  '500 changes a second',
  '1000 changes a second',
  'flooded, each machine once',
  'flooded, each machine 4 times',
];
const measured = [
  'changes sent',
  'changes brought in',
  'rows written',
  'sent → committed, p50',
  'sent → committed, p99',
  'seen → committed by its own metric, p50',
  'seen → committed by its own metric, p99',
  'statements per change',
  'processor time per 1000 changes',
  'log per 1000 changes',
  '/metrics',
  'resident afterwards',
];
/** May be 0 in so short a time, or negative when the commit comes before the answer to the patch. */
const mayBeNone = ['processor time per 1000 changes', 'log per 1000 changes', 'sent → committed, p50'];

test(
  'the bench measures our controller on an event source in memory',
  { skip: !measurable && 'it reads /proc' },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'ssvirt-bench-test-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const json = join(folder, 'figures.json');
    const sizes = ['--quick', '--machines', '100', '--seconds', '1', '--only', 'changes'];
    const alone = ['--ours-only', '--without-real', '--without-sandbox', '--crds', folder, '--json', json];
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'main.ts'),
      ...sizes,
      ...alone,
    ]);
    assert.match(stdout, /without Go's controller-runtime: left out by --ours-only/);
    assert.match(stdout, /under light definitions of our own/);
    const { results } = JSON.parse(readFileSync(json, 'utf8')) as { readonly results: readonly Result[] };
    assert.deepEqual(
      results.map(({ name, figures }) => [name, figures.map(({ section, name: figure }) => `${section}: ${figure}`)]),
      [['ssvirt', loads.flatMap((load) => measured.map((name) => `source, ${load}: ${name}`))]],
    );
    for (const { section, name, value } of results[0]?.figures ?? [])
      assert.ok(mayBeNone.includes(name) ? Number.isFinite(value) : value > 0, `${section}, ${name}: ${value}`);
  },
);
