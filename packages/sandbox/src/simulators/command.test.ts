/** Runs `ssvirt sandbox simulate` and `ssvirt sandbox dial` as users type them, mistakes included. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { startMemberCluster, type MemberCluster } from '../../../../test/fleet/sandboxes.ts';
import { kubeconfigText } from '../../../../test/cluster/cluster.ts';
import { DIALS } from './dial-keeper.ts';
import { configMaps } from './serving/front-proxy.ts';
import { apiServices } from './serving/registered-objects.ts';

const launcher = resolve(import.meta.dirname, '../../../../bin/ssvirt');
const folder = mkdtempSync(join(tmpdir(), 'ssvirt simulate '));
const file = join(folder, 'kubeconfig');
let cluster: MemberCluster;

before(async () => {
  cluster = await startMemberCluster('command');
  writeFileSync(file, kubeconfigText(cluster));
});
after(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: readonly string[]): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder };
  const child = spawn(launcher, ['sandbox', ...args], { cwd: folder, env, timeout: 150_000, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

test('a mistake is reported in a sentence, and nothing is started', async () => {
  const closed = join(folder, 'closed');
  writeFileSync(closed, kubeconfigText({ ...cluster, url: 'https://127.0.0.1:1' }));
  const cases: readonly { readonly args: readonly string[]; readonly says: RegExp }[] = [
    { args: ['simulate'], says: /required option '--kubeconfig <FILE>' not specified/ },
    { args: ['simulate', '--kubeconfig', file, '--speed', '0'], says: /sandbox\.speed.*"0" is not a number above 0/s },
    { args: ['simulate', '--kubeconfig', file, '--parts', 'kubevirt,foo'], says: /sandbox\.parts.*is not allowed/s },
    { args: ['simulate', '--kubeconfig', file, '--crds', 'none'], says: /cannot read ".*none": no such file/ },
    { args: ['simulate', '--kubeconfig', file, '--clusters', '2'], says: /unknown option '--clusters'/ },
    { args: ['simulate', '--kubeconfig', 'none'], says: /cannot use the kubeconfig none: it cannot be read/ },
    { args: ['simulate', '--kubeconfig', file, '--context', 'x'], says: /there is no context "x"; there is "test"/ },
    { args: ['simulate', '--kubeconfig', closed], says: /cannot .*127\.0\.0\.1:1/s },
    { args: ['dial', '--kubeconfig', 'none'], says: /cannot use the kubeconfig none/ },
    { args: ['dial', '--kubeconfig', file, 'speed'], says: /"speed" is not a setting: write NAME=VALUE/ },
    { args: ['dial', '--kubeconfig', file], says: /no simulators run in this cluster: start them with ssvirt sandbox/ },
  ];
  const outcomes = await Promise.all(cases.map(({ args }) => run(...args)));
  outcomes.forEach(({ status, stdout, stderr }, i) => {
    const { args, says } = cases[i] ?? assert.fail();
    // The exit code for what the parser refuses is 2.
    assert.equal(status, stderr.startsWith('error: ') ? 2 : 1, `${args.join(' ')}\n${stdout}${stderr}`);
    assert.match(stderr, says, args.join(' '));
    assert.equal(stdout, '');
    assert.doesNotMatch(stderr, /^ +at /m);
  });
});

test('it says when it is ready, its dials can be turned by command, and it takes back what it registered', async () => {
  const child = spawn(launcher, ['sandbox', 'simulate', '--kubeconfig', file, '--speed', '5', '--log-level', 'warn'], {
    cwd: folder,
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  assert.match(
    text,
    /^The simulators are ready after \d+ ms, on https:\/\/127\.0\.0\.1:\d+\.\n {2}simulated +kubevirt, /,
  );
  assert.match(text, /APIs +subresources\.kubevirt\.io\/v1/);
  assert.match((await run('dial', '--kubeconfig', file)).stdout, /^speed +5\n/);

  const turned = await run('dial', '--kubeconfig', file, 'boot-time=1m', '--fault', 'crash-loop,shop/db');
  assert.match(turned.stdout, /^boot-time +1m$/m);
  assert.match(turned.stdout, /^faults +crash-loop,shop\/db$/m);
  const { data } = await cluster.client.get(configMaps, DIALS);
  assert.deepEqual([data?.['boot-time'], data?.['faults']], ['1m', '- crash-loop,shop/db\n']);
  const lifted = await run('dial', '--kubeconfig', file, '--lift', 'crash-loop');
  assert.match(lifted.stdout, /^faults +none$/m);
  const wrong = await run('dial', '--kubeconfig', file, 'speed=fast', 'nods=3', '--fault', 'crash-loop');
  assert.equal(wrong.status, 1);
  assert.equal(
    wrong.stderr,
    'ssvirt: speed: "fast" is not a number above 0: write a number such as 10 or 0.5\nnods: "3" is set on an unknown dial: did you mean nodes?\n',
  );
  assert.equal((await cluster.client.get(configMaps, DIALS)).data?.['faults'], '[]\n');

  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0);
  const left = (await cluster.client.list(apiServices)).items.filter(({ spec }) => spec?.service !== undefined);
  assert.deepEqual(left, []);
});
