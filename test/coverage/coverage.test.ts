import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Covered, measuring, type V8Coverage } from './covered.ts';
import { linesOf } from './lines.ts';

const source = `/** What is measured: three lines at the top, and two in each of the cases. */
interface Never {
  readonly counted: boolean;
}

const which: string | undefined = process.argv[2];
// A comment.
if (which === 'one') {
  console.log('one');
  one();
} else if (which === 'other') {
  console.log('other', {} satisfies Partial<Never>);
}
function one(): void {
  console.log('in a function');
}
`;

test('what several processes have run is put together, line by line, without types and comments', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-coverage-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'measured.ts');
  writeFileSync(file, source);
  const url = pathToFileURL(file).href;
  const covered = new Covered((one) => one === url);
  assert.deepEqual(linesOf(source, covered.of(url)), { lines: 8, run: 0 });
  const runs: readonly [string, number][] = [
    ['neither', 3],
    ['one', 7],
    ['neither', 7],
    ['other', 8],
  ];
  for (const [argument, expected] of runs) {
    const into = join(folder, 'told');
    execFileSync(process.execPath, [file, argument], { env: measuring(into) });
    for (const told of globSync(join(into, '*.json')))
      covered.add(JSON.parse(readFileSync(told, 'utf8')) as V8Coverage);
    rmSync(into, { recursive: true });
    assert.deepEqual(linesOf(source, covered.of(url)), { lines: 8, run: expected }, argument);
  }
});
