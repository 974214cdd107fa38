/** VDCs on a kube-apiserver, with the rights of deploy/rbac and no others */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: rbac/api-server.suite.ts grants each right when it is missed, on a real server
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { vdcTypes } from '../../src/controllers/tenancy/vdcs/kinds.ts';
import { createFleet } from '../../src/fleet/create-fleet.ts';
import type { Client } from '../../src/kube/client/client.ts';
import { createClient } from '../../src/kube/client/create.ts';
import { connectCluster, type ConnectedCluster } from '../../src/kube/connect-cluster.ts';
import { createMetrics } from '../../src/kube/metrics/metrics.ts';
import { sql } from 'kysely';
import { parseAllDocuments } from 'yaml';
import { childKinds, childNames } from '../../src/kubevirt/vdc/objects.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startTestDatabase } from '../database/harness.ts';
import { install, kubevirtConfigDefinition } from '../fleet/definition.ts';
import { configsNamespace, installKubeVirt, testReflector, testTimes, virtualMachines } from '../fleet/ground.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { untilKnown } from '../rbac/known-rights.ts';
import { until } from '../runtime/until.ts';
import { installManifests, manifests, type Manifest } from '../vm-status/manifests.ts';
import { countsMachines } from './counts-machines.ts';
import { specOf } from './ground.ts';
import { MachineGround, machineSettings } from './machine-ground.ts';

const home = 'ssvirt-system';
const account = 'ssvirt-api-server';
const user = `system:serviceaccount:${home}:${account}`;

const documents = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8')).map(
    (document) => document.toJS() as Manifest,
  );

interface Audited {
  readonly verb: string;
  readonly objectRef?: { readonly resource: string; readonly namespace?: string };
  readonly responseStatus?: { readonly code: number };
}

describe('virtual data centers on a kube-apiserver', () => {
  let folder: ThrowAwayFolder;
  let cluster: Cluster;
  let client: Client;
  let local: ConnectedCluster;
  let ground: MachineGround<{ readonly client: Client }>;
  const audited = (): readonly Audited[] =>
    readFileSync(join(folder.path, 'audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Audited);

  /** Refused until the cluster has counted the new quota for the first time. */
  const createMachine = (namespace: string): Promise<void> =>
    until('the machine is made', async () => {
      await client.create(virtualMachines, { metadata: { namespace, name: 'web' } });
      return true;
    });

  before(async () => {
    folder = await throwAwayFolder('ssvirt-tenancy-');
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
    };
    writeFileSync(join(folder.path, 'policy.json'), JSON.stringify(policy));
    const serverFlags = [
      `--audit-policy-file=${join(folder.path, 'policy.json')}`,
      `--audit-log-path=${join(folder.path, 'audit.log')}`,
    ];
    cluster = await startRealCluster({ serverFlags });
    client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'tenancy-test' });
    await install(client, kubevirtConfigDefinition());
    await installKubeVirt({ client });
    for (const name of [home, configsNamespace]) await client.create(vdcTypes.Namespace, { metadata: { name } });
    await until('the cluster counts machines', () => countsMachines(client), { deadlineMs: 90_000 });
    const all = manifests('api-server.yaml');
    await installManifests(client, all);
    await untilKnown(client, user, all);
    const { body } = await client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    });
    const { token } = (body as { readonly status: { readonly token: string } }).status;
    const parts = { log: pino({ level: 'silent' }), component: account, reflector: testReflector };
    const metrics = createMetrics(new Registry());
    local = connectCluster({ ...parts, name: 'local', source: fixedSource({ ...cluster, token }), metrics });
    const fleets = {
      supervisor: { client },
      fleet: () => {
        const options = { ...parts, local, namespace: configsNamespace, userAgent: account, times: testTimes };
        const fleet = createFleet({ ...options, metrics: createMetrics(new Registry()), reports: () => false });
        const stopping = new AbortController();
        const ended = fleet.run({ signal: stopping.signal });
        const end = async (): Promise<void> => {
          stopping.abort();
          await ended;
        };
        return { fleet, end };
      },
      stop: () => Promise.resolve(),
    };
    ground = new MachineGround(fleets, await startTestDatabase());
    ground.replica(machineSettings);
  });
  after(async () => {
    await ground?.stop();
    await local?.close();
    await client?.close();
    await cluster?.stop();
    await folder?.remove();
  });

  test('are made, repaired and removed with the rights that are handed out', async () => {
    const vdc = await ground.made({ vm_quota: 3, memory_limit_mb: 1024, storage_limit_mb: 1000 });
    for (const kind of childKinds) assert.ok(await ground.find(vdc, kind), kind);
    await client.patch(
      vdcTypes.ResourceQuota,
      { namespace: vdc.namespace, name: 'vdc-quota' },
      { type: 'merge', body: { spec: { hard: { 'count/virtualmachines.kubevirt.io': '99', pods: '1' } } } },
    );
    await ground.ended((await ground.update(vdc, { memory_limit_mb: 0 })).task, 'success');
    const wanted = { 'count/virtualmachines.kubevirt.io': '3', 'requests.storage': '3375Mi' };
    await until('the quota is as asked for', async () =>
      isDeepStrictEqual(specOf(await ground.find(vdc, 'ResourceQuota'))['hard'], wanted),
    );
    await createMachine(vdc.namespace);
    await ground.ended((await ground.remove(vdc, true)).task, 'success');
    assert.equal(await ground.find(vdc, 'Namespace'), undefined);
    const refused = audited().filter(({ responseStatus }) => responseStatus?.code === 403);
    assert.deepEqual(refused, [], 'nothing that it asks for is refused');
  });

  test('hold machines that are made, changed, powered and removed with the same rights', async () => {
    const vdc = await ground.made();
    const spec = { cloudInit: { userData: '#cloud-config' }, sshKeys: ['ssh-ed25519 AAAA'] };
    const { vm } = await ground.orderMade(vdc, { spec });
    await ground.did(vm, 'vmUpdate', { changed: ['cpus'] }, { cpu_count: 3 });
    const on = await ground.ask(vm, 'vmPowerOn', {}, ground.db, { desired_power: 'on' });
    await until('it is to run', async () => specOf(await ground.machine(vm))['runStrategy'] === 'RerunOnFailure');
    const key = { namespace: vm.namespace, name: vm.vm_name };
    const body = { status: { printableStatus: 'Running', created: true } };
    await client.patch(virtualMachines, key, { type: 'merge', body });
    await ground.observe(vm, { status: 'POWERED_ON' });
    await ground.ended(on, 'success');
    // There is no virt-api here: an allowed request gets 404, a forbidden one 403.
    const asked = [
      await ground.ask(vm, 'vmReset'),
      await ground.ask(vm, 'vmReboot'),
      await ground.ask(vm, 'vmDiskAdd', { disk: 'more' }, ground.db, {
        spec: { ...(await ground.vmRow(vm.id)).spec, disks: [{ name: 'more', sizeMb: 8, added: true }] },
      }),
    ];
    for (const task of asked.slice(0, 2)) assert.match(JSON.stringify(await ground.ended(task, 'error')), /404/);
    await until('the disk is made', async () => (await ground.left(vdc)).includes(`DataVolume ${vm.vm_name}-more`));
    await ground.ended(await ground.delete(vm), 'success');
    const refused = audited().filter(({ responseStatus }) => responseStatus?.code === 403);
    assert.deepEqual(refused, [], 'nothing that it asks for is refused');
    const secrets = audited().filter(({ verb, objectRef }) => objectRef?.resource === 'secrets' && verb === 'get');
    assert.deepEqual(
      secrets.filter(({ objectRef }) => objectRef?.namespace === vdc.namespace),
      [],
    );
  });

  test('are left alone while nothing differs, though their usage changes', async () => {
    const vdc = await ground.made({ vm_quota: 3 });
    const writes = (): number =>
      audited().filter(({ verb, objectRef }) => verb === 'patch' && objectRef?.namespace === vdc.namespace).length;
    await createMachine(vdc.namespace);
    await until(
      'the usage is counted',
      async () => {
        const { status } = ((await ground.find(vdc, 'ResourceQuota')) ?? {}) as { status?: { used?: object } };
        return isDeepStrictEqual(status?.used, { 'count/virtualmachines.kubevirt.io': '1' });
      },
      { deadlineMs: 60_000 },
    );
    const before = writes();
    await ground.ended((await ground.update(vdc, {})).task, 'success');
    assert.equal(writes(), before);
    assert.ok(before > 0);
  });

  test('that 0.1.0 has made keep its rights until they are bound, and are bound by the new version', async () => {
    const bound = await ground.made();
    const told = { cloudInit: { userData: '#cloud-config' } };
    for (const replica of ground.replicas) await replica.stop();
    // The state that 0.1.0 leaves: no RoleBinding in the cluster and in the row, and its rights in all namespaces.
    await client.delete(vdcTypes.RoleBinding, { namespace: bound.namespace, name: childNames.RoleBinding });
    await sql`UPDATE vdc_applied SET objects = objects - 'RoleBinding' WHERE vdc_id = ${bound.id}`.execute(ground.db);
    const rights = documents('upgrade/api-server-0.1.0.yaml');
    await installManifests(client, rights);
    await untilKnown(client, user, rights);
    const mayWrite = async (namespace: string): Promise<boolean> => {
      const { body } = await client.request({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user, resourceAttributes: { verb: 'create', group: '', resource: 'secrets', namespace } },
        },
      });
      return (body as { readonly status: { readonly allowed: boolean } }).status.allowed;
    };
    assert.ok(await mayWrite(bound.namespace), 'it is not bound, and 0.1.0 goes on');

    ground.replica(machineSettings);
    await until('it is bound', async () => (await ground.find(bound, 'RoleBinding')) !== undefined, {
      deadlineMs: 60_000,
    });
    await until('the old rights are gone', async () => !(await mayWrite('kube-system')), { deadlineMs: 60_000 });
    assert.ok(await mayWrite(bound.namespace));
    const { vm } = await ground.orderMade(bound, { spec: told });
    await ground.ended(await ground.delete(vm), 'success');
  });
});
