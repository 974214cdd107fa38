/**
 * Assembles what the image's last stage adds to its base, in a folder: the built command, the packages that it needs to
 * run, its Node, and an SBOM.
 * make build && bin/node deploy/image/assemble.ts FOLDER
 * It uses the packages that npm has installed here, so it needs neither a network nor a container engine; the
 * Containerfile runs the same.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:process';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** The installation folder in the image. */
const home = 'opt/ssvirt';
/** The sandbox and `ssvirt dev`. The npm package leaves out the same (`files` of package.json). */
const development = ['dist/sandbox', 'dist/ssvirt/src/processes/dev'].map((folder) => join(root, folder));
const nodePackage = `node-${platform}-${arch}`;
/** Additional command names, which earlier users of these two processes know. */
const alsoInstalled = ['api-server', 'vm-controller'] as const;

interface Installed {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('usage: node deploy/image/assemble.ts FOLDER');
assemble(resolve(given));

function assemble(folder: string): void {
  if (existsSync(folder)) throw new Error(`${folder} already exists: choose another folder, or remove it`);
  if (!existsSync(join(root, 'dist/ssvirt/src/main.js')))
    throw new Error('dist/ssvirt/src/main.js does not exist: run make build first');
  const to = join(folder, home);
  for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES', 'package.json', 'bin/ssvirt', 'bin/node'])
    copy(join(root, name), join(to, name));
  const isProduct = (from: string): boolean => !development.includes(from) && isNeeded(from);
  cpSync(join(root, 'dist'), join(to, 'dist'), { recursive: true, filter: isProduct });
  const needed = packages();
  for (const name of needed) cpSync(join(root, name), join(to, name), { recursive: true, filter: isNeeded });
  addNode(to);
  addCommands(folder);
  writeFileSync(join(to, 'sbom.spdx.json'), sbom([...needed, `node_modules/${nodePackage}`]));
  mkdirSync(join(folder, 'etc/ssvirt'), { recursive: true });
  makeReadable(folder);
}

/** The package folders that the processes load, without development packages and platform packages. */
function packages(): readonly string[] {
  const lock = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Installed>>;
  };
  return Object.entries(lock.packages)
    .filter(([folder]) => folder.startsWith('node_modules/') && !folder.startsWith('node_modules/@ssvirt/'))
    .filter(([, { dev, devOptional, optional }]) => dev !== true && devOptional !== true && optional !== true)
    .map(([name]) => name);
}

/** Copies only the executable from the package that contains Node: the image needs neither headers nor npm. */
function addNode(to: string): void {
  const name = `node_modules/${nodePackage}`;
  for (const part of ['package.json', 'LICENSE', 'bin/node'])
    if (existsSync(join(root, name, part))) copy(join(root, name, part), join(to, name, part));
  if (!existsSync(join(to, name, 'bin/node')))
    throw new Error(`${name} contains no Node for this platform: run npm ci`);
}

function addCommands(folder: string): void {
  const commands = join(folder, 'usr/local/bin');
  mkdirSync(commands, { recursive: true });
  symlinkSync(`/${home}/bin/ssvirt`, join(commands, 'ssvirt'));
  for (const name of alsoInstalled) {
    const file = join(commands, `ssvirt-${name}`);
    writeFileSync(file, `#!/bin/sh\nexec /${home}/bin/ssvirt ${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
}

interface Spdx {
  readonly documentDescribes: readonly string[];
  readonly packages: readonly { readonly name: string; readonly versionInfo: string; readonly SPDXID: string }[];
  readonly relationships: readonly { readonly spdxElementId: string; readonly relatedSpdxElement: string }[];
}

/**
 * The SBOM of the image, for vulnerability scanners: npm's list, reduced to the copied packages. npm's --omit=dev would
 * also omit packages that are needed both at runtime and by a development tool (npm 11.19: undici).
 */
function sbom(folders: readonly string[]): string {
  const args = ['sbom', '--package-lock-only', '--sbom-format=spdx', '--sbom-type=application'];
  const all = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })) as Spdx;
  const copied = new Set(folders.map(nameAndVersion));
  const isIn = ({ name, versionInfo, SPDXID }: Spdx['packages'][number]): boolean =>
    copied.has(`${name}@${versionInfo}`) || all.documentDescribes.includes(SPDXID);
  const out = new Set(all.packages.filter((one) => !isIn(one)).map(({ SPDXID }) => SPDXID));
  const left = {
    ...all,
    packages: all.packages.filter(({ SPDXID }) => !out.has(SPDXID)),
    relationships: all.relationships.filter(
      ({ spdxElementId, relatedSpdxElement }) => !out.has(spdxElementId) && !out.has(relatedSpdxElement),
    ),
  };
  return `${JSON.stringify(left, null, 2)}\n`;
}

function nameAndVersion(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return `${name}@${version}`;
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, dereference: true });
}

/** Makes everything readable for any user, whatever the file modes of the clone are. */
function makeReadable(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/**
 * Excludes files that are not loaded at runtime: declarations, source maps, prose. Licenses stay. Nested packages are
 * listed separately.
 */
function isNeeded(from: string): boolean {
  const name = basename(from);
  if (name === 'node_modules' || name === '.bin') return false;
  if (statSync(from).isDirectory()) return true;
  return /licen[cs]e|notice/i.test(name) || !/\.(map|md|markdown|d\.[mc]?ts)$/.test(name);
}
