/**
 * Which folder may import which. The linter (plugin.ts) checks every import against this table, so a wrong arrow fails `make check`.
 * A folder that is not listed may neither be imported nor import: add it here first, with the reason in its README.
 */
import { dirname, relative, resolve, sep } from 'node:path';

export interface Arrow {
  /** Folders that this one may import. */
  readonly to: readonly string[];
  readonly why: string;
  /** Packages and Node modules that may not be imported here. */
  readonly noPackages?: RegExp;
}

/** Longest path first if folders nest. `placeOf` tells where each is. */
export const arrows: Readonly<Record<string, Arrow>> = {
  values: { to: [], why: 'helpers for plain values know nothing of what a value means' },
  async: { to: [], why: 'whoever waits says what for and how long' },
  config: { to: ['values'], why: 'the config is read by all and knows none of them' },
  tls: { to: ['values'], why: 'a certificate does not know what it is for' },
  net: { to: ['values'], why: 'sockets and ports of any server: who listens, and what is served, is passed in' },
  kube: {
    to: ['net', 'async', 'values'],
    why: 'Kubernetes machinery knows nothing of VMs, tenants or SQL; settings are passed in',
  },
  kubevirt: {
    to: ['values'],
    why: 'KubeVirt knowledge is pure functions: no I/O at all',
    noPackages: /^(node:(?!assert|test|util)|undici|pg|kysely|fastify|ws$)/,
  },
  db: { to: ['config', 'net', 'async', 'values'], why: 'the repositories know PostgreSQL only' },
  fleet: {
    to: ['kube', 'kubevirt', 'config', 'tls', 'async', 'values'],
    why: 'the set of clusters builds on kube and kubevirt',
  },
  'controllers/vm-status': {
    to: ['kube', 'kubevirt', 'fleet', 'db', 'config', 'async', 'values'],
    why: 'clusters to rows',
  },
  'controllers/tenancy': {
    to: ['kube', 'kubevirt', 'fleet', 'db', 'config', 'async', 'values'],
    why: 'rows to clusters',
  },
  'controllers/catalog': {
    to: ['kube', 'kubevirt', 'fleet', 'config', 'async', 'values'],
    why: 'templates and images of the clusters, kept by watch',
  },
  'controllers/operator': {
    to: ['kube', 'kubevirt', 'fleet', 'async', 'values'],
    why: 'what the two operators share knows neither Machines nor orders, and has no settings',
  },
  'controllers/machine': {
    to: ['controllers/operator', 'kube', 'kubevirt', 'fleet', 'config', 'net', 'async', 'values'],
    why: 'the machine operator has no database',
  },
  'controllers/cloudkit': {
    to: ['controllers/operator', 'kube', 'kubevirt', 'fleet', 'config', 'net', 'async', 'values'],
    why: 'the cloudkit operator has no database',
  },
  api: {
    to: ['kubevirt', 'fleet', 'db', 'config', 'net', 'async', 'values'],
    why: 'the HTTP edge commits desired state and touches no cluster',
  },
  processes: {
    to: [
      'api',
      'controllers/tenancy',
      'controllers/vm-status',
      'controllers/catalog',
      'controllers/machine',
      'controllers/cloudkit',
      'kube',
      'kubevirt',
      'fleet',
      'db',
      'config',
      'tls',
      'net',
      'async',
      'values',
    ],
    why: 'a process that is made of several folders is put together here, and nothing else is done here',
  },
  sandbox: {
    to: ['kube', 'config', 'tls', 'net', 'async', 'values'],
    why: "a simulator that shares the product's understanding of KubeVirt would only prove that we agree with ourselves",
  },
  'api-client': {
    to: [],
    why: 'what others use to reach the API knows nothing but its document',
    noPackages: /^(node:(?!assert|test)|undici|pg|kysely|fastify|ws$)/,
  },
  cli: {
    to: ['api-client', 'kube', 'kubevirt', 'fleet', 'config', 'async', 'values'],
    why: 'a person reaches the product over its APIs, and its clusters by the same KubevirtConfigs as the operators',
  },
};

/** Packages that only tests and benchmarks may import. */
const testPackages = /^(@kubernetes\/client-node|fast-check|node:test)(\/|$)/;

/** A sentence that says why `file` (absolute) may not import `specifier`, or undefined if it may. */
export function wrongArrow(root: string, file: string, specifier: string): string | undefined {
  const from = relative(root, file).split(sep).join('/');
  // An example beside the sources is what others would write.
  if (!/^packages\/[^/]+\/src\//.test(from)) return undefined;
  const home = folderOf(from);
  if (home === undefined) return `${from} is in no folder of the architecture: add it to test/architecture/arrows.ts`;
  const own = /^@ssvirt\/([^/]+)\/(.+)$/.exec(specifier);
  if (own !== null) return wrongFile(home, from, `packages/${own[1]}/src/${own[2]}.ts`);
  if (!specifier.startsWith('.') && !specifier.startsWith('/')) return wrongPackage(home, from, specifier);
  const target = relative(root, resolve(dirname(file), specifier))
    .split(sep)
    .join('/');
  const [ownPackage, other] = [packageOf(from), packageOf(target)];
  if (other !== undefined && other !== ownPackage)
    return `${target} is in another package: import it as @ssvirt/${other}/…`;
  return wrongFile(home, from, target);
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function wrongFile(home: string, from: string, target: string): string | undefined {
  if (!target.startsWith('packages/')) return outsideSources(from, target);
  const folder = folderOf(target);
  // main.ts selects the process in commands.ts, which imports the entry of each; no other file imports them.
  if (folder === 'main' && home !== 'main') return `${target} is where everything starts; nothing imports it`;
  if (folder === undefined) return `${target} is in no folder of the architecture`;
  if (folder === home || home === 'main') return undefined;
  const arrow = arrows[home];
  if (arrow === undefined || arrow.to.includes(folder)) return undefined;
  return `${placeOf(home)} may not import ${placeOf(folder)}: ${arrow.why}`;
}

function outsideSources(from: string, target: string): string | undefined {
  if (isTest(from) && (target.startsWith('test/') || target.startsWith('bench/'))) return undefined;
  if (target === 'package.json') return undefined;
  return `${from} may not import ${target}: production code is in packages`;
}

function wrongPackage(home: string, from: string, specifier: string): string | undefined {
  if (isTest(from)) return undefined;
  if (testPackages.test(specifier)) return `only tests may import ${specifier}`;
  const arrow = arrows[home];
  if (arrow?.noPackages?.test(specifier) === true) return `${placeOf(home)} may not import ${specifier}: ${arrow.why}`;
  return undefined;
}

/** The architecture's folder that a path such as packages/ssvirt/src/api/vms/routes.ts belongs to. */
function folderOf(path: string): string | undefined {
  const [, name = '', inside = ''] = /^packages\/([^/]+)\/src\/(.*)$/.exec(path) ?? [];
  if (isWhole(name)) return name;
  if (name === 'ssvirt' && ['main.ts', 'main.test.ts', 'commands.ts'].includes(inside)) return 'main';
  const folder = Object.keys(arrows).find((one) => inside.startsWith(`${one}/`));
  return folder !== undefined && placeOf(folder).startsWith(`packages/${name}/`) ? folder : undefined;
}

/** Packages that are one folder of the architecture. */
function isWhole(folder: string): boolean {
  return folder === 'api-client' || folder === 'kube' || folder === 'sandbox';
}

const inBase = new Set(['config', 'tls', 'net', 'async', 'values']);

export function placeOf(folder: string): string {
  if (isWhole(folder)) return `packages/${folder}/src`;
  return `packages/${inBase.has(folder) ? 'base' : 'ssvirt'}/src/${folder}`;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
