/** Blocks that suites type: section by section, each in one shell, as a reader of the page would. */
import assert from 'node:assert/strict';
import { startChild } from '../runner/child.ts';
import { shellBlocks, type Block } from './blocks.ts';
import { textOf } from './pages.ts';
import { assertReadable } from './readable.ts';

/** By the suite that types all of them. */
export const typedBySuites = {
  'clusters.suite.ts': {
    page: 'docs/provider/clusters.md',
    sections: ['Add a second cluster', 'Replace a token', 'Remove a cluster'],
  },
  'another-cluster.suite.ts': {
    page: 'docs/provider/clusters.md',
    sections: ['Accept another cluster under the same name', 'Remove a lost cluster'],
  },
  'earlier-operator.suite.ts': {
    page: 'docs/provider/clusters.md',
    sections: ['From an operator with one cluster', 'Names of earlier operators'],
  },
  'restore-database.suite.ts': {
    page: 'docs/provider/backup-and-restore.md',
    sections: ['Back up PostgreSQL', 'Restore PostgreSQL', 'Restore a cluster of the fleet'],
  },
  'restore-supervisor.suite.ts': {
    page: 'docs/provider/backup-and-restore.md',
    sections: ['Restore the supervisor'],
  },
  'lost-supervisor.suite.ts': {
    page: 'docs/provider/backup-and-restore.md',
    sections: ['Export the Machines', 'Replace a lost supervisor'],
  },
} as const;

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** By headings of any level; text before the first heading has no title. */
export function sectionsOf(markdown: string): readonly Section[] {
  const lines = markdown.split('\n');
  const starts: { readonly title: string; readonly line: number }[] = [{ title: '', line: 0 }];
  let inBlock = false;
  for (const [at, text] of lines.entries()) {
    if (/^ *```/.test(text)) inBlock = !inBlock;
    const [, title] = /^#+ (.*)$/.exec(text) ?? [];
    if (!inBlock && title !== undefined) starts.push({ title, line: at + 1 });
  }
  const blocks = shellBlocks(markdown);
  return starts.map(({ title, line }, at) => {
    const end = starts[at + 1]?.line ?? Infinity;
    return { title, blocks: blocks.filter((one) => one.line > line && one.line < end) };
  });
}

export interface TypeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Which of the section's blocks, counted from 0; by default all. */
  readonly only?: readonly number[];
}

/** The time for one section on a busy host. */
const limitMs = 360_000;

/**
 * `typeSection` types the blocks of a section into one shell and resolves to what it printed; rejects if a command
 * fails.
 */
export async function typeSection(page: string, title: string, { cwd, env, only }: TypeOptions): Promise<string> {
  const section = sectionsOf(textOf(page)).find((one) => one.title === title);
  const blocks = (section?.blocks ?? []).filter(({ treatment }) => treatment === 'suite');
  const chosen = only === undefined ? blocks : only.flatMap((at) => blocks[at] ?? []);
  assert.ok(chosen.length > 0 && chosen.length === (only ?? blocks).length, `${page} has lost blocks of "${title}"`);
  const script = chosen.map((block) => block.script).join('');
  let output = '';
  const { ended } = startChild('sh', ['-euxc', script], {
    cwd,
    env,
    limitMs,
    onLine: (line) => (output += `${line}\n`),
    onError: (text) => (output += text),
  });
  const { code, timedOut } = await ended;
  const how = timedOut ? `it did not end in ${limitMs / 1000} s` : `exit code ${code}`;
  if (code !== 0) throw new Error(`${page}:${chosen[0]?.line}: ${how}\n${output}`);
  assertReadable(output, `${page}: ${title}`);
  return output;
}
