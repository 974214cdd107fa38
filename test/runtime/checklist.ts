/**
 * What the runtime promises, point by point, and which tests hold it to that. A test belongs to a point when its name starts with the point's id.
 *   node test/runtime/checklist.ts --write
 * writes docs/contributor/runtime-checklist.md; checklist.test.ts sees that it is up to date and that no point is without a test.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { complaints, points, type Point } from './checklist-points.ts';

const root = resolve(import.meta.dirname, '../..');
export const page = 'docs/contributor/runtime-checklist.md';

const places = ['src/{kube,fleet}/**/*.test.ts', 'test/{runtime,leadership,fleet}/**/*.ts'];
const own = /^test\/runtime\/checklist/;

/** Test files by the id that the names of their tests start with. */
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

/** Every id that a text of the source starts with, `'F4: …'` or `'F4, F5: …'`; cases have theirs as a text of its own: `'F4'`. */
export function idsIn(source: string): Set<string> {
  const texts = [...source.matchAll(/['"`]([^'"`:\n]{2,60})(?:: |['"`],)/g)].map(([, text = '']) => text);
  return new Set(texts.flatMap((text) => [text, ...text.split(/, | and |\//)]));
}

export function withoutTest(tests = testsById()): Point[] {
  return [...points, ...complaints].filter(({ id, leftOut }) => leftOut === undefined && !tests.has(id));
}

export function render(tests = testsById()): string {
  return `# What the controller runtime promises

Each point is held by tests whose names start with its id; those under \`test/runtime/cases\` run on the sandbox and on a real kube-apiserver.
This page is written by \`bin/node test/runtime/checklist.ts --write\`, and a test sees that it is up to date.

## The points

The ids are those of client-go's and controller-runtime's behaviour, by area: T transport, F reflector, D deltas and store, I informers, Q queue and
controller, P sources and predicates, L leadership, E events, M manager, C many clusters.

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
