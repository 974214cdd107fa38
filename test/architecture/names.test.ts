/** Rules on names and sizes that a reader of the tree relies on. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const repository = resolve(import.meta.dirname, '../..');
/** Source files per folder, without tests. In a larger folder, files are grouped by noun. */
const largestFolder = 25;

const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\0')
  .filter((file) => file.endsWith('.ts') && !/\.(test|suite|fixture)\.ts$/.test(file) && !file.includes('/testdata/'));

function packageOf(file: string): string | undefined {
  return /^packages\/[^/]+/.exec(file)?.[0];
}

test('no type is exported under the same name by two files of a package', () => {
  const files = new Map<string, Set<string>>();
  for (const file of sources) {
    const home = packageOf(file);
    if (home === undefined) continue;
    const text = readFileSync(join(repository, file), 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    )) {
      const key = `${home}: ${name}`;
      files.set(key, (files.get(key) ?? new Set()).add(file));
    }
  }
  assert.ok(files.size > 1000, `${files.size} exported types`);
  const declaredTwice = [...files].filter(([, where]) => where.size > 1);
  assert.deepEqual(
    declaredTwice.map(([key, where]) => `${key} in ${[...where].join(' and ')}`),
    [],
  );
});

test(`no folder has more than ${largestFolder} source files`, () => {
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  assert.ok(counts.size > 200, `${counts.size} folders`);
  const tooLarge = [...counts].filter(([, count]) => count > largestFolder);
  assert.deepEqual(
    tooLarge.map(([folder, count]) => `${folder} has ${count}`),
    [],
  );
});

test('a resource type that several folders use is declared in fleet/kinds.ts alone', () => {
  const table = 'packages/ssvirt/src/fleet/kinds.ts';
  const kindsIn = (file: string): readonly string[] =>
    [...readFileSync(join(repository, file), 'utf8').matchAll(/\bkind: '(\w+)',\s+plural: '/g)].map(
      ([, kind = '']) => kind,
    );
  const shared = new Set(kindsIn(table));
  assert.ok(shared.size >= 12, `${shared.size} kinds`);
  const again = sources
    .filter((file) => file.startsWith('packages/ssvirt/') && file !== table)
    .flatMap((file) => kindsIn(file).flatMap((kind) => (shared.has(kind) ? [`${kind} in ${file}`] : [])));
  assert.deepEqual(again, []);
});
