/**
 * `@ssvirt/kube` as others install it: packed, installed in an empty folder, with the example of
 * docs/contributor/controllers.md on it. It downloads packages from the npm registry.
 */
// needs: npm
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { isConditionTrue } from '@ssvirt/kube';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { greetings } from '../runtime/example/kinds.ts';
import { key, startExample } from '../runtime/example/scene.ts';
import { until } from '../runtime/until.ts';

const repository = resolve(import.meta.dirname, '../..');
const installed = (name: string): string => join(repository, 'node_modules/.bin', name);
let folder: ThrowAwayFolder;
let tarball: string;

before(async () => {
  folder = await throwAwayFolder('ssvirt-kube-');
  const built = join(folder.path, 'built');
  const run = (...args: readonly string[]): void =>
    void execFileSync(process.execPath, args, { cwd: repository, stdio: 'pipe' });
  run(installed('tsc'), '-p', 'packages/kube', '--outDir', built);
  run('deploy/build/link-packages.ts', built);
  run('deploy/build/kube-package.ts', built);
  const pack = ['pack', '--json', '--loglevel=error', '--pack-destination', folder.path];
  const packed = JSON.parse(execFileSync('npm', pack, { cwd: built, encoding: 'utf8', stdio: 'pipe' })) as readonly {
    readonly filename: string;
  }[];
  tarball = join(folder.path, packed[0]?.filename ?? '');
  const user = join(folder.path, 'user');
  const example = join(repository, 'test/runtime/example');
  for (const file of ['kinds.ts', 'greeting.ts', 'main.ts', 'greetings.crd.yaml'])
    cpSync(join(example, file), join(user, file));
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  execFileSync('npm', [...install, tarball], { cwd: user, stdio: 'pipe' });
});

after(() => folder?.remove());

test('publint and are-the-types-wrong find nothing', () => {
  for (const [name, ...args] of [
    ['publint', 'run', '--strict', tarball],
    ['attw', tarball, '--profile', 'esm-only'],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [installed(name), ...args], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('the example compiles with it, and only its public surface can be imported', () => {
  const user = join(folder.path, 'user');
  writeFileSync(
    join(user, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        types: ['node'],
      },
      files: ['main.ts'],
    }),
  );
  const compiled = spawnSync(process.execPath, [installed('tsc'), '-p', user], { encoding: 'utf8' });
  assert.equal(compiled.status, 0, compiled.stdout);
  const deep = "await import('@ssvirt/kube/client/create')";
  const refused = spawnSync(process.execPath, ['--input-type=module', '--eval', deep], { cwd: user, encoding: 'utf8' });
  assert.match(refused.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  assert.deepEqual(readdirSync(join(user, 'node_modules/@ssvirt')), ['kube']);
});

test('the example runs on it', { timeout: 120_000 }, async (t) => {
  const { client, controller, greeting, configMap } = await startExample(t, join(folder.path, 'user'));
  await until('the kind is served', () =>
    client.create(greetings, { metadata: key, spec: { to: 'world' } }).then(() => true),
  );
  await until('it greets', async () => isConditionTrue((await greeting())?.status?.conditions, 'Ready'), {
    deadlineMs: 60_000,
  });
  assert.deepEqual((await configMap())?.data, { text: 'Hello, world!' });
  controller.kill('SIGTERM');
  assert.equal((await once(controller, 'exit'))[0], 0);
});
