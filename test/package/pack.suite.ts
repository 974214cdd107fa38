/**
 * The npm package, installed in an empty folder: its command answers there, on the Node that it brings. It downloads
 * packages from the npm registry.
 */
// needs: npm
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';

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
  if (!existsSync(join(repository, 'dist/ssvirt/src/main.js')))
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
    'dist/ssvirt/src/main.js',
    'deploy/crds',
  ])
    assert.ok(
      packed.some((path) => path === wanted || path.startsWith(`${wanted}/`)),
      wanted,
    );
  assert.deepEqual(
    packed.filter((path) => /\.ts$|\.map$|^(packages|test|bench|docs)\/|golden|testdata/.test(path)),
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

test('it has neither the sandbox nor a package that only the sandbox needs, and says where they are', () => {
  assert.deepEqual(
    packed.filter((path) => /^dist\/(sandbox|ssvirt\/src\/processes\/dev)\//.test(path)),
    [],
  );
  for (const name of ['jose', '@marcbachmann/cel-js'])
    assert.equal(existsSync(join(folder.path, 'node_modules', name)), false, name);
  const env = { PATH: process.env['PATH'] };
  for (const [name, target] of [
    ['sandbox', 'make sandbox'],
    ['dev', 'make run'],
  ] as const) {
    const { stderr, status } = spawnSync(command(), [name], { cwd: '/', env, encoding: 'utf8' });
    assert.equal(status, 2, stderr);
    assert.match(stderr, new RegExp(`${name} is for development.*${target}`));
  }
  const { stdout, status } = spawnSync(command(), ['--help'], { cwd: '/', env, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^ {2}api-server /m);
  assert.doesNotMatch(stdout, /^ {2}(dev|sandbox) /m);
});

test('what its code reads beside itself is there: definitions that messages name, files of the console for the API server', () => {
  const root = join(folder.path, 'node_modules/ssvirt');
  assert.ok(globSync('deploy/crds/*.yaml', { cwd: root }).length > 0);
  const { status, stderr } = spawnSync(command(), ['api-server', 'openapi'], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  assert.equal(status, 0, stderr);
});
