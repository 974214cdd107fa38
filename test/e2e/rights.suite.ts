/**
 * `make e2e` on a kube-apiserver that enforces rights: each process runs with the token of its ServiceAccount, and with
 * only the rights and policies of deploy/rbac; after a fresh installation, and after an upgrade from 0.1.0, whose
 * processes had rights on Secrets in all namespaces.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { parseAllDocuments } from 'yaml';
import { mayI } from '../../packages/ssvirt/src/fleet/identity/account.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { clusterRoleBindings } from '../../packages/ssvirt/src/fleet/health/upgrade-rights.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { startSimulators } from '../../packages/sandbox/src/simulators/start.ts';
import { throwAwayFolder, writeKubeconfig, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { notRun } from '../not-run.ts';
import { until } from '../runtime/until.ts';
import { countsMachines } from '../tenancy/counts-vms.ts';
import { collectionOf, installManifests, manifests, type Manifest } from '../vm-status/manifests.ts';
import { parseOptions, type Options } from './options.ts';
import { look } from './prerequisites.ts';

const root = resolve(import.meta.dirname, '../..');
const home = 'ssvirt-system';
const processes = ['api-server', 'vm-controller', 'machine-operator', 'cloudkit-operator'] as const;
const deadline = { deadlineMs: 120_000, everyMs: 50 };
const crds = process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(root, '../shared/upstream-crds');
const old = join(root, 'test/rbac/upgrade/rights-of-0.1.0');

interface Audited {
  readonly verb: string;
  readonly requestURI: string;
  readonly user?: { readonly username: string };
  readonly responseStatus?: { readonly code: number; readonly message?: string };
}

let folder: ThrowAwayFolder;
let cluster: Cluster;
let client: Client;
let simulators: Awaited<ReturnType<typeof startSimulators>>;

const documents = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest);
const newRights = [...processes.map((name) => `${name}.yaml`), 'policies.yaml'].flatMap((file) => manifests(file));
const oldRights = processes.flatMap((name) => documents(join(old, `${name}.yaml`)));
const upgradeRights = globSync('*.yaml', { cwd: join(root, 'deploy/upgrade') }).flatMap((file) =>
  documents(join(root, 'deploy/upgrade', file)),
);
const pathOf = (one: Manifest): string => `${collectionOf(one)}/${one.metadata.name}`;
const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** As `kubectl apply` does it. */
async function apply(all: readonly Manifest[]): Promise<void> {
  for (const one of all)
    await client.request({
      method: 'PATCH',
      path: pathOf(one),
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'administrator', force: 'true' },
      body: one,
    });
}

async function remove(all: readonly Manifest[]): Promise<void> {
  for (const one of all) await client.request({ method: 'DELETE', path: pathOf(one) });
}

async function tokenOf(name: string): Promise<string> {
  const { body } = await client.request({
    method: 'POST',
    path: `/api/v1/namespaces/${home}/serviceaccounts/ssvirt-${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } },
  });
  return (body as { readonly status: { readonly token: string } }).status.token;
}

async function writeAccounts(): Promise<string> {
  for (const name of processes)
    await writeKubeconfig(join(folder.path, `${name}.kubeconfig`), { ...cluster, token: await tokenOf(name) });
  return folder.path;
}

const audited = (): readonly Audited[] =>
  readFileSync(join(folder.path, 'audit.log'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Audited);

async function e2e(accounts: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const args = [join(root, 'test/e2e/main.ts'), '--timeout', '180s', '--accounts', accounts];
  const env = { ...process.env, KUBECONFIG: cluster.adminKubeconfig };
  const child = spawn(join(root, 'bin/node'), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

async function passes(accounts: string, since: number): Promise<void> {
  const { code, output } = await e2e(accounts);
  assert.equal(code, 0, output);
  assert.equal(output.match(/PASSED: A /g)?.length, 3, output);
  const refused = audited()
    .slice(since)
    .filter(({ responseStatus }) => responseStatus?.code === 403)
    .map(({ user, verb, requestURI, responseStatus }) =>
      [user?.username, verb, requestURI, responseStatus?.message].join(' '),
    );
  assert.deepEqual(refused, [], 'nothing that a process asks for is refused');
}

before(async () => {
  folder = await throwAwayFolder('ssvirt-e2e-rights-');
  const users = processes.map((name) => `system:serviceaccount:${home}:ssvirt-${name}`);
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', users }, { level: 'None' }],
  };
  writeFileSync(join(folder.path, 'policy.json'), JSON.stringify(policy));
  writeFileSync(join(folder.path, 'audit.log'), '');
  cluster = await startRealCluster({
    serverFlags: [
      `--audit-policy-file=${join(folder.path, 'policy.json')}`,
      `--audit-log-path=${join(folder.path, 'audit.log')}`,
    ],
    controllers: ['persistentvolume-binder-controller'],
  });
  client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'e2e-suite' });
  if (!existsSync(crds)) notRun('test/e2e/rights.suite.ts with the CRDs of KubeVirt and CDI', `needs ${crds}`);
  simulators = await startSimulators({
    source: fixedSource(cluster),
    name: 'real',
    parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'load-balancers'],
    dials: { speed: 40 },
    log: pino({ level: 'silent' }),
    ...(existsSync(crds) ? { crds } : {}),
  });
  const options = parseOptions([]) as Options;
  await until('what is simulated is there', async () => (await look(client, options)).problems.length === 0, deadline);
  await until('the cluster counts machines', () => countsMachines(client), deadline);
  for (const name of [home, 'kubevirt-configs']) await client.create(namespaces, { metadata: { name } });
});
after(async () => {
  await simulators?.stop({ leaveRegistered: true });
  await client?.close();
  await cluster?.stop();
  await folder?.remove();
});

test('all doors pass with the rights and policies of a fresh installation, and nothing is refused', async () => {
  await installManifests(client, newRights);
  await passes(await writeAccounts(), 0);
});

test('all doors pass after an upgrade from 0.1.0, and no right on Secrets in all namespaces is left', async () => {
  await remove(newRights);
  await installManifests(client, oldRights);
  const accounts = await writeAccounts();
  const since = audited().length;
  // As docs/provider/upgrade.md says for plain manifests.
  await apply(upgradeRights);
  await apply(newRights);
  const kept = new Set(newRights.map(titleOf));
  await remove(oldRights.filter((one) => !kept.has(titleOf(one))));
  const account = createClient({
    cluster: 'real',
    source: fixedSource({ ...cluster, token: await tokenOf('api-server') }),
    userAgent: 'e2e-suite',
  });
  const write = { verb: 'create', group: '', resource: 'secrets', namespace: 'default' };
  assert.ok(await mayI(account, write), 'until the new processes have bound the namespaces, the old rights are there');
  await passes(accounts, since);
  const { items } = await client.list(clusterRoleBindings, {});
  const left = items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.endsWith('-0.1.0'));
  assert.deepEqual(left, []);
  await until('the rights are gone', async () => !(await mayI(account, write)), deadline);
  await account.close();
});
