import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Copy } from './copy.ts';
import type { Defect } from './defect.ts';

const defect: Defect = {
  file: 'packages/base/src/one.ts',
  source: '1',
  replacement: '2',
  why: 'one is two',
  noticedBy: { file: 'test/one.test.ts' },
};

/** A repository with a package of its own, `@ssvirt/base`, and a foreign one. */
function repository(t: TestContext, options: { readonly workspaces: boolean }): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ssvirt-copy-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const files = {
    '.gitignore': 'node_modules/\n',
    'package.json': '{"type":"module"}',
    'packages/base/package.json': '{"name":"@ssvirt/base","type":"module","exports":{"./*":"./src/*"}}',
    'packages/base/src/one.ts': 'export const one: number = 1;\n',
    'test/main.ts':
      "import { one } from '@ssvirt/base/one.ts';\nimport { two } from 'foreign';\nconsole.log(one, two);\n",
    'test/beside.ts': "import { one } from '../packages/base/src/one.ts';\nconsole.log(one);\n",
    'node_modules/foreign/package.json': '{"name":"foreign","type":"module","exports":"./index.js"}',
    'node_modules/foreign/index.js': "export const two = 'foreign';\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  if (options.workspaces) {
    mkdirSync(join(root, 'node_modules/@ssvirt'));
    symlinkSync('../../packages/base', join(root, 'node_modules/@ssvirt/base'));
  }
  return root;
}

function copyOf(t: TestContext, root: string): Copy {
  const copy = Copy.of(root);
  t.after(() => copy.remove());
  return copy;
}

const output = (folder: string, file: string): string =>
  execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }).trim();

test('a defect in a package of ours is run where it is imported by its name, in a copy of the copy too', async (t) => {
  const root = repository(t, { workspaces: true });
  const first = copyOf(t, root);
  const second = first.again();
  t.after(() => second.remove());
  for (const copy of [first, second]) {
    const run = (): Promise<string> => Promise.resolve(output(copy.path, 'test/main.ts'));
    assert.equal(await copy.with(defect, run), '2 foreign');
    assert.equal(await run(), '1 foreign');
  }
  assert.equal(output(root, 'test/main.ts'), '1 foreign');
});

test('a defect is run where there are no packages of ours', async (t) => {
  const copy = copyOf(t, repository(t, { workspaces: false }));
  const run = (): Promise<string> => Promise.resolve(output(copy.path, 'test/beside.ts'));
  assert.equal(await copy.with(defect, run), '2');
});

test('a link of ours that leads out of the repository is refused', (t) => {
  const root = repository(t, { workspaces: true });
  symlinkSync(tmpdir(), join(root, 'node_modules/@ssvirt/elsewhere'));
  assert.throws(() => Copy.of(root), /@ssvirt\/elsewhere leads out of the repository/);
});
