/**
 * Writes the generated parts of the chart: copies of definitions, rights, alert rules and dashboards of deploy/, the
 * schema of its values, and its README. `node deploy/chart/generate.ts` writes them; `--check` lists outdated files.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readme } from './readme.ts';
import { valuesSchema } from './values-schema.ts';

const deploy = resolve(import.meta.dirname, '..');
const chart = join(import.meta.dirname, 'ssvirt');

/** Folders of deploy/ that are copied into the chart: Helm cannot read files outside of it. */
const copied = [
  { from: 'crds/*.yaml', to: 'crds' },
  // The -member files are applied manually in member clusters.
  { from: 'rbac/!(*-member).yaml', to: 'rbac' },
  { from: 'upgrade/*.yaml', to: 'upgrade' },
  { from: 'alerts/*.yaml', to: 'alerts' },
  { from: 'dashboards/*.json', to: 'dashboards' },
] as const;

/** `generatedFiles` returns the text of every generated file by its path in the chart. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { from, to } of copied)
    for (const file of globSync(from, { cwd: deploy }).toSorted())
      files.set(join('files', to, basename(file)), readFileSync(join(deploy, file), 'utf8'));
  files.set('values.schema.json', `${JSON.stringify(valuesSchema(), null, 2)}\n`);
  files.set('README.md', readme(readFileSync(join(chart, 'values.yaml'), 'utf8')));
  return files;
}

/** `outdatedFiles` returns the paths in the chart whose text is different, missing, or no longer generated. */
export function outdatedFiles(): readonly string[] {
  const files = generatedFiles();
  const there = globSync('files/**/*.*', { cwd: chart });
  const differing = [...files].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
  return [...differing, ...there.filter((path) => !files.has(path))];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(chart, path), 'utf8');
  } catch {
    return undefined;
  }
}

function write(): void {
  rmSync(join(chart, 'files'), { recursive: true, force: true });
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(chart, path)), { recursive: true });
    writeFileSync(join(chart, path), text);
  }
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '') {
  if (process.argv.includes('--check')) {
    const outdated = outdatedFiles();
    for (const path of outdated) process.stderr.write(`deploy/chart/ssvirt/${path} is not up to date: run make docs\n`);
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else {
    write();
  }
}
