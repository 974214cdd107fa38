import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { notRun } from '../not-run.ts';
import { page, pageFile, repositoryFiles } from './tree.ts';

test('docs/contributor/tree.md shows the folders of the repository', (t) => {
  const files = repositoryFiles();
  if (files === undefined) return t.skip(notRun('the page of all folders', 'git does not know this folder'));
  assert.ok(readFileSync(pageFile, 'utf8') === page(files), 'docs/contributor/tree.md is out of date: run make docs');
});

test('folders are shown four levels deep and sorted, without hidden ones', () => {
  const text = page(['b/a.ts', 'a/c/x.ts', 'a/b/c/d/e/x.ts', '.ci/run', 'a/.hidden/x/y.ts', 'README.md']);
  const tree = ['.', '├── a', '│   ├── b', '│   │   └── c', '│   │       └── d', '│   └── c', '└── b'];
  assert.ok(text.includes(['```text', ...tree, '```', ''].join('\n')), text);
});
