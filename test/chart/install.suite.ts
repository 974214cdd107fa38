/**
 * The chart on a kube-apiserver: the server accepts what it renders, and an install and an upgrade touch only their own
 * objects; run by .ci/run.
 */
// needs: helm, kubectl, etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { roleBindings } from '../../packages/ssvirt/src/fleet/identity/account.ts';
import { clusterRoleBindings } from '../../packages/ssvirt/src/fleet/health/upgrade-rights.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { definitions, install, looseDefinition } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { findTool } from '../not-run.ts';
import { chart, helm, release, render, type Said, type Values } from './helm.ts';
import { matrix } from './matrix.ts';
import { standIns } from './stand-ins.ts';

const crds = resolve(import.meta.dirname, '../../deploy/crds');
const core = (kind: string, plural: string): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced: kind !== 'Namespace',
});
const namespaces = core('Namespace', 'namespaces');
const secrets = core('Secret', 'secrets');
const deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const roles: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

const named = (group: string, version: string, kind: string): ResourceType => ({
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});

/** Namespaces of orders of 0.1.0, and what binds them: nothing, the label, the annotation. */
const bound = ['orders-of-0-1-0', 'tenant-of-the-test', 'listed-of-the-test'] as const;
/** Orders name these too: one is not bound to them, and in the others nobody is. */
const never = ['victim-of-the-test', 'kube-system', 'openshift-of-the-test', release.namespace] as const;

/** The command of docs/provider/upgrade.md that binds the namespaces of orders. */
const bindOrders = ((): string => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/provider/upgrade.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh by-hand\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes('ssvirt order bind-namespace')) ?? '';
  return found.replace(/^kubectl apply .*\n/m, '').replace(/^ssvirt machine .*\n/m, '');
})();

/** A definition that another party has installed, older than ours. */
const foreign = looseDefinition('vitistack.io', 'v1alpha1', 'NetworkConfiguration', 'networkconfigurations');
const ours = 'machines.vitistack.io';

function shortNames(definition: Unstructured | undefined): unknown {
  return (definition?.['spec'] as { readonly names: { readonly shortNames?: unknown } } | undefined)?.names.shortNames;
}

describe('the chart on a kube-apiserver', () => {
  let cluster: Cluster;
  let client: Client;
  let folder: ThrowAwayFolder;

  before(async () => {
    folder = await throwAwayFolder('ssvirt-chart-');
    cluster = await startRealCluster();
    client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'chart-test' });
    await install(client, ...standIns);
    // The server reports what a namespace of this kind does not allow as a warning.
    const restricted = { 'pod-security.kubernetes.io/warn': 'restricted' };
    for (const name of [release.namespace, 'kubevirt-configs', 'my-clusters'])
      await client.create(namespaces, { metadata: { name, labels: restricted } });
  });
  after(async () => {
    await client?.close();
    await cluster?.stop();
    await folder?.remove();
  });

  const kubectl = (...args: readonly string[]): Promise<Said> =>
    new Promise((done) =>
      execFile(
        findTool('kubectl') ?? 'kubectl',
        args,
        {
          env: { PATH: process.env['PATH'], HOME: folder.path, KUBECONFIG: cluster.adminKubeconfig },
          maxBuffer: 1 << 26,
        },
        (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      ),
    );
  const shell = (script: string): Promise<Said> =>
    new Promise((done) => {
      const tools = [dirname(findTool('kubectl') ?? ''), resolve(import.meta.dirname, '../../bin')];
      const env = {
        PATH: [...tools, process.env['PATH']].join(':'),
        HOME: folder.path,
        KUBECONFIG: cluster.adminKubeconfig,
      };
      execFile('sh', ['-euc', script], { env }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
  /** Whether the server would accept the objects of a file, with every field. */
  const tried = (file: string, ...flags: readonly string[]): Promise<Said> =>
    kubectl('apply', '--server-side', '--dry-run=server', '--validate=strict', ...flags, '-f', file);
  const call = (args: readonly string[], values: Values = {}): Promise<Said> =>
    helm([...args, '--namespace', release.namespace], values, cluster.adminKubeconfig);
  const get = async (type: ResourceType, name: string): Promise<Unstructured | undefined> => {
    const key = type.namespaced ? { namespace: release.namespace, name } : { name };
    try {
      return await client.get(type, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  const secretData = async (name: string): Promise<unknown> => (await get(secrets, name))?.['data'];

  test('takes every rendering of the matrix, with no field that it does not know and no warning', async () => {
    for (const [name, { values }] of Object.entries(matrix)) {
      const file = join(folder.path, 'rendered.yaml');
      writeFileSync(file, (await render(values)).map((one) => JSON.stringify(one)).join('\n---\n'));
      const { code, stderr } = await tried(file, '--force-conflicts');
      assert.equal(code, 0, `${name}: ${stderr}`);
      assert.equal(stderr, '', name);
    }
  });

  test('takes the plain manifests in the order of their names, as a person would apply them', async () => {
    const { code, stderr } = await tried(resolve(import.meta.dirname, '../../deploy/manifests'), '--force-conflicts');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
  });

  test('a rendering with an unknown field is refused, so that the test above can fail', async () => {
    const file = join(folder.path, 'wrong.yaml');
    const metadata = { name: 'wrong', namespace: release.namespace };
    const wrong = { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor', metadata, spec: { endpoint: [] } };
    writeFileSync(file, JSON.stringify(wrong));
    const { code, stderr } = await tried(file);
    assert.notEqual(code, 0);
    assert.match(stderr, /spec\.endpoint/);
  });

  test('an install, an upgrade and an uninstall touch what is theirs', async () => {
    await install(client, foreign);
    const before = await get(definitions, 'networkconfigurations.vitistack.io');

    const olderChart = join(folder.path, 'older');
    cpSync(chart, olderChart, { recursive: true });
    const file = join(olderChart, `files/crds/${ours}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('shortNames: [vmach]', 'shortNames: [older]'));
    const installed = await call(['install', release.name, olderChart], { fleet: { namespace: 'fleet-of-the-test' } });
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stdout, /networkconfigurations\.vitistack\.io does not belong to this release/);
    assert.doesNotMatch(installed.stdout, /machines\.vitistack\.io does not belong to this release/);
    assert.match(installed.stdout, /wait for the Secret ssvirt-database/);
    const untouched = await get(definitions, 'networkconfigurations.vitistack.io');
    assert.deepEqual(untouched?.metadata.resourceVersion, before?.metadata.resourceVersion);
    assert.ok((await get(deployments, 'ssvirt-api-server')) !== undefined);
    assert.ok((await get(namespaces, 'fleet-of-the-test')) !== undefined);
    const password = await secretData('ssvirt-initial-admin');
    const certificate = await secretData('ssvirt-api-server-tls');

    assert.deepEqual(shortNames(await get(definitions, ours)), ['older']);
    const generation = (await get(deployments, 'ssvirt-api-server'))?.metadata.generation;
    const upgraded = await call(['upgrade', release.name, chart], { fleet: { namespace: 'fleet-of-the-test' } });
    assert.equal(upgraded.code, 0, upgraded.stderr);
    const current = parse(readFileSync(join(crds, `${ours}.yaml`), 'utf8')) as Unstructured;
    assert.deepEqual(shortNames(await get(definitions, ours)), shortNames(current));
    const still = await get(definitions, 'networkconfigurations.vitistack.io');
    assert.deepEqual(still?.metadata.resourceVersion, before?.metadata.resourceVersion);
    assert.deepEqual(await secretData('ssvirt-initial-admin'), password, 'a password is made once');
    assert.deepEqual(await secretData('ssvirt-api-server-tls'), certificate, 'a certificate is made once');
    assert.equal((await get(deployments, 'ssvirt-api-server'))?.metadata.generation, generation, 'nothing restarts');

    // Uses the commands that Helm printed.
    const handOver = /^ +(kubectl (?:label|annotate) --overwrite crd networkconfigurations.*)$/gm;
    const commands = [...upgraded.stdout.matchAll(handOver)].map(([, command = '']) => command.split(' ').slice(1));
    assert.equal(commands.length, 2, upgraded.stdout);
    for (const command of commands) assert.equal((await kubectl(...command)).code, 0);
    const taken = await call(['upgrade', release.name, chart, '--force-conflicts'], {
      fleet: { namespace: 'fleet-of-the-test' },
    });
    assert.equal(taken.code, 0, taken.stderr);
    assert.doesNotMatch(taken.stdout, /does not belong to this release/);
    const ownNow = parse(readFileSync(join(crds, 'networkconfigurations.vitistack.io.yaml'), 'utf8')) as Unstructured;
    assert.deepEqual(shortNames(await get(definitions, 'networkconfigurations.vitistack.io')), shortNames(ownNow));

    const removed = await call(['uninstall', release.name]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(await get(deployments, 'ssvirt-api-server'), undefined);
    assert.equal(await get(roles, 'ssvirt-api-server'), undefined);
    assert.ok((await get(definitions, ours)) !== undefined, 'Machines would go with their definition');
    assert.ok((await get(namespaces, 'fleet-of-the-test')) !== undefined);
    assert.deepEqual(await secretData('ssvirt-initial-admin'), password);

    const again = await call(['install', release.name, chart], { fleet: { namespace: 'fleet-of-the-test' } });
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(await secretData('ssvirt-initial-admin'), password, 'what was left is taken up again');
    assert.equal((await call(['uninstall', release.name])).code, 0);
  });

  test('an upgrade from 0.1.0 keeps its rights on Secrets until the processes have bound what is there', async () => {
    const folderOf = (name: string): string => join(folder.path, 'version-0.1.0', name);
    cpSync(chart, folderOf(''), { recursive: true });
    for (const name of ['templates/policies.yaml', 'templates/upgrade-rights.yaml', 'files/upgrade'])
      rmSync(folderOf(name), { recursive: true });
    const rights = resolve(import.meta.dirname, '../rbac/upgrade/rights-of-0.1.0');
    for (const file of globSync('!(*-member).yaml', { cwd: rights }))
      cpSync(join(rights, file), folderOf(join('files/rbac', file)));
    await client.create(namespaces, { metadata: { name: 'orders-of-0-1-0' } });
    const project = { 'cloudkit.openshift.io/project': 'orders-of-0-1-0' };
    const listed = { 'cloudkit.openshift.io/order-namespaces': 'others, orders-of-0-1-0' };
    await client.create(namespaces, { metadata: { name: 'tenant-of-the-test', labels: project } });
    await client.create(namespaces, { metadata: { name: 'listed-of-the-test', annotations: listed } });
    await client.create(namespaces, { metadata: { name: 'victim-of-the-test' } });
    await client.create(namespaces, { metadata: { name: 'openshift-of-the-test', labels: project } });
    await client.create(namespaces, { metadata: { name: 'machines-of-the-test' } });
    const values = { fleet: { createNamespace: false } };
    const installed = await call(['install', release.name, folderOf('')], values);
    assert.equal(installed.code, 0, installed.stderr);
    const orders = named('cloudkit.openshift.io', 'v1alpha1', 'VirtualMachine');
    const order = (name: string, spec: object): Promise<Unstructured> =>
      client.create(orders, {
        metadata: { namespace: 'orders-of-0-1-0', name },
        spec: { templateID: 'any', ...spec },
      });
    await order('own', {});
    for (const name of [...bound.slice(1), ...never]) await order(name, { tenantNamespace: name });
    const machine = {
      metadata: { namespace: 'machines-of-the-test', name: 'web' },
      spec: { template: 'small', cloudInit: { userData: '#cloud-config' } },
    };
    const machines = named('vitistack.io', 'v1alpha1', 'Machine');
    await client.create(machines, machine);
    await client.create(machines, { ...machine, metadata: { ...machine.metadata, namespace: 'kube-public' } });
    const bindings = async (role: string): Promise<readonly string[]> => {
      const { items } = await client.list(roleBindings, {});
      return items.filter(({ metadata }) => metadata.name === role).map(({ metadata }) => metadata.namespace ?? '');
    };

    // The commands for plain manifests name the same namespaces.
    const applied = await shell(bindOrders);
    assert.equal(applied.code, 0, applied.stderr);
    assert.deepEqual((await bindings('ssvirt-cloudkit-operator-secrets')).toSorted(), bound.toSorted());
    for (const namespace of bound)
      await client.delete(roleBindings, { namespace, name: 'ssvirt-cloudkit-operator-secrets' });

    const upgraded = await call(['upgrade', release.name, chart], values);
    assert.equal(upgraded.code, 0, upgraded.stderr);
    const { items: wide } = await client.list(clusterRoleBindings, {});
    const names = wide.map(({ metadata }) => metadata.name ?? '');
    const kept = ['api-server', 'cloudkit-operator', 'machine-operator'].map((name) => `ssvirt-${name}-0.1.0`);
    assert.deepEqual(names.filter((name) => name.endsWith('-0.1.0')).toSorted(), kept);
    assert.ok(!names.includes('ssvirt-api-server-templates') && !names.includes('ssvirt-machine-operator-secrets'));
    const { rules } = (await get(roles, 'ssvirt-api-server')) as unknown as { rules: { resources: string[] }[] };
    assert.ok(!rules.some(({ resources }) => resources.includes('secrets')));
    assert.deepEqual((await bindings('ssvirt-cloudkit-operator-secrets')).toSorted(), bound.toSorted());
    assert.deepEqual(await bindings('ssvirt-machine-operator-secrets'), ['machines-of-the-test']);

    // The processes have done their part, and the next upgrade does not repeat it.
    for (const name of kept) await client.delete(clusterRoleBindings, { name });
    const again = await call(['upgrade', release.name, chart], values);
    assert.equal(again.code, 0, again.stderr);
    const { items: now } = await client.list(clusterRoleBindings, {});
    assert.deepEqual(
      now.map(({ metadata }) => metadata.name ?? '').filter((name) => name.endsWith('-0.1.0')),
      [],
    );
    assert.equal((await call(['uninstall', release.name])).code, 0);
  });

  test('a definition of another release, and a Secret that a person made, are left alone', async () => {
    const name = 'ssvirt-initial-admin';
    await client.delete(secrets, { namespace: release.namespace, name });
    const data = { password: Buffer.from('chosen by a person').toString('base64') };
    await client.create(secrets, { metadata: { namespace: release.namespace, name }, data });
    const other = { metadata: { annotations: { 'meta.helm.sh/release-name': 'other' } } };
    await client.patch(definitions, { name: ours }, { type: 'merge', body: other });
    const before = await get(definitions, ours);
    const installed = await call(['install', release.name, chart], { fleet: { createNamespace: false } });
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stdout, /machines\.vitistack\.io does not belong to this release/);
    assert.deepEqual((await get(definitions, ours))?.metadata.resourceVersion, before?.metadata.resourceVersion);
    assert.deepEqual(await secretData(name), data);
    assert.equal((await call(['uninstall', release.name])).code, 0);
    assert.deepEqual(await secretData(name), data);
  });
});
