/**
 * The guarantees of the runtime, point by point, with the tests of each. A test belongs to a point when its name starts
 * with the point's id.
 * node test/runtime/checklist.ts --write
 * writes docs/contributor/runtime-checklist.md; checklist.test.ts checks that it is up to date and that every point has
 * a test.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { complaints, points, type Point } from './checklist-points.ts';

const root = resolve(import.meta.dirname, '../..');
export const page = 'docs/contributor/runtime-checklist.md';

const places = [
  'packages/kube/src/**/*.test.ts',
  'packages/ssvirt/src/fleet/**/*.test.ts',
  'test/{runtime,leadership,fleet}/**/*.ts',
];
const own = /^test\/runtime\/checklist/;

/** Test files by the id at the start of the names of their tests. */
export function testsById(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(places, { cwd: root }).toSorted()) {
    if (own.test(file)) continue;
    for (const id of idsIn(readFileSync(join(root, file), 'utf8'))) {
      const files = found.get(id) ?? [];
      if (!files.includes(file)) found.set(id, [...files, file]);
    }
  }
  return found;
}

/**
 * Every id at the start of a string in the source, `'F4: …'` or `'F4, F5: …'`; in cases the id is a string of its own:
 * `'F4'`.
 */
export function idsIn(source: string): Set<string> {
  const texts = [...source.matchAll(/['"`]([^'"`:\n]{2,60})(?:: |['"`],)/g)].map(([, text = '']) => text);
  return new Set(texts.flatMap((text) => [text, ...text.split(/, | and |\//)]));
}

export function withoutTest(tests = testsById()): Point[] {
  return [...points, ...complaints].filter(({ id, leftOut }) => leftOut === undefined && !tests.has(id));
}

export function render(tests = testsById()): string {
  return `# What the controller runtime promises

For engineers who build on the controller runtime or change it. At the end you know each guarantee and its tests. The
names of the tests start with the id of the point. Tests in \`test/runtime/cases\` run on the sandbox and on a real
kube-apiserver. \`bin/node test/runtime/checklist.ts --write\` writes this page, and a test checks that it is up to date.

## The points

The points follow the behavior of client-go and controller-runtime. The ids are by area: T transport, F reflector, D
deltas and store, I informers, Q queue and controller, P sources and predicates, L leadership, E events, M manager, C
many clusters.

${table(points, tests)}

## Complaints about other runtimes

Each was a bug that users of another JavaScript or Go runtime reported.

${table(complaints, tests)}
`;
}

function table(rows: readonly Point[], tests: Map<string, string[]>): string {
  const lines = rows.map(({ id, promise, leftOut }) => {
    const files = (tests.get(id) ?? []).map((file) => `[${file}](../../${file})`).join('<br>');
    return `| ${id} | ${promise} | ${leftOut === undefined ? files : `not tested: ${leftOut}`} |`;
  });
  return ['| id | promise | tests |', '| --- | --- | --- |', ...lines].join('\n');
}

if (process.argv.includes('--write')) writeFileSync(join(root, page), render());
