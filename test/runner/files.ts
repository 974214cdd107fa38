/**
 * Which test files run. `*.test.ts` need git, make and Node only. `*.suite.ts` need more time, or tools, which they name in a line
 * `// needs: kubectl, kube-apiserver` among their first: they run where all of that is found.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface TestFiles {
  readonly run: readonly string[];
  /** Suites that lack a tool, each with the sentence that says which. */
  readonly left: ReadonlyMap<string, string>;
  /** Suites that only `make test-all` runs. */
  readonly later: readonly string[];
}

export interface Selection {
  /** Suites that only `make test-all` runs, unless `within` names them, are left out if this is false. */
  readonly isWhole?: boolean;
  /** Files or folders, relative to the root; empty for all. */
  readonly within: readonly string[];
  readonly kinds: readonly ('test' | 'suite')[];
}

const folders = ['packages', 'test', 'bench'];

export function selectFiles(
  root: string,
  { within, kinds, isWhole = true }: Selection,
  findTool: (name: string) => string | undefined,
): TestFiles {
  const patterns = folders.flatMap((folder) => kinds.map((kind) => `${folder}/**/*.${kind}.ts`));
  const found = globSync(patterns, { cwd: root }).toSorted();
  const wanted = found.filter((file) => within.length === 0 || within.some((place) => isWithin(place, file)));
  const left = new Map<string, string>();
  const later = new Set<string>();
  for (const file of wanted.filter((name) => name.endsWith('.suite.ts'))) {
    const source = readFileSync(join(root, file), 'utf8');
    if (!isWhole && within.length === 0 && isOnlyInTestAll(source)) {
      later.add(file);
      continue;
    }
    const missing = needs(source).filter((tool) => findTool(tool) === undefined);
    if (missing.length > 0)
      left.set(file, `needs ${missing.join(', ')}, not found on the PATH nor in KUBEBUILDER_ASSETS`);
  }
  return { run: wanted.filter((file) => !left.has(file) && !later.has(file)), left, later: [...later] };
}

/** A suite says so in a line `// only in make test-all: REASON`, which also says what .ci/run has instead. */
export function isOnlyInTestAll(source: string): boolean {
  return /^\/\/ only in make test-all: \S/m.test(source);
}

/** The tools that a suite's `// needs:` line names. */
export function needs(source: string): readonly string[] {
  const line = /^\/\/ needs: *(.+)$/m.exec(source)?.[1] ?? '';
  return line
    .split(',')
    .map((tool) => tool.trim())
    .filter((tool) => tool !== '');
}

function isWithin(place: string, file: string): boolean {
  const path = relative(place, file);
  return path === '' || !path.startsWith('..');
}
