/** Every shell block of README and docs/ is run, each page from top to bottom in one folder that looks like a clone. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { findTool, notRun } from '../not-run.ts';
import { linkedFiles, shellBlocks, type Block } from './blocks.ts';

const repository = resolve(import.meta.dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: repository })];
const deadline = 120_000;
/** A server is up when it tells its user what to type next; the controller, when it says that it writes. */
const isUp = /kubectl|SSVIRT_DATABASE_URL|leads: rows are written/;
/** A sandbox that somebody has running on the usual port must not be in the way. */
const env = { ...process.env, SSVIRT_SANDBOX_LISTEN: '127.0.0.1:0' };

/** A folder with the repository's files in it, so that what the commands write does not stay in the repository. */
function clone(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // As root, PostgreSQL runs under another account, and is to reach its data.
  chmodSync(folder, 0o755);
  const names = readdirSync(repository).filter((name) => !name.endsWith('.kubeconfig'));
  for (const name of names) symlinkSync(join(repository, name), join(folder, name));
  return folder;
}

async function runBlock({ script, line }: Block, page: string, cwd: string): Promise<void> {
  const options = { cwd, env, timeout: deadline, maxBuffer: 16 * 1024 * 1024 } as const;
  await new Promise<void>((resolve, reject) => {
    execFile('sh', ['-euc', script], options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else
        reject(
          new Error(`${page}:${line}: exit code ${error.code} ${error.signal ?? ''}\n${script}\n${stdout}${stderr}`),
        );
    });
  });
}

async function startServer({ script, line }: Block, page: string, cwd: string, t: TestContext): Promise<void> {
  const child = spawn('sh', ['-euc', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => stopGroup(child));
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const end = Date.now() + deadline;
  while (!isUp.test(output)) {
    assert.equal(child.exitCode, null, `${page}:${line}: ended early\n${output}`);
    assert.ok(Date.now() < end, `${page}:${line}: did not come up\n${output}`);
    await setTimeout(50);
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await Promise.race([ended, setTimeout(10_000, undefined, { ref: false })]);
  assert.notEqual(child.exitCode ?? child.signalCode, null, 'the server did not stop within 10 s of SIGTERM');
}

// One after the other: three sandboxes at once beside other tests are more than two cores carry in time.
suite('pages', { concurrency: 1 }, () => {
  for (const page of pages) commandsOf(page);
});

function commandsOf(page: string): void {
  const text = readFileSync(join(repository, page), 'utf8');

  test(`every command of ${page} works`, async (t) => {
    const folder = clone(t);
    const kubectl = findTool('kubectl');
    for (const block of shellBlocks(text)) {
      if (block.treatment === 'run') await runBlock(block, page, folder);
      if (block.treatment === 'server') await startServer(block, page, folder, t);
      if (block.treatment !== 'kubectl') continue;
      if (kubectl === undefined) notRun(`${page}:${block.line}`, 'kubectl is not on the PATH');
      else await runBlock(block, page, folder);
    }
  });

  test(`every file that ${page} links to is there`, () => {
    for (const target of linkedFiles(text)) {
      assert.ok(existsSync(join(repository, dirname(page), target)), `${page} links to ${target}`);
    }
  });
}

test('shell blocks are found with their treatment and place', () => {
  const markdown = [
    '# a',
    '```sh',
    'one',
    'two',
    '```',
    '```console',
    '$ x',
    '```',
    '```sh server',
    'three',
    '```',
  ].join('\n');
  assert.deepEqual(shellBlocks(markdown), [
    { treatment: 'run', script: 'one\ntwo\n', line: 2 },
    { treatment: 'server', script: 'three\n', line: 9 },
  ]);
  assert.throws(() => shellBlocks('```sh sometimes\nx\n```'), /no treatment/);
});

test('a block that fails is reported with its page and line', async () => {
  const block: Block = { treatment: 'run', script: 'false\ntrue\n', line: 7 };
  await assert.rejects(runBlock(block, 'x.md', tmpdir()), /x\.md:7: exit code 1/);
});

test('links to files are found, those to the web and to anchors are not', () => {
  const markdown = 'See [a](docs/a.md#part), [b](https://example.org), [c](#here).\n```sh\n[x](y)\n```\n';
  assert.deepEqual(linkedFiles(markdown), ['docs/a.md']);
});
