/**
 * Everything on one host: the printed commands work, killed processes restart, and nothing is left behind after any
 * end.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { findTool, notRun } from '../not-run.ts';
import { Caller, command } from './api-server.ts';
import { printedCommands, TypedShell } from './typed-shell.ts';
import { until } from '../runtime/until.ts';
import { listProcesses, type ProcessInfo } from '../../packages/ssvirt/src/db/embedded/processes.ts';

/** For a host that is busy with other tests. */
const deadline = { deadlineMs: 150_000, everyMs: 50 };

interface Dev {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<unknown>;
}

function startDev(data: string, ...flags: readonly string[]): Dev {
  const ports = ['--listen', '127.0.0.1:0', '--sandbox-listen', '127.0.0.1:0'];
  const child = spawn(command, ['dev', '--data', data, ...ports, ...flags], {
    // The sandbox's own samples are useless here, and take time; orders need disks and addresses.
    env: { ...process.env, SSVIRT_SANDBOX_PARTS: 'kubevirt,nodes,storage,cdi,load-balancers', SSVIRT_DEV_SPEED: '10' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output, exited: once(child, 'exit') };
}

async function isUp({ child, output }: Dev): Promise<void> {
  await until(
    'it is up',
    () => {
      assert.equal(child.exitCode, null, output());
      return output().includes('Stop with Ctrl-C');
    },
    deadline,
  );
}

/** All processes on the folder: our children, their guards, PostgreSQL and its guard. */
function processesOn(folder: string): readonly ProcessInfo[] {
  return listProcesses().filter(({ pid, command: line }) => pid !== process.pid && line.includes(folder));
}

function pidOf(folder: string, subcommand: string): number {
  const found = processesOn(folder).find(
    ({ command: line }) => line.includes(`main.ts ${subcommand} `) && !line.includes('guard'),
  );
  assert.ok(found !== undefined, `no ${subcommand} runs`);
  return found.pid;
}

/** By name: the cluster, and the status or the problem. */
function statesOf(values: unknown): Readonly<Record<string, string>> {
  const all = values as readonly {
    readonly name: string;
    readonly status: string;
    readonly fault: { readonly reason: string } | null;
    readonly placement?: { readonly cluster: string };
  }[];
  return Object.fromEntries(
    all
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map(({ name, status, fault, placement }) => [name, `${placement?.cluster} ${fault?.reason ?? status}`]),
  );
}

describe('ssvirt dev', () => {
  let folder: ThrowAwayFolder;
  let data: string;
  let dev: Dev;
  before(async () => {
    folder = await throwAwayFolder('ssvirt dev ');
    // As root, PostgreSQL runs under another account, which has to enter its data.
    chmodSync(folder.path, 0o755);
    data = join(realpathSync(folder.path), 'data');
    dev = startDev(data);
    await isUp(dev);
  });
  after(async () => {
    if (dev.child.exitCode === null && dev.child.signalCode === null) dev.child.kill('SIGKILL');
    await until('all have ended', () => processesOn(data).length === 0, deadline);
    await folder.remove();
  });

  function caller(): Caller {
    const url = /export SSVIRT_URL=(\S+)/.exec(readFileSync(join(data, 'env'), 'utf8'))?.[1] ?? '';
    return new Caller(url, readFileSync(join(data, 'ca.pem'), 'utf8'));
  }

  test("the administrator's password is printed once, and all are kept for their owner's eyes alone", () => {
    const files = readdirSync(join(data, 'passwords'));
    assert.deepEqual(files.sort(), ['admin@demo', 'administrator@System', 'author@demo', 'user@demo', 'viewer@demo']);
    for (const file of files) assert.equal(statSync(join(data, 'passwords', file)).mode & 0o777, 0o600, file);
    const text = readFileSync(join(data, 'passwords', 'administrator@System'), 'utf8').trim();
    assert.ok(dev.output().includes(`System Administrator, password ${text}`));
    assert.ok(!dev.output().includes(readFileSync(join(data, 'passwords', 'admin@demo'), 'utf8').trim()));
  });

  test('the demo data comes while it can be used: machines in several states, in two clusters', async () => {
    await until('the demo data is there', () => existsSync(join(data, 'demo-made')), deadline);
    const api = caller();
    const login = readFileSync(join(data, 'passwords', 'administrator@System'), 'utf8').trim();
    const headers = await api.logIn('administrator@System', login);
    const wanted = {
      backup: 'east POWERED_ON',
      cart: 'local POWERED_ON',
      experiment: 'local SUSPENDED',
      giant: 'local NO_ROOM',
      payments: 'local POWERED_ON',
      reports: 'local POWERED_OFF',
      wiki: 'local POWERED_ON',
    };
    await until(
      'all are as they are to be shown',
      async () => {
        const { body } = await api.ask('GET', '/cloudapi/1.0.0/vms?pageSize=128', { headers });
        assert.deepEqual(statesOf(body['values']), wanted);
        return true;
      },
      deadline,
    );
    await api.close();
  });

  test('the metrics of every process are where it is printed', async () => {
    const printed = [...dev.output().matchAll(/^ {2}(\S+) +(http:\/\/\S+\/metrics)$/gm)];
    assert.deepEqual(
      printed.map(([, name]) => name),
      ['api-server', 'vm-controller', 'machine-operator', 'cloudkit-operator'],
    );
    for (const [, , url = ''] of printed) assert.match(await (await fetch(url)).text(), /^process_cpu_seconds_total /m);
  });

  test('every printed command works unchanged, one after the other', async (t) => {
    if (findTool('kubectl') === undefined) {
      notRun('what ssvirt dev prints', 'kubectl is not on the PATH');
      t.skip();
      return;
    }
    // Where the command line stores sessions.
    const shell = new TypedShell(process.cwd(), { ...process.env, XDG_CONFIG_HOME: join(data, 'home') });
    let said = '';
    for (const typed of printedCommands(dev.output())) {
      const { status, output } = await shell.type(typed);
      assert.equal(status, 0, `${typed}\n${output}`);
      said += output;
    }
    // Created while it was up, and possibly not done by then on a busy host.
    for (const typed of [
      'kubectl wait -n platform machines.vitistack.io/builder machines.vitistack.io/spare --for condition=Ready --timeout 2m',
      `kubectl wait -n platform machines.vitistack.io/nowhere --for jsonpath='{.status.phase}'=Failed --timeout 2m`,
      'kubectl get machines.vitistack.io -n platform',
      `kubectl wait -n orders vmorder/crm vmorder/erp --for jsonpath='{.status.phase}'=Ready --timeout 2m`,
      `kubectl wait -n orders vmorder/typo --for jsonpath='{.status.phase}'=Failed --timeout 2m`,
      'kubectl get vmorder -n orders',
    ])
      said += (await shell.type(typed)).output;
    await shell.close();
    assert.match(said, /^Creating virtual machine first: success 100 %/m);
    assert.match(said, /^first +demo-vdc +POWER/m);
    assert.match(said, /^demo-demo-vdc-\S+ +first-[0-9a-f]{8} /m);
    assert.match(said, /^machine\.vitistack\.io\/second condition met$/m);
    assert.match(said, /^vm-second +\S+ +Running +True/m);
    assert.match(said, /^virtualmachine\.cloudkit\.openshift\.io\/third condition met$/m);
    assert.equal(said.match(/^kubevirtconfig\.vitistack\.io\/west condition met$/gm)?.length, 2);
    assert.match(said, /^builder +Running +True +east /m);
    assert.match(said, /^nowhere +Failed +False /m);
    assert.match(said, /^spare +Stopped +True +west /m);
    assert.match(said, /^crm +\S+ +Ready +controller /m);
    assert.match(said, /^erp +\S+ +Ready +aap /m);
    assert.match(said, /^third +\S+ +Ready +aap /m);
    assert.match(said, /^typo +\S+ +Failed +controller /m);
  });

  test('a process that is killed is started again, and everything works as before', async () => {
    const api = caller();
    process.kill(pidOf(data, 'api-server'), 'SIGKILL');
    await until('it is up again', () => dev.output().includes('api-server is up again'), deadline);
    assert.match(dev.output(), /ssvirt dev: api-server ended with code 137; restarting it/);
    const login = readFileSync(join(data, 'passwords', 'administrator@System'), 'utf8').trim();
    await api.logIn('administrator@System', login);
    await api.close();
  });

  test('another one on the same folder is refused', () => {
    const { status, stderr } = spawnSync(command, ['dev', '--data', data, '--listen', '127.0.0.1:0'], {
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
      timeout: 120_000,
    });
    assert.equal(status, 1);
    assert.match(stderr, /dev\.data: ".*" is in use by another ssvirt dev \(process \d+\): stop it/);
  });

  test('asked to stop it ends all in order, PostgreSQL last', async () => {
    dev.child.kill('SIGINT');
    await dev.exited;
    assert.equal(dev.child.exitCode, 0, dev.output());
    assert.match(
      dev.output(),
      /stopped: ((api-server|vm-controller|machine-operator|cloudkit-operator), ){4}aap, sandbox, database\n$/,
    );
    await until('no process is left', () => processesOn(data).length === 0, deadline);
  });
});
