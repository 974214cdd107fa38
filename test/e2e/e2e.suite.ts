/**
 * `make e2e` against a simulated cluster: it passes, refuses an unfit cluster, and leaves a cluster unchanged, even
 * when interrupted or killed.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { Copy } from '../mutate/copy.ts';
import { kube as kubeDefects } from '../mutate/defects/kube.ts';
import { definitions } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { parseOptions, type Options } from './options.ts';
import { look } from './prerequisites.ts';
import { dataVolumes, instances, leases, machines, namespaces, orders, services, virtualMachines } from './kinds.ts';

const root = resolve(import.meta.dirname, '../..');
const deadline = { deadlineMs: 120_000, everyMs: 50 };

const options = parseOptions([]) as Options;
let cluster: Cluster;
let client: Client;
let atFirst: readonly string[];
before(async () => {
  const parts = ['--bare', 'false', '--parts', 'kubevirt,nodes,storage,cdi,load-balancers'];
  cluster = await startSandbox({ args: [...parts, '--speed', '40'] });
  client = createClient({ cluster: 'sandbox', source: fixedSource(cluster), userAgent: 'e2e-suite' });
  await until('what is simulated is there', async () => (await look(client, options)).problems.length === 0, deadline);
  atFirst = await contents();
});
after(async () => {
  await client?.close();
  await cluster?.stop();
});

/** Everything that a run creates, by name. */
async function contents(): Promise<readonly string[]> {
  const names: string[] = [];
  for (const type of [namespaces, definitions, virtualMachines, instances, dataVolumes, services, leases]) {
    const { items } = await client.list(type, {});
    names.push(...items.map(({ metadata }) => `${type.plural} ${metadata.namespace ?? ''}/${metadata.name}`));
  }
  // The nodes appear asynchronously.
  return names.filter((name) => !name.includes(' kube-node-lease/')).toSorted();
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function e2e(...args: readonly string[]): Started {
  return e2eIn(root, ...args);
}

/** `folder` has the sources that run. */
function e2eIn(folder: string, ...args: readonly string[]): Started {
  const child = spawn(join(folder, 'bin/node'), [join(folder, 'test/e2e/main.ts'), '--timeout', '120s', ...args], {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: cluster.adminKubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output, ended: once(child, 'close').then(() => child.exitCode) };
}

/** Does not throw while the kind is not served yet: the wait covers that, too. */
async function isThere(type: ResourceType, { child }: Started): Promise<boolean> {
  return child.exitCode !== null || (await client.list(type, {})).items.length > 0;
}

test('each door gives a machine and takes it back, and the cluster is as it was', async () => {
  const run = e2e();
  assert.equal(await run.ended, 0, run.output());
  assert.equal(run.output().match(/PASSED: A /g)?.length, 3);
  for (const told of [
    'the guest answers on its serial console',
    'it was suspended and resumed',
    'it was reset, and its guest was rebooted',
    'a disk was added and removed while it ran',
    'it was resized, and its guest was shut down',
    'it was switched off and on again',
    'it was powered on after KubeVirt had stopped it past ssvirt',
    'not tried: suspend, resume, reset, reboot and console, because a Machine has no field for them',
    'it was resized and powered on after KubeVirt had stopped it past ssvirt',
    'the cluster refused nothing but what is expected',
    'it is as declared again, on the same disk',
    'the order was changed',
    'the cluster is as it was',
  ])
    assert.ok(run.output().includes(told), `${told}\n${run.output()}`);
  assert.doesNotMatch(run.output(), /none with \/dev\/kvm/, 'nodes report their devices as 1k');
  assert.deepEqual(await contents(), atFirst);
});

test('a failed request that no part of the run notices fails the run, since it is not declared', async () => {
  const path = '/sandbox/faults';
  const body = {
    kind: '500',
    path: '/apis/kubevirt.io/v1/namespaces/*/virtualmachines',
    verbs: ['create', 'patch'],
    times: 1,
  };
  await client.request({ method: 'POST', path, body });
  const run = e2e('--doors', 'order');
  assert.equal(await run.ended, 1, run.output());
  assert.match(run.output(), /PASSED: A service places an order/);
  assert.match(
    run.output(),
    /FAILED: not expected: cloudkit-operator was answered 500 to (POST|PATCH) virtualmachines.kubevirt.io\n/,
  );
  assert.doesNotMatch(run.output(), /^.*PASSED$/m);
  assert.deepEqual(await contents(), atFirst);
});

test('it fails where the processes accept JSON only, since virt-api refuses their power operations', async () => {
  const defect = kubeDefects.find(({ why }) => why === 'requests accept JSON only, so virt-api answers 406');
  assert.ok(defect !== undefined);
  const copy = Copy.of(root);
  try {
    await copy.with(defect, async () => {
      const run = e2eIn(copy.path, '--doors', 'tenant', '--no-console');
      assert.equal(await run.ended, 1, run.output());
      assert.match(run.output(), /FAILED: A tenant orders a machine over the REST API: .*suspend.*HTTP 406/);
      assert.match(
        run.output(),
        /FAILED: not expected: api-server was answered 406 to PUT virtualmachineinstances\.subresources\.kubevirt\.io\/pause\n/,
      );
      assert.doesNotMatch(run.output(), /^.*PASSED$/m);
    });
  } finally {
    copy.remove();
  }
  assert.deepEqual(await contents(), atFirst);
});

test('a process that is restarted fails the run, and what was refused to it before counts', async () => {
  const path = '/sandbox/faults';
  const vms = '/apis/kubevirt.io/v1/namespaces/*/virtualmachines';
  await client.request({
    method: 'POST',
    path,
    body: { kind: '500', path: vms, verbs: ['create', 'patch'], times: 1 },
  });
  const run = e2e('--doors', 'order');
  const isRunning = (): boolean => run.output().includes('it runs: ') || run.child.exitCode !== null;
  await until('the ordered machine runs, or it has ended', isRunning, deadline);
  process.kill(childOf(run.child.pid, 'cloudkit-operator'), 'SIGTERM');
  assert.equal(await run.ended, 1, run.output());
  assert.match(run.output(), /cloudkit-operator ended with code 0; restarting it/);
  assert.match(run.output(), /FAILED: not expected: cloudkit-operator was restarted\n/);
  assert.match(run.output(), /FAILED: not expected: cloudkit-operator was answered 500 to (?:POST|PATCH) virtualm/);
  assert.deepEqual(await contents(), atFirst);
});

/** The process of ssvirt that the run has started, behind the shell that guards it. */
function childOf(run: number | undefined, command: string): number {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
    .map(([, pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }));
  const guards = new Set(all.filter(({ parent }) => parent === run).map(({ pid }) => pid));
  const found = all.find(({ parent, args }) => guards.has(parent) && args.includes(`main.ts ${command} `));
  assert.ok(found !== undefined, `no process ${command} below ${run}`);
  return found.pid;
}

test('interrupted in the middle, it removes what it has made', async () => {
  const run = e2e('--doors', 'machine');
  await until('a Machine is there, or it has ended', () => isThere(machines, run), deadline);
  run.child.kill('SIGINT');
  assert.equal(await run.ended, 130, run.output());
  assert.match(run.output(), /interrupted: what was made is removed/);
  assert.match(run.output(), /the cluster is as it was/);
  assert.deepEqual(await contents(), atFirst);
});

test('the remains of a killed run do not disturb other runs, and --clean removes them', async () => {
  const killed = e2e('--doors', 'order');
  await until('an order is there, or it has ended', () => isThere(orders, killed), deadline);
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.notDeepEqual(await contents(), atFirst);
  const cleaning = e2e('--clean');
  assert.equal(await cleaning.ended, 0, cleaning.output());
  assert.deepEqual(await contents(), atFirst);
});

test('a cluster that is not fit is said to be so, and nothing is made in it', async () => {
  const namespace = 'default';
  const now = new Date().toISOString().replace('Z', '000Z');
  const key = { namespace, name: 'ssvirt-machine-operator' };
  await client.create(leases, { metadata: key, spec: { holderIdentity: 'somebody', renewTime: now } });
  const run = e2e('--storage-class', 'gold');
  assert.equal(await run.ended, 2, run.output());
  assert.match(run.output(), /PROBLEM: there is no storage class "gold": name one of .*standard/);
  assert.match(run.output(), /PROBLEM: ssvirt-machine-operator already runs in this cluster/);
  assert.match(run.output(), /nothing was made in the cluster/);
  await client.delete(leases, key);
  assert.deepEqual(await contents(), atFirst);
});
