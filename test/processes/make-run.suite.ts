/**
 * `make run` as a newcomer types it, in a fresh clone: as root below a home that no other user may enter, where
 * PostgreSQL's account does not reach the repository, and as an ordinary user. It downloads packages from the npm
 * registry.
 */
// needs: git, make, npm
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listProcesses } from '../../packages/ssvirt/src/db/embedded/processes.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { findTool, notRun } from '../not-run.ts';
import { until } from '../runtime/until.ts';
import { Caller } from './api-server.ts';

const repository = resolve(import.meta.dirname, '../..');
const patient = { deadlineMs: 240_000, everyMs: 100 };
const isRoot = process.getuid?.() === 0;

interface Person {
  readonly name: string;
  /** Another account than ours. */
  readonly uid?: number;
}

const people: readonly Person[] = [
  { name: isRoot ? 'root' : 'an ordinary user' },
  ...(isRoot ? [{ name: 'an ordinary user', uid: 65_534 }] : []),
];
if (!isRoot) notRun('test/processes/make-run.suite.ts, as root', 'it is not run by root');

let folder: ThrowAwayFolder;
let first: string;

before(async () => {
  folder = await throwAwayFolder('ssvirt-make-run-');
  chmodSync(folder.path, 0o755);
  first = join(folder.path, 'installed');
  execFileSync('git', ['clone', '--quiet', repository, first], { stdio: 'pipe' });
  // What make installs before it runs anything; the clones below link to it, since one installation suffices.
  execFileSync('make', ['node_modules/.installed'], { cwd: first, stdio: 'pipe' });
});

after(() => folder?.remove());

for (const person of people) describe(`make run by ${person.name}`, () => runsFor(person));

function runsFor({ name, uid }: Person): void {
  let home: string;
  let clone: string;
  let run: Run | undefined;

  before(() => {
    home = join(folder.path, name.replaceAll(' ', '-'));
    clone = join(home, 'ssvirt');
    mkdirSync(home, { mode: 0o700 });
    execFileSync('cp', ['-al', first, clone], { stdio: 'pipe' });
    if (uid === undefined) return;
    chownSync(home, uid, uid);
    chownSync(clone, uid, uid);
  });
  after(async () => {
    run?.child.kill('SIGKILL');
    await until('all have ended', () => left().length === 0, patient);
    const postgres = join(clone, '.ssvirt-dev/database/postgres');
    if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  });

  const left = (): readonly string[] =>
    listProcesses()
      .filter(({ pid, command }) => pid !== process.pid && command.includes(home))
      .map(({ command }) => command);

  test('all is there, and can be used; killed while it creates its demo data it leaves no process behind', async () => {
    // A VM of the demo data boots for minutes then, so the data is incomplete at the kill.
    run = start(home, clone, uid, '0.05');
    await run.isUp();
    assert.match(run.output(), /simulated: 3 KubeVirt clusters, AAP\.$/m);
    assert.equal(await vdcsOf(clone, 'demo-vdc'), 1);
    assert.ok(!existsSync(join(clone, '.ssvirt-dev/demo-made')), run.output());
    process.kill(-(run.child.pid ?? 0), 'SIGKILL');
    await until('no process is left', () => left().length === 0, patient);
  });

  test('a second start finds what the first has left, and goes on with its demo data', async () => {
    run = start(home, clone, uid);
    await run.isUp();
    assert.doesNotMatch(run.output(), /System Administrator, password/);
    assert.equal(await vdcsOf(clone, 'demo-vdc'), 1);
    await until('the demo data is there', () => existsSync(join(clone, '.ssvirt-dev/demo-made')), patient);
    assert.equal(await vdcsOf(clone, 'showcase*'), 2);
  });

  test('Ctrl-C ends everything', async () => {
    process.kill(-(run?.child.pid ?? 0), 'SIGINT');
    await until('no process is left', () => left().length === 0, patient);
    // Their last output may come after their end.
    await until(
      'all of it is said',
      () => {
        assert.match(run?.output() ?? '', /ssvirt dev: stopped: .*aap, sandbox, database$/m);
        return true;
      },
      patient,
    );
  });
}

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly isUp: () => Promise<void>;
}

function start(home: string, cwd: string, uid: number | undefined, speed = '10'): Run {
  const make = ['make', 'run', 'ARGS=--listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0'];
  const [command = '', ...args] =
    uid === undefined
      ? make
      : [findTool('setpriv') ?? 'setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...make];
  const { PATH } = process.env;
  // In a separate process group, as in a terminal: Ctrl-C reaches all of it.
  const env = { PATH, HOME: home, SSVIRT_SANDBOX_PARTS: 'kubevirt,nodes,storage,cdi', SSVIRT_DEV_SPEED: speed };
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const isUp = (): Promise<void> =>
    until(
      'it is up',
      () => {
        assert.ok(child.exitCode === null, output);
        return output.includes('Stop with Ctrl-C');
      },
      patient,
    );
  return { child, output: () => output, isUp };
}

/** The number of VDCs with that name that the administrator sees. */
async function vdcsOf(clone: string, name: string): Promise<unknown> {
  const data = join(clone, '.ssvirt-dev');
  const url = /export SSVIRT_URL=(\S+)/.exec(readFileSync(join(data, 'env'), 'utf8'))?.[1] ?? '';
  const caller = new Caller(url, readFileSync(join(data, 'ca.pem'), 'utf8'));
  try {
    const password = readFileSync(join(data, 'passwords/administrator@System'), 'utf8').trim();
    const headers = await caller.logIn('administrator@System', password);
    return (await caller.ask('GET', `/cloudapi/1.0.0/vdcs?filter=name==${name}`, { headers })).body['resultTotal'];
  } finally {
    await caller.close();
  }
}
