import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { needs } from './files.ts';
import { groupFiles } from './groups.ts';
import { longest, longestFirst } from './longest.ts';
import { late } from './process.ts';
import type { Told } from './reporter.ts';

const repository = resolve(import.meta.dirname, '../..');

const parts = [
  'run.ts',
  'chosen.ts',
  'not-run.ts',
  ...['at-exit', 'child', 'files', 'group', 'groups', 'longest', 'process', 'property-seed', 'reporter', 'text'].map(
    (name) => `runner/${name}.ts`,
  ),
];

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs the test runner in a repository that holds only the given files. */
function runIn(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  more: NodeJS.ProcessEnv = {},
): Outcome {
  const root = mkdtempSync(join(tmpdir(), 'ssvirt runner '));
  t.after(() => rmSync(root, { recursive: true }));
  for (const part of parts) {
    cpSync(join(repository, 'test', part), join(root, 'test', part));
  }
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o755);
  }
  // Without this node:test takes the inner run for a part of the outer one and skips it.
  const env = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  delete env['KUBEBUILDER_ASSETS'];
  delete env['SSVIRT_TEST_SEED'];
  const child = spawnSync(process.execPath, [join(root, 'test/run.ts'), ...args], {
    env: { ...env, ...more, PATH: `${join(root, 'tools')}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return { status: child.status, output: child.stdout + child.stderr };
}

const passing = `import { test } from 'node:test';\ntest('goes well', () => {});\n`;
const failing = `import { test } from 'node:test';\ntest('outer', async (t) => {\n  await t.test('inner', () => { throw new Error('broken as planted'); });\n});\n`;

test('a run without a failure ends with 0 and the totals', (t) => {
  const { status, output } = runIn(t, { 'packages/a/b.test.ts': passing, 'bench/c.test.ts': passing });
  assert.equal(status, 0, output);
  assert.match(output, /✔ packages\/a\/b\.test\.ts \(1 tests/);
  assert.match(output, /✔ bench\/c\.test\.ts/);
  assert.match(output, /ℹ pass 2/);
});

test('a failing test ends the run with 1, its message and its place, once', (t) => {
  const { status, output } = runIn(t, { 'packages/a.test.ts': failing, 'packages/b.test.ts': passing });
  assert.equal(status, 1, output);
  assert.equal(output.split('Error: broken as planted\n    ').length - 1, 1, output);
  assert.match(output, /✖ inner\n\s+at packages\/a\.test\.ts:3/);
  assert.doesNotMatch(output, /✖ outer/);
  assert.match(output, /✔ packages\/b\.test\.ts/);
});

test('the failed tests stand at the end, a line each, after what was not run', (t) => {
  const { output } = runIn(t, { 'packages/a.test.ts': failing, 'test/y.suite.ts': failing });
  assert.match(output, /not run: 1 suites .*\nfailed: packages\/a\.test\.ts: inner: Error: broken as planted\n$/);
});

test('a test that is to be done does not fail the run', (t) => {
  const todo = `import { test } from 'node:test';\ntest('later', { todo: true }, () => { throw new Error('not yet'); });\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': todo });
  assert.equal(status, 0, output);
  assert.match(output, /⚠ todo later\n/);
  assert.doesNotMatch(output, /^failed:/m);
});

test('a process that a test leaves behind, with its pipes, is not waited for', (t) => {
  const leaving = `import { spawn } from 'node:child_process';\nimport { test } from 'node:test';\ntest('leaves', () => { const child = spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }); child.unref(); });\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': leaving });
  assert.equal(status, 0, output);
  const [, seconds] = /✔ packages\/a\.test\.ts \(1 tests, (\d+\.\d) s\)/.exec(output) ?? [];
  assert.ok(Number(seconds) < 60, output);
});

test('a file whose tests leave something running is killed at the limit, and said to be failed', (t) => {
  const staying = `import { test } from 'node:test';\ntest('goes well', () => void setInterval(() => undefined, 1000));\n`;
  const stuck = `import { test } from 'node:test';\nprocess.on('SIGTERM', () => undefined);\ntest('is stuck', () => { for (;;); });\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': staying, 'packages/b.test.ts': stuck }, ['--limit', '2']);
  assert.equal(status, 1, output);
  for (const file of ['a', 'b'])
    assert.match(
      output,
      new RegExp(`^failed: packages/${file}\\.test\\.ts: it did not end in 2 s and was killed: `, 'm'),
    );
});

test('a file that is late says what it was at', () => {
  const [one, two] = [{ kind: 'began', name: 'one' } as const, { kind: 'began', name: 'two' } as const];
  const cases: readonly (readonly [told: readonly Told[], says: RegExp])[] = [
    [[], /no test of it had begun/],
    [[one, two, { kind: 'ended', name: 'one' }], /these had not: two$/],
    [[one, { kind: 'ended', name: 'one' }], /its tests had ended, and something that they started had not$/],
  ];
  for (const [told, says] of cases) assert.match(late(1000, told), says);
});

/** Two files that share a process: a short one has its own counts, hooks and failures. */
test('files that share a process are distinguished', (t) => {
  const hooked = `import { beforeEach, test } from 'node:test';\nlet n = 0;\nbeforeEach(() => { n++; });\ntest('one', () => {});\ntest('two', () => { if (n !== 2) throw new Error('called ' + n); });\n`;
  const files = {
    'packages/a/a.test.ts': failing,
    'packages/a/b.test.ts': hooked,
    'packages/a/c.test.ts': passing,
    'packages/a/d.test.ts': passing,
  };
  const broken = { ...files, 'packages/a/c.test.ts': "import './absent.ts';\n" };
  const { status, output } = runIn(t, broken);
  assert.equal(status, 1, output);
  assert.match(output, /✖ packages\/a\/a\.test\.ts \(2 tests/);
  assert.match(output, /✖ inner\n\s+at packages\/a\/a\.test\.ts:3/);
  assert.match(output, /✔ packages\/a\/b\.test\.ts \(2 tests/);
  assert.match(output, /✖ packages\/a\/c\.test\.ts \(1 tests/);
  assert.match(output, /failed: packages\/a\/c\.test\.ts: .*absent\.ts/);
  assert.match(output, /✔ packages\/a\/d\.test\.ts \(1 tests/);
  assert.match(output, /ℹ pass 3\n/);
  assert.equal(runIn(t, { ...files, 'packages/a/a.test.ts': passing }).status, 0);
});

test('a file that ends the process of its group fails the files of the group', (t) => {
  const ending = `import { test } from 'node:test';\nconst { exit } = process;\ntest('ends it', () => exit(0));\n`;
  const { status, output } = runIn(t, {
    'packages/a.test.ts': passing,
    'packages/b.test.ts': ending,
    'packages/c.test.ts': passing,
  });
  assert.equal(status, 1, output);
  assert.match(output, /failed: packages\/b\.test\.ts: the process ended with exit code 0/);
  assert.match(
    output,
    /failed: packages\/c\.test\.ts: the process ended with exit code 0, and nothing was heard of this/,
  );
});

test('a file that leaves something running in a group is named among those that ran', (t) => {
  const staying = `import { test } from 'node:test';\ntest('stays', () => void setInterval(() => undefined, 1000));\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': staying, 'packages/b.test.ts': passing }, [
    '--limit',
    '3',
  ]);
  assert.equal(status, 1, output);
  assert.match(output, /failed: packages\/b\.test\.ts: it did not end in 3 s and was killed: its tests had ended/);
  assert.match(output, /the process ran packages\/a\.test\.ts, packages\/b\.test\.ts one after the other/);
});

test('files that change or measure their process have one of their own', () => {
  const sources: Readonly<Record<string, string>> = {
    'packages/a/1.test.ts': '',
    'packages/a/2.test.ts': 'process.chdir(folder)',
    'packages/a/3.test.ts': '',
    'packages/a/4.test.ts': "process.env['X'] = 'y'",
    'packages/b/1.test.ts': '',
    'test/x.suite.ts': '',
  };
  assert.deepEqual(
    groupFiles(Object.keys(sources), (file) => sources[file] ?? ''),
    [
      ['packages/a/1.test.ts', 'packages/a/3.test.ts'],
      ['packages/a/2.test.ts'],
      ['packages/a/4.test.ts'],
      ['packages/b/1.test.ts'],
      ['test/x.suite.ts'],
    ],
  );
});

test('properties try the same inputs in every run, alone or in a group, and a failure prints the seed', (t) => {
  const property = [
    `import { test } from 'node:test';`,
    `import fc from 'fast-check';`,
    `test('never holds', () => fc.assert(fc.property(fc.integer(), () => false)));`,
  ].join('\n');
  const files = {
    'packages/a/1.test.ts': property,
    'packages/a/2.test.ts': property,
    'packages/b/alone.test.ts': `process.chdir('.');\n${property}`,
  };
  const seeds = (env?: NodeJS.ProcessEnv): readonly string[] =>
    [...runIn(t, files, [], env).output.matchAll(/\{ seed: (-?\d+),/g)].map(([, seed = '']) => seed);
  assert.deepEqual(seeds(), ['20261119', '20261119', '20261119']);
  assert.deepEqual(seeds({ SSVIRT_TEST_SEED: '7' }), ['7', '7', '7']);
});

test('an error after the end of the tests ends the run with 1', (t) => {
  const late = `import { test } from 'node:test';\ntest('goes well', () => { setTimeout(() => process.exit(7), 20); });\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': late });
  assert.equal(status, 1, output);
  assert.match(output, /failed: packages\/a\.test\.ts: the process ended with exit code 7/);
});

test('a file that cannot be loaded ends the run with 1', (t) => {
  const { status, output } = runIn(t, { 'packages/a.test.ts': "import './absent.ts';\n" });
  assert.equal(status, 1, output);
  assert.match(output, /absent\.ts/);
});

test('a suite whose tool is absent is listed as not run, and one whose tool is there is run', (t) => {
  const files = {
    'tools/a-tool-that-is-there': '#!/bin/sh\n',
    'test/x.suite.ts': `// needs: a-tool-that-is-there, a-tool-that-is-not\n${failing}`,
    'test/y.suite.ts': `// needs: a-tool-that-is-there\n${passing}`,
  };
  const { status, output } = runIn(t, files, ['test']);
  assert.equal(status, 0, output);
  assert.match(output, /^not run: test\/x\.suite\.ts: needs a-tool-that-is-not, not found/m);
  assert.match(output, /✔ test\/y\.suite\.ts/);
});

test('suites run where they are named only, and a whole run says that there are some', (t) => {
  const { status, output } = runIn(t, { 'packages/a.test.ts': passing, 'test/y.suite.ts': failing });
  assert.equal(status, 0, output);
  assert.match(output, /^not run: 1 suites that need more than Node, or more time: /m);
});

test('what a test notes as not run is at the end of the output', (t) => {
  const noting = `import { test } from 'node:test';\nimport { notRun } from '../test/not-run.ts';\ntest('x', { skip: notRun('the x part', 'no x here') }, () => {});\n`;
  const { status, output } = runIn(t, { 'packages/a.test.ts': noting });
  assert.equal(status, 0, output);
  assert.match(output, /ℹ skipped 1/);
  assert.match(output, /not run: the x part: no x here\n$/);
});

test('--suites leaves the tests out, and a folder narrows the run', (t) => {
  const files = { 'packages/a.test.ts': failing, 'test/y.suite.ts': passing, 'test/deep/z.suite.ts': failing };
  const { status, output } = runIn(t, files, ['--suites', 'test/y.suite.ts']);
  assert.equal(status, 0, output);
  assert.match(output, /ℹ tests 1\n/);
});

test('--suites leaves out those of make test-all, which --all and their names run', (t) => {
  const files = {
    'test/y.suite.ts': passing,
    'test/z.suite.ts': `// only in make test-all: y covers it\n${passing}`,
  };
  const chosen = runIn(t, files, ['--suites']);
  assert.equal(chosen.status, 0, chosen.output);
  assert.match(chosen.output, /✔ test\/y\.suite\.ts/);
  assert.doesNotMatch(chosen.output, /✔ test\/z\.suite\.ts/);
  assert.match(chosen.output, /^not run: 1 suites of make test-all: test\/z\.suite\.ts$/m);
  for (const args of [['--all'], ['--suites', 'test/z.suite.ts']])
    assert.match(runIn(t, files, args).output, /✔ test\/z\.suite\.ts/);
});

test('--all runs the tests and the suites', (t) => {
  const files = { 'packages/a.test.ts': passing, 'test/y.suite.ts': passing };
  const { status, output } = runIn(t, files, ['--all']);
  assert.equal(status, 0, output);
  assert.match(output, /ℹ tests 2\n/);
});

test('a run that finds no test fails: a typing error must not look green', (t) => {
  const { status, output } = runIn(t, { 'packages/a.test.ts': passing }, ['packages/b']);
  assert.equal(status, 1);
  assert.match(output, /no tests within packages\/b/);
});

test('the needs line is read with or without spaces', () => {
  assert.deepEqual(needs('// needs: kubectl,etcd , kube-apiserver\n'), ['kubectl', 'etcd', 'kube-apiserver']);
  assert.deepEqual(needs('/** a suite */\n// needs: kubectl\nimport x'), ['kubectl']);
  assert.deepEqual(needs('import x'), []);
});

test('the long files come first, and each that is named is there', () => {
  for (const file of longest)
    assert.ok(existsSync(join(repository, file)), `${file} is not there: mend test/runner/longest.ts`);
  const [first = '', second = ''] = longest;
  assert.deepEqual(longestFirst(['a.test.ts', second, 'b.test.ts', first]), [first, second, 'a.test.ts', 'b.test.ts']);
});
