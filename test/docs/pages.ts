/** Runs the shell blocks of a page from top to bottom, in one folder that looks like a clone. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { findTool, notRun } from '../not-run.ts';
import { startChild } from '../runner/child.ts';
import { shellBlocks, type Block } from './blocks.ts';
import { assertReadable } from './readable.ts';

export const repository = resolve(import.meta.dirname, '../..');
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: repository }).toSorted(),
];
const deadline = 120_000;
/**
 * The deadline of a server, which may be several clusters and all processes, on a host that is busy with other tests.
 */
const upDeadline = 200_000;
const stopDeadline = 150_000;
/** A server is up when it prints what to type next; the controller, when it reports that it writes. */
const isUp = /kubectl|SSVIRT_DATABASE_URL|leadership confirmed, writing rows/;
/** Avoids a server that runs on the usual port, and the wait for slow simulated VMs. */
const env = {
  ...process.env,
  SSVIRT_SANDBOX_LISTEN: '127.0.0.1:0',
  SSVIRT_SANDBOX_SPEED: '10',
  SSVIRT_DEV_LISTEN: '127.0.0.1:0',
  SSVIRT_DEV_SANDBOX_LISTEN: '127.0.0.1:0',
  SSVIRT_DEV_SPEED: '10',
  // No DNS has to know the hosts of images, which are not downloaded.
  SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
};

/** A folder with the repository's files in it, so that what the commands write does not end up in the repository. */
export function clone(): string {
  requireInstalled();
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-docs-'));
  // As root, PostgreSQL runs under another account, which has to enter its data.
  chmodSync(folder, 0o755);
  const names = readdirSync(repository).filter((name) => !/\.kubeconfig$|^\.ssvirt-dev$/.test(name));
  for (const name of names) symlinkSync(join(repository, name), join(folder, name));
  return folder;
}

/**
 * When packages are older than their lock file, make installs them: in a clone through the link, which empties the
 * repository's own.
 */
function requireInstalled(): void {
  const changedAt = (file: string): number => statSync(join(repository, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  assert.ok(
    changedAt('node_modules/.installed') >= changedAt('package-lock.json'),
    'packages are older than package-lock.json: run make check, which installs them, and then this',
  );
}

export async function runBlock({ script, line }: Block, page: string, cwd: string): Promise<void> {
  let output = '';
  const child = startChild('sh', ['-euc', script], {
    cwd,
    // What the commands store for a user stays in this folder too.
    env: { ...env, XDG_CONFIG_HOME: join(cwd, '.ssvirt-dev-home') },
    limitMs: deadline,
    onLine: (text) => (output += `${text}\n`),
    onError: (text) => (output += text),
  });
  const { code, signal, timedOut } = await child.ended;
  const end = timedOut ? `it did not end in ${deadline / 1000} s` : `exit code ${code} ${signal ?? ''}`;
  if (code !== 0) throw new Error(`${page}:${line}: ${end}\n${script}\n${output}`);
  assertReadable(output, `${page}:${line}`);
}

/** Resolves when it is up. `started` is called at once, so that the server is stopped in every case. */
export async function startServer(
  { script, line }: Block,
  page: string,
  cwd: string,
  started: (child: ChildProcess) => void,
  more: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = spawn('sh', ['-euc', script], {
    cwd,
    env: { ...env, ...more },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started(child);
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const end = Date.now() + upDeadline;
  while (!isUp.test(output)) {
    assert.equal(child.exitCode, null, `${page}:${line}: ended early\n${output}`);
    assert.ok(Date.now() < end, `${page}:${line}: did not come up\n${output}`);
    await setTimeout(50);
  }
  assertReadable(output, `${page}:${line}`);
}

export async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (child.exitCode !== null || pid === undefined) return;
  let hasEnded = false;
  // The shell ends at once; the server keeps its output open and ends later.
  const ended = once(child, 'close').then(() => (hasEnded = true));
  signalGroup(pid, 'SIGTERM');
  await Promise.race([ended, setTimeout(stopDeadline, undefined, { ref: false })]);
  if (!hasEnded) signalGroup(pid, 'SIGKILL');
  assert.ok(hasEnded, `the server did not stop within ${stopDeadline / 1000} s of SIGTERM`);
}

/** A process that has already ended needs no stop. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function textOf(page: string): string {
  return readFileSync(join(repository, page), 'utf8');
}

/**
 * Pages that need a server take long. Those that start the same one share it, one after the other: each leaves nothing
 * that would disturb another. The group of the README has a separate suite, the others share two, so these run in
 * parallel.
 */
export function firstGroup(): readonly string[] {
  return groups().find((group) => group.includes('README.md')) ?? [];
}

export function otherGroups(part: number, parts: number): readonly (readonly string[])[] {
  const shares: (readonly string[])[][] = Array.from({ length: parts }, () => []);
  const pagesOf = (share: readonly (readonly string[])[]): number => share.flat().length;
  const others = groups().filter((group) => !group.includes('README.md'));
  for (const group of others.toSorted((one, other) => other.length - one.length))
    shares.toSorted((one, other) => pagesOf(one) - pagesOf(other))[0]?.push(group);
  return shares[part] ?? [];
}

function groups(): readonly (readonly [string, ...string[]])[] {
  const together = Map.groupBy(pages.filter(hasServer), (page) => JSON.stringify(serversOf(page)));
  return [...together.values()].map(([first = '', ...others]) => [first, ...others]);
}

export function hasServer(page: string): boolean {
  return serversOf(page).length > 0;
}

function serversOf(page: string): readonly string[] {
  return shellBlocks(textOf(page)).flatMap(({ treatment, script }) => (treatment === 'server' ? [script] : []));
}

/** One folder, and the servers that run in it. */
interface Harness {
  readonly folder: string;
  /** By the scripts that started them. */
  readonly servers: Map<string, ChildProcess>;
}

/** Runs the pages in one folder, and starts a server that several of them need once. */
export function commandsOf(...together: readonly string[]): void {
  suite(`the commands of ${together.join(', ')}`, () => {
    const servers = new Map<string, ChildProcess>();
    let folder = '';
    before(() => {
      folder = clone();
    });
    after(async () => {
      for (const server of [...servers.values()].reverse()) await stopGroup(server);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    });
    for (const page of together)
      test(`every command of ${page} works`, async () => {
        for (const block of shellBlocks(textOf(page))) await tryBlock(block, page, { folder, servers });
      });
  });
}

const elsewhere: ReadonlySet<Block['treatment']> = new Set(['by-hand', 'story', 'story-server', 'suite']);

async function tryBlock(block: Block, page: string, { folder, servers }: Harness): Promise<void> {
  const { treatment, script, line } = block;
  if (elsewhere.has(treatment)) return;
  if (treatment === 'server') {
    const runs = servers.get(script)?.exitCode === null;
    if (!runs) await startServer(block, page, folder, (child) => servers.set(script, child));
  } else if (treatment !== 'run' && findTool(treatment) === undefined) {
    notRun(`${page}:${line}`, `${treatment} is not on the PATH`);
  } else {
    await runBlock(block, page, folder);
  }
}
