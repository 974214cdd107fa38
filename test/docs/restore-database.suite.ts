/**
 * PostgreSQL is dumped and restored by the commands of docs/provider/backup-and-restore.md while a VM runs: the API
 * server and the vm-controller are processes on this host that Deployments of a simulated cluster scale.
 */
// needs: kubectl, pg_dump, pg_restore, psql, createdb
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { claims, instances, namespaces, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { parseOptions, type Options } from '../e2e/options.ts';
import { look } from '../e2e/prerequisites.ts';
import { TenantApi } from '../e2e/tenant-api.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { findTool, notRun } from '../not-run.ts';
import { Caller, command, makeCertificates } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment } from './contexts.ts';
import { installedServer, startInstalledPostgres } from './installed-postgres.ts';
import { Pods } from './pods.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['restore-database.suite.ts'];
const [backUp, restore, restoreCluster] = sections;
const crds = resolve(import.meta.dirname, '../../deploy/crds');
const patient = { deadlineMs: 180_000, everyMs: 100 };
const password = 'correct-horse-battery-staple';
const kubectl = findTool('kubectl') ?? '';
const programs = installedServer(findTool('pg_dump') ?? '');
const skip =
  programs === undefined
    ? notRun('test/docs/restore-database.suite.ts', 'the PostgreSQL server of the version of pg_dump is not installed')
    : false;

describe('a database that goes back to a dump, by the commands of the page', { timeout: 600_000, skip }, () => {
  let folder: ThrowAwayFolder;
  let processes: ProcessGroup;
  let cluster: Cluster;
  let client: Client;
  let pods: Pods;
  let caller: Caller;
  let env: NodeJS.ProcessEnv;

  const type = (section: string): Promise<string> => typeSection(page, section, { cwd: folder.path, env });
  const state = async (): Promise<readonly string[]> => {
    const all = await Promise.all(
      [virtualMachines, instances, claims].map(async (type) => {
        const { items } = await client.list(type, {});
        return items.map((one) => {
          const { template } = fields(fields(one)['spec']);
          const spec = type === virtualMachines ? JSON.stringify(fields(template)['spec']) : '';
          return `${type.kind} ${one.metadata.name} ${one.metadata.uid} ${spec}`;
        });
      }),
    );
    return all.flat().toSorted();
  };
  const logIn = async (login: string): Promise<TenantApi> => {
    let api: TenantApi | undefined;
    await until(
      `the API answers ${login}`,
      async () => {
        try {
          api = await TenantApi.logIn(caller, login, password);
        } catch (error) {
          throw new Error(pods.tail('ssvirt-api-server'), { cause: error });
        }
        return true;
      },
      patient,
    );
    if (api === undefined) throw new Error('until has not waited');
    return api;
  };
  const runs = (tenant: TenantApi, vm: string): Promise<void> =>
    until(
      'the machine runs',
      async () => {
        const body = await tenant.ask('GET', `/cloudapi/1.0.0/vms/${vm}`);
        if (body['status'] === 'POWERED_ON') return true;
        throw new Error(`${JSON.stringify(body)}\n${pods.tail('ssvirt-vm-controller')}`);
      },
      patient,
    );

  before(async () => {
    folder = await throwAwayFolder('restore-database-');
    // PostgreSQL has its own account.
    chmodSync(folder.path, 0o755);
    processes = processGroup(folder.path);
    const parts = ['--bare', 'false', '--parts', 'kubevirt,nodes,storage,cdi'];
    cluster = await startSandbox({ args: [...parts, '--speed', '40'] });
    client = createClient({ cluster: 'sandbox', source: fixedSource(cluster), userAgent: 'docs' });
    const maintenance = await startInstalledPostgres(programs ?? '', folder.path, processes);
    const url = maintenance.replace(/postgres$/, 'ssvirt');
    createDatabase(maintenance);
    const options = parseOptions([]) as Options;
    await until('what is simulated is there', async () => (await look(client, options)).problems.length === 0, patient);
    const definitions = globSync('*.yaml', { cwd: crds }).map(
      (file) => parse(readFileSync(join(crds, file), 'utf8')) as Unstructured,
    );
    await install(client, ...definitions);
    for (const name of ['ssvirt-system', 'kubevirt-configs']) await client.create(namespaces, { metadata: { name } });
    const key = { namespace: 'ssvirt-system', name: 'ssvirt-database' };
    await client.create(secrets, { metadata: key, data: { url: Buffer.from(url).toString('base64') } });
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'kubectl'), kubectlOfPods(url), { mode: 0o755 });
    const { PATH = '' } = process.env;
    env = ownEnvironment(folder.path, { PATH: `${bin}:${PATH}`, KUBECONFIG: cluster.adminKubeconfig });
    const { authority, certFile, keyFile } = await makeCertificates(folder.path);
    const passwordFile = join(folder.path, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const [api = 0, health = 0, one = 0, other = 0] = await freePorts(4);
    caller = new Caller(`https://127.0.0.1:${api}`, authority.certificate);
    const ofPod = { ...env, SSVIRT_DATABASE_URL: url };
    const args = (process_: string, flags: Readonly<Record<string, string>>): readonly string[] => [
      process_,
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    ];
    pods = await Pods.start(client, processes, {
      'ssvirt-api-server': {
        command,
        args: args('api-server', {
          listen: `127.0.0.1:${api}`,
          'tls-cert-file': certFile,
          'tls-key-file': keyFile,
          'initial-admin-password-file': passwordFile,
          'metrics-addr': `127.0.0.1:${one}`,
        }),
        env: ofPod,
      },
      'ssvirt-vm-controller': {
        command,
        args: args('vm-controller', { 'health-addr': `127.0.0.1:${health}`, 'metrics-addr': `127.0.0.1:${other}` }),
        env: ofPod,
      },
    });
  });
  after(async () => {
    await caller?.close();
    await pods?.stop();
    await client?.close();
    await processes?.stop();
    await cluster?.stop();
    await folder?.remove();
  });

  test('its machines run on as they were, and those made since are kept', async () => {
    const { image } = parseOptions([]) as Options;
    const wanted = (name: string): object => ({ name, image, cpus: 1, memoryMb: 512 });
    const provider = await logIn('administrator@System');
    const org = String(
      (await provider.ask('POST', '/cloudapi/1.0.0/orgs', { name: 'acme', displayName: 'acme' }))['id'],
    );
    const role = await provider.first('/cloudapi/1.0.0/roles', 'name==vApp Author');
    await provider.ask('POST', '/cloudapi/1.0.0/users', {
      username: 'tenant',
      fullName: 'A tenant',
      password,
      organizationId: org,
      roleEntityRefs: [{ id: role?.['id'] }],
    });
    const { id: vdc } = await provider.ask('POST', `/api/admin/org/${org}/vdcs`, {
      name: 'vdc',
      computeCapacity: { cpu: { limit: 4000 }, memory: { limit: 8192 } },
      storageLimitMb: 20_480,
      vmQuota: 2,
    });
    const tenant = await logIn('tenant@acme');
    const vms = `/cloudapi/1.0.0/vdcs/${String(vdc)}/vms`;
    const { id: kept } = await tenant.ask('POST', vms, wanted('kept'));
    await runs(tenant, String(kept));
    await type(backUp);

    const { id: later } = await tenant.ask('POST', vms, wanted('later'));
    await runs(tenant, String(later));
    const before = await state();
    await type(restore);

    const again = await logIn('tenant@acme');
    await runs(again, String(kept));
    await assert.rejects(again.ask('GET', `/cloudapi/1.0.0/vms/${String(later)}`), /answers 40[34]/);
    assert.deepEqual(await state(), before);
  });

  test('its cluster is accepted by the command that runs in a pod', async () => {
    assert.match(await type(restoreCluster), /cluster "local" may be [0-9a-f-]{36} from now on/);
  });
});

/** The database of the installation, empty. */
function createDatabase(maintenance: string): void {
  execFileSync(findTool('createdb') ?? 'createdb', [`--maintenance-db=${maintenance}`, 'ssvirt']);
}

/** A pod of the API server is a process on this host, and so is what runs in it. */
function kubectlOfPods(url: string): string {
  return `#!/bin/sh
case " $* " in
*' exec deployment/ssvirt-api-server -- ssvirt '*)
  while [ "$1" != ssvirt ]; do shift; done
  shift
  SSVIRT_DATABASE_URL='${url}' exec '${command}' "$@" ;;
esac
exec '${kubectl}' "$@"
`;
}
