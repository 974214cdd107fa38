/**
 * A real control plane for the suites that compare the sandbox with it: etcd, kube-apiserver and
 * kube-controller-manager on free loopback ports with throw-away data ("envtest for Node").
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import { throwAwayFolder, writeKubeconfig } from './cluster.ts';
import type { RestartableCluster } from './cluster.ts';
import { freePorts } from './ports.ts';
import { kill, processGroup } from './processes.ts';
import type { ProcessGroup, Started } from './processes.ts';

const binaries = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
type Binary = (typeof binaries)[number];

/**
 * Controllers that act on kinds that the sandbox only stores. They would make answers depend on timing; everything else
 * of the controller manager runs.
 */
const quietControllers = [
  'deployment-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'daemonset-controller',
  'statefulset-controller',
  'job-controller',
  'cronjob-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-expander-controller',
  'node-lifecycle-controller',
  'node-ipam-controller',
  'taint-eviction-controller',
  'ttl-controller',
  'horizontal-pod-autoscaler-controller',
  'cloud-node-lifecycle-controller',
];

export interface RealOptions {
  /** Print the output of the processes. */
  readonly verbose?: boolean;
  /** Controllers to run although the sandbox does not have them, or has them as an optional part. */
  readonly controllers?: readonly string[];
  /** More flags for kube-apiserver. */
  readonly serverFlags?: readonly string[];
}

/** Where the binaries are: by the variables that envtest users know, otherwise as test/tools/install builds them. */
export async function findBinaries(build: boolean): Promise<Record<Binary, string> | undefined> {
  const installer = fileURLToPath(new URL('../tools/install', import.meta.url));
  const env = process.env;
  let folder = env['KUBEBUILDER_ASSETS'];
  if (folder === undefined && build) folder = (await promisify(execFile)(installer)).stdout.trim();
  const find = (name: Binary): string =>
    env[`TEST_ASSET_${name.replaceAll('-', '_').toUpperCase()}`] ?? join(folder ?? '', name);
  const found = Object.fromEntries(binaries.map((name) => [name, find(name)])) as Record<Binary, string>;
  return binaries.every((name) => existsSync(found[name])) ? found : undefined;
}

export async function startRealCluster(options: RealOptions = {}): Promise<RestartableCluster> {
  const paths = await findBinaries(true);
  if (paths === undefined)
    throw new Error('cannot start a real cluster: no etcd, kube-apiserver or controller manager');
  const folder = await throwAwayFolder('ssvirt-real-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  try {
    return { ...(await launch(paths, folder.path, group, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function launch(
  paths: Record<Binary, string>,
  folder: string,
  group: ProcessGroup,
  options: RealOptions,
): Promise<Omit<RestartableCluster, 'stop'>> {
  const [etcdPort, etcdPeerPort, apiPort] = (await freePorts(3)) as [number, number, number];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const url = `https://127.0.0.1:${apiPort}`;
  const token = randomBytes(16).toString('hex');
  const authority = await createAuthority('test-ca');
  const names = {
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', '10.96.0.1'],
  };
  const serving = await authority.issue({ commonName: 'kube-apiserver', ...names, server: true });
  const client = await authority.issue({ commonName: 'admin-by-certificate', organizations: ['system:masters'] });
  const proxyAuthority = await createAuthority('test-proxy-ca');
  const proxy = await proxyAuthority.issue({ commonName: 'front-proxy' });
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): Promise<void> => writeFile(file(name), text, { mode: 0o600 });
  await Promise.all([
    write('ca.crt', authority.certificate),
    write('serving.crt', serving.certificate),
    write('serving.key', serving.key),
    write('proxy-ca.crt', proxyAuthority.certificate),
    write('proxy.crt', proxy.certificate),
    write('proxy.key', proxy.key),
    write('sa.key', createServiceAccountKey()),
    write('tokens.csv', `${token},admin,admin-uid,"system:masters"\n`),
  ]);
  const adminKubeconfig = await writeKubeconfig(file('admin.kubeconfig'), { url, ca: authority.certificate, token });
  let lives = 0;
  const start = (name: Binary, args: readonly string[]): Started => {
    const process_ = group.start(`${name}-${++lives}`, paths[name], args);
    if (options.verbose === true) process_.child.stderr?.pipe(process.stderr, { end: false });
    return process_;
  };

  const etcd = start('etcd', [
    `--data-dir=${file('etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${etcdPeerPort}`,
    '--log-level=error',
  ]);
  await until('etcd', etcd, async () => (await fetch(`${etcdUrl}/health`)).ok);

  const serverFlags = [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${apiPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${folder}`,
    `--tls-cert-file=${file('serving.crt')}`,
    `--tls-private-key-file=${file('serving.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    `--requestheader-client-ca-file=${file('proxy-ca.crt')}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('proxy.crt')}`,
    `--proxy-client-key-file=${file('proxy.key')}`,
    '--authorization-mode=RBAC',
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/12',
    '--allow-privileged=true',
    '--profiling=false',
    ...(options.serverFlags ?? []),
  ];
  const startServer = async (): Promise<Started> => {
    const server = start('kube-apiserver', serverFlags);
    await until('kube-apiserver', server, () => ready(url, authority.certificate, token, '/readyz'));
    return server;
  };
  let apiserver = await startServer();

  const quiet = quietControllers.filter((name) => options.controllers?.includes(name) !== true);
  const manager = start('kube-controller-manager', [
    `--kubeconfig=${adminKubeconfig}`,
    `--service-account-private-key-file=${file('sa.key')}`,
    `--root-ca-file=${file('ca.crt')}`,
    `--controllers=*,${quiet.map((name) => `-${name}`).join(',')}`,
    '--leader-elect=false',
    '--secure-port=0',
    // With the default of 20 requests a second it would fall behind the suites.
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    // The quota controller counts only when a quota is new or an object was deleted, never periodically: a count
    // between the charge of a request and the controller's watch event for the object takes the charge back, and one
    // object too many is admitted.
    '--resource-quota-sync-period=0',
    '--profiling=false',
  ]);
  const firstAccount = '/api/v1/namespaces/default/serviceaccounts/default';
  await until('kube-controller-manager', manager, () => ready(url, authority.certificate, token, firstAccount));

  return {
    kind: 'real',
    url,
    ca: authority.certificate,
    token,
    adminKubeconfig,
    clientCertificate: { cert: client.certificate, key: client.key },
    compact: () => compactEtcd(etcdUrl),
    kill: () => kill(apiserver),
    restart: async () => {
      apiserver = await startServer();
    },
  };
}

/** Compacts to the current revision by etcd's JSON gateway. */
async function compactEtcd(etcdUrl: string): Promise<void> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`cannot compact etcd: ${path} answered ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const range = (await post('/v3/kv/range', { key: Buffer.from('x').toString('base64') })) as {
    header: { revision: string };
  };
  await post('/v3/kv/compaction', { revision: range.header.revision, physical: true });
}

const startDeadline = Number(process.env['KUBEBUILDER_CONTROLPLANE_START_TIMEOUT_MS'] ?? 60_000);

async function until(name: string, process_: Started, probe: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startDeadline;
  for (;;) {
    if (await probe().catch(() => false)) return;
    const exited = process_.child.exitCode !== null || process_.child.signalCode !== null;
    if (exited || Date.now() > deadline) {
      throw new Error(`cannot start ${name}: ${exited ? 'it ended' : 'not ready in time'}\n${process_.tail()}`);
    }
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

function ready(url: string, ca: string, token: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = httpsRequest(
      url + path,
      { ca, agent: false, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    request.on('error', () => resolve(false));
    request.end();
  });
}

/** The RSA key with which a control plane signs and checks the tokens of ServiceAccounts. */
function createServiceAccountKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}
