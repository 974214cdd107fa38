/** The measured servers, each started as its users would start it. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { throwAwayFolder, type Credentials } from '../../test/cluster/cluster.ts';
import { processGroup, type Started } from '../../test/cluster/processes.ts';
import { findBinaries, startRealCluster } from '../../test/cluster/real.ts';
import { collectGarbage, inspectable } from './collect.ts';
import { Connection } from './connection.ts';
import { poll } from './poll.ts';
import { age, childProcesses, type ServerProcess } from './processes.ts';

export { poll } from './poll.ts';

const repository = resolve(import.meta.dirname, '../..');

export interface Server extends Credentials {
  readonly name: string;
  /** The processes that answer requests and store the objects. */
  readonly processes: readonly ServerProcess[];
  /** Milliseconds from the start of the first process until the default ServiceAccount exists. */
  readonly startUp: number;
  /** Only if the server supports it. */
  collectGarbage?(): Promise<void>;
  stop(): Promise<void>;
}

export const serverNames = ['sandbox', 'sandbox --data', 'real'] as const;
export type ServerName = (typeof serverNames)[number];

export function startServer(name: ServerName): Promise<Server> {
  return name === 'real' ? startReal() : startSandbox(name);
}

/** Why there is no real server on this host; undefined if there is one. */
export async function whyNoReal(): Promise<string | undefined> {
  try {
    return (await findBinaries(true)) === undefined
      ? 'the binaries of etcd and kube-apiserver are not there'
      : undefined;
  } catch (error) {
    return `test/tools/install could not bring them: ${(error as Error).message.split('\n').at(-2) ?? String(error)}`;
  }
}

async function startSandbox(name: 'sandbox' | 'sandbox --data'): Promise<Server> {
  const folder = await throwAwayFolder('ssvirt-bench-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  const file = join(folder.path, 'kubeconfig');
  const data = name === 'sandbox --data' ? ['--data', join(folder.path, 'data')] : [];
  const args = ['sandbox', '--bare', '--listen', '127.0.0.1:0', '--kubeconfig', file, ...data];
  try {
    const began = performance.now();
    const sandbox = group.start('sandbox', join(repository, 'bin/ssvirt'), args, {
      ...process.env,
      ...inspectable,
    });
    const credentials = await readCredentials(file, sandbox);
    await untilFurnished(credentials);
    const startUp = performance.now() - began;
    const processes = [{ name: 'sandbox', pid: sandbox.child.pid ?? 0 }];
    return { ...credentials, name, processes, startUp, collectGarbage: () => collectGarbage(sandbox), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startReal(): Promise<Server> {
  const began = performance.now();
  const cluster = await startRealCluster();
  await untilFurnished(cluster);
  const processes = childProcesses().filter(({ name }) => name === 'etcd' || name === 'kube-apiserver');
  const etcd = processes.find(({ name }) => name === 'etcd');
  // Counts from the start of etcd rather than from `began`: finding the binaries and creating certificates is the
  // bench's work, not the server's.
  const startUp = etcd === undefined ? performance.now() - began : age(etcd);
  const { url, ca, token } = cluster;
  return { url, ca, token, name: 'real', processes, startUp, stop: () => cluster.stop() };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

/** The sandbox writes its kubeconfig once it listens. */
export async function readCredentials(file: string, sandbox: Started): Promise<Credentials> {
  const text = await poll('the sandbox has written no kubeconfig', async () => {
    if (sandbox.child.exitCode !== null) throw new Error(`the sandbox ended: ${sandbox.tail()}`);
    return (await readFile(file, 'utf8').catch(() => '')) || undefined;
  });
  const { clusters, users } = parse(text) as Kubeconfig;
  const cluster = clusters[0]?.cluster;
  const token = users.find(({ user }) => user.token !== undefined)?.user.token;
  if (cluster === undefined || token === undefined) throw new Error('the kubeconfig has no cluster or no token');
  const ca = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString();
  return { url: cluster['server'] ?? '', ca, token };
}

/**
 * Resolves when the server is usable: what a real control plane creates last is the ServiceAccount for pods of the
 * first namespace.
 */
export async function untilFurnished(credentials: Credentials): Promise<void> {
  const call = { method: 'GET', path: '/api/v1/namespaces/default/serviceaccounts/default' };
  const connection = await Connection.open(credentials);
  await poll(
    'there is no default ServiceAccount',
    async () => (await connection.send(call)).status === 200 || undefined,
  );
  connection.close();
}
