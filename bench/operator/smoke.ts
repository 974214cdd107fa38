/**
 * Checks that a bench runs and still measures everything it claims. The figures mean nothing on a host that runs tests.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figure } from '../sandbox/figures.ts';

export interface Smoke {
  /** The bench's entry file. */
  readonly main: string;
  readonly args: readonly string[];
  /** The expected figures by section. */
  readonly measured: Readonly<Record<string, readonly string[]>>;
  readonly mayBeNone: (figure: Figure) => boolean;
}

/** The output of the bench, and its figures. */
export interface Smoked {
  readonly stdout: string;
  readonly figures: readonly Figure[];
}

export async function smokeOf({ main, args, measured, mayBeNone }: Smoke): Promise<Smoked> {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-bench-test-'));
  try {
    const json = join(folder, 'figures.json');
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--json', json]);
    const { figures } = JSON.parse(readFileSync(json, 'utf8')) as { readonly figures: readonly Figure[] };
    const found = Object.groupBy(figures, ({ section }) => section);
    const names = Object.entries(found).map(([section, own]) => [section, (own ?? []).map(({ name }) => name)]);
    assert.deepEqual(Object.fromEntries(names), measured);
    for (const figure of figures)
      assert.ok(
        mayBeNone(figure) ? Number.isFinite(figure.value) : figure.value > 0,
        `${figure.section}, ${figure.name}: ${figure.value}`,
      );
    return { stdout, figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
