/**
 * The npm package, installed in an empty folder: its command answers there, on the Node that it brings. It downloads
 * packages from the npm registry.
 */
// needs: npm
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { createClient } from '../../src/kube/client/create.ts';
import { loadKubeconfig } from '../../src/kube/kubeconfig/load.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { until } from '../runtime/until.ts';

const repository = resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};
let folder: ThrowAwayFolder;
let packed: readonly string[];
const command = (): string => join(folder.path, 'node_modules/.bin/ssvirt');

before(async () => {
  folder = await throwAwayFolder('ssvirt installed ');
  if (!existsSync(join(repository, 'dist/main.js')))
    execFileSync('make', ['build'], { cwd: repository, stdio: 'pipe' });
  const args = ['pack', '--json', '--loglevel=error', '--pack-destination', folder.path];
  const told = JSON.parse(execFileSync('npm', args, { cwd: repository, encoding: 'utf8', stdio: 'pipe' })) as readonly {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  packed = told.flatMap(({ files }) => files.map(({ path }) => path));
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  execFileSync('npm', [...install, `./${told[0]?.filename ?? ''}`], { cwd: folder.path, stdio: 'pipe' });
});

after(() => folder?.remove());

test('it holds what runs and its licence, and neither sources nor tests', () => {
  for (const wanted of [
    'LICENSE',
    'THIRD-PARTY-NOTICES',
    'README.md',
    'bin/node',
    'bin/ssvirt',
    'dist/main.js',
    'deploy/crds',
  ])
    assert.ok(
      packed.some((path) => path === wanted || path.startsWith(`${wanted}/`)),
      wanted,
    );
  assert.deepEqual(
    packed.filter((path) => /\.ts$|\.map$|^(src|test|bench|docs)\/|golden|testdata/.test(path)),
    [],
  );
});

test('its command says its version, on the Node that it has brought', () => {
  // An environment without ours: only what a shell needs, and any Node on the PATH.
  const env = { PATH: process.env['PATH'] };
  const { stdout, stderr, status } = spawnSync(command(), ['--version'], { cwd: '/', env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), manifest.version);

  const wanted = manifest.optionalDependencies[`node-${process.platform}-${process.arch}`];
  if (wanted === undefined) return;
  const node = join(folder.path, 'node_modules/ssvirt/bin/node');
  assert.equal(execFileSync(node, ['--version'], { env, encoding: 'utf8' }).trim(), `v${wanted}`);
});

test('its sandbox starts there, writes a kubeconfig, and answers', async (t) => {
  const kubeconfig = join(folder.path, 'sandbox.kubeconfig');
  const args = ['sandbox', '--listen', '127.0.0.1:0', '--kubeconfig', kubeconfig];
  const child = spawn(command(), args, { cwd: folder.path, env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = once(child, 'exit');
  t.after(() => void child.kill('SIGKILL'));
  const isOver = (): boolean => existsSync(kubeconfig) || child.exitCode !== null;
  await until('it has written its kubeconfig', isOver, { deadlineMs: 120_000 }).catch((cause: unknown) =>
    assert.fail(new Error(said, { cause })),
  );

  assert.equal(child.exitCode, null, said);
  await until('it comes with sample machines', async () => (await machinesOf(kubeconfig)) > 0, { deadlineMs: 120_000 });
  child.kill('SIGTERM');
  await exited;
  assert.equal(child.exitCode, 0, said);
});

test('what its code reads beside itself is there: definitions for `ssvirt dev`, files of the console for the API server', () => {
  const root = join(folder.path, 'node_modules/ssvirt');
  assert.ok(globSync('deploy/crds/*.yaml', { cwd: root }).length > 0);
  const { status, stderr } = spawnSync(command(), ['api-server', 'openapi'], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  assert.equal(status, 0, stderr);
});

async function machinesOf(kubeconfig: string): Promise<number> {
  const source = await loadKubeconfig({ path: kubeconfig });
  const client = createClient({ cluster: 'installed', source, userAgent: 'package-test' });
  const type = {
    group: 'kubevirt.io',
    version: 'v1',
    kind: 'VirtualMachine',
    plural: 'virtualmachines',
    namespaced: true,
  };
  try {
    return (await client.list(type)).items.length;
  } finally {
    await client.close();
  }
}
