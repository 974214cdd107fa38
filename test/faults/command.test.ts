/** `ssvirt sandbox fault …`, as users type it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { startCluster, type Cluster } from '../../packages/sandbox/src/server/cluster.ts';
import { FAULT_KINDS } from '../../packages/sandbox/src/server/faults/rule.ts';
import { loadIdentity, type Identity } from '../../packages/sandbox/src/server/identity.ts';
import { kubeconfig, writeKubeconfig } from '../../packages/sandbox/src/server/kubeconfig.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/ssvirt');

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('ssvirt sandbox fault', { timeout: 240_000 }, () => {
  let folder: ThrowAwayFolder;
  let clusters: Cluster[] = [];
  let identity: Identity;
  let stopForeign: (() => Promise<void>) | undefined;

  before(async () => {
    folder = await throwAwayFolder('ssvirt-faults-');
    identity = await loadIdentity({ host: '127.0.0.1' });
    clusters = await Promise.all(
      ['sandbox-1', 'sandbox-2'].map((name) =>
        startCluster({ name, host: '127.0.0.1', port: 0, identity, eventWindow: 1000 }),
      ),
    );
    writeKubeconfig(
      join(folder.path, 'sandbox.kubeconfig'),
      kubeconfig(clusters.map(({ name, url }) => ({ name, url, identity }))),
    );
  });
  afterEach(() => clusters.forEach(({ faults }) => faults.clear()));
  after(async () => {
    await Promise.all([stopForeign?.(), ...clusters.map((cluster) => cluster.stop())]);
    await folder?.remove();
  });

  /** The address of a server that is no sandbox. */
  async function foreign(): Promise<string> {
    const { key, certificate: cert } = identity.serving;
    const server = createServer({ key, cert }, (_, response) => response.writeHead(404).end('nothing here'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    stopForeign = () => new Promise((done) => server.close(() => done()));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function run(...args: string[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { KUBECONFIG: _, ...env } = process.env;
      const child = spawn(LAUNCHER, ['sandbox', 'fault', ...args], { cwd: folder.path, env, timeout: 60_000 });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
      child.on('error', reject).on('close', (code) => resolve({ code, out, err }));
    });
  }
  const rules = (cluster = 0): unknown[] => clusters[cluster]?.faults.list().map(({ id: _, ...rule }) => rule) ?? [];

  test('add begins a fault of every kind', async () => {
    for (const kind of Object.keys(FAULT_KINDS)) {
      const { code, out, err } = await run('add', kind, '--path', '/api/v1/pods', '--share', '0.5');
      assert.equal(code, 0, err);
      assert.match(out, new RegExp(`^fault-\\d+ started: ${kind} on /api/v1/pods, every verb, share 0\\.5\\n$`));
    }
    assert.deepEqual(
      rules()
        .map((rule) => (rule as { kind: string }).kind)
        .toSorted(),
      Object.keys(FAULT_KINDS).toSorted(),
    );
  });

  test('add passes every option on', async () => {
    const options = [
      '--path',
      '/apis/*/vms',
      '--verb',
      'get',
      'list',
      '--share',
      '0.25',
      '--times',
      '3',
      '--delay-ms',
      '50',
      '--retry-after',
      '9',
      '--behind',
      '4',
    ];
    const { code, err } = await run('add', '429', ...options);
    assert.equal(code, 0, err);
    assert.deepEqual(rules(), [
      {
        kind: '429',
        path: '/apis/*/vms',
        verbs: ['get', 'list'],
        share: 0.25,
        times: 3,
        delayMs: 50,
        retryAfterSeconds: 9,
        behind: 4,
        struck: 0,
      },
    ]);
  });

  test('list shows what is on, and clear ends one or all', async () => {
    assert.deepEqual(await run('list'), { code: 0, out: 'no faults\n', err: '' });
    const id = clusters[0]?.faults.add({ kind: '503', path: '/api', verbs: ['watch'] }).id ?? '';
    clusters[0]?.faults.add({ kind: 'reset' });
    const { out } = await run('list');
    assert.match(
      out,
      /^fault-\d+: 503 on \/api, watch, share 1, hit 0 times\nfault-\d+: reset on every path, every verb, share 1, hit 0 times\n$/,
    );
    assert.deepEqual(await run('clear', id), { code: 0, out: `removed ${id}\n`, err: '' });
    assert.equal(rules().length, 1);
    assert.deepEqual(await run('clear'), { code: 0, out: 'removed all faults\n', err: '' });
    assert.deepEqual(rules(), []);
  });

  test('compact and reset-revision turn the revision', async () => {
    const store = clusters[0]?.store;
    assert.ok(store !== undefined);
    const { out } = await run('compact');
    assert.equal(out, `compacted at revision ${store.revision}\n`);
    assert.equal(store.table('/namespaces').since(store.revision - 1), undefined);
    assert.equal((await run('reset-revision', '7')).out, 'set the revision to 7\n');
    assert.equal(store.revision, 7);
  });

  test('the context chooses the cluster', async () => {
    assert.equal((await run('add', '500', '--context', 'sandbox-2')).code, 0);
    assert.equal(rules(0).length, 0);
    assert.equal(rules(1).length, 1);
  });

  test('mistakes are said in a sentence, without a stack', async () => {
    const elsewhere = await foreign();
    writeKubeconfig(join(folder.path, 'foreign'), kubeconfig([{ name: 'x', url: elsewhere, identity }]));
    writeKubeconfig(join(folder.path, 'nobody'), kubeconfig([{ name: 'x', url: 'https://127.0.0.1:1', identity }]));
    const cases: readonly [args: readonly string[], says: RegExp][] = [
      [
        ['add', '418'],
        /^ssvirt: Fault\.sandbox\.ssvirt\.io "418" is invalid: kind: Unsupported value: "418": supported values: "401"/,
      ],
      [['add', '503', '--share', '2'], /share: Invalid value: 2: must be a number from 0 to 1/],
      [['add', '503', '--share', 'half'], /argument 'half' is invalid\. It is not a number\./],
      [['add', '503', '--verb', 'look'], /verbs: Unsupported value: "look"/],
      [['add'], /missing required argument 'kind'/],
      [['clear', 'fault-999'], /^ssvirt: faults\.sandbox\.ssvirt\.io "fault-999" not found/],
      [['reset-revision', 'x'], /is not a whole number of at least 1/],
      [['list', '--context', 'none'], /^ssvirt: the kubeconfig "sandbox\.kubeconfig" has no context "none"/],
      [
        ['list', '--kubeconfig', 'missing'],
        /^ssvirt: cannot read the kubeconfig "missing": start the sandbox first, or set its file with --kubeconfig/,
      ],
      [
        ['list', '--kubeconfig', 'nobody'],
        /^ssvirt: cannot reach the sandbox at https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
      ],
      [
        ['list', '--kubeconfig', 'foreign'],
        /^ssvirt: https:\/\/127\.0\.0\.1:\d+ is not a sandbox, or has another version: it answered 404/,
      ],
    ];
    for (const [args, says] of cases) {
      const { code, out, err } = await run(...args);
      // The parser exits with 2.
      assert.equal(code, err.startsWith('error: ') ? 2 : 1, args.join(' '));
      assert.equal(out, '');
      assert.match(err, says);
      assert.doesNotMatch(err, /^ +at /m, 'there is a stack');
    }
  });
});
