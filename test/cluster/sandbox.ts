/** The sandbox as a child process, behind the same interface as a real cluster. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { throwAwayFolder } from './cluster.ts';
import type { Cluster, RestartableCluster } from './cluster.ts';
import { kill, processGroup } from './processes.ts';
import type { ProcessGroup, Started } from './processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }[];
  readonly users: readonly {
    readonly user: {
      readonly token?: string;
      readonly 'client-certificate-data'?: string;
      readonly 'client-key-data'?: string;
    };
  }[];
}

export interface SandboxOptions {
  /** More flags for `ssvirt sandbox`. */
  readonly args?: readonly string[];
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Cluster> {
  const folder = await throwAwayFolder('ssvirt-sandbox-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  const adminKubeconfig = join(folder.path, 'admin.kubeconfig');
  try {
    const sandbox = start(group, 'sandbox', ['--kubeconfig', adminKubeconfig, ...anyPort, ...(options.args ?? [])]);
    const config = await kubeconfig(adminKubeconfig, sandbox);
    return { ...fromKubeconfig(config), adminKubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A sandbox with a data folder, to be killed and restarted. No other process may take its port while it is down. */
export async function startRestartableSandbox(options: SandboxOptions = {}): Promise<RestartableCluster> {
  const folder = await throwAwayFolder('ssvirt-sandbox-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  let lives = 0;
  const live = async (listen: readonly string[]): Promise<[Started, Kubeconfig, string]> => {
    const file = join(folder.path, `${++lives}.kubeconfig`);
    const flags = ['--kubeconfig', file, '--data', join(folder.path, 'data'), ...listen, ...(options.args ?? [])];
    const sandbox = start(group, `sandbox-${lives}`, flags);
    return [sandbox, await kubeconfig(file, sandbox), file];
  };
  try {
    const [first, config, adminKubeconfig] = await live(anyPort);
    let running = first;
    const cluster = fromKubeconfig(config);
    const restart = async (): Promise<void> => {
      [running] = await live(['--listen', new URL(cluster.url).host]);
    };
    return { ...cluster, adminKubeconfig, stop, kill: () => kill(running), restart };
  } catch (error) {
    await stop();
    throw error;
  }
}

const anyPort = ['--listen', '127.0.0.1:0'];

function start(group: ProcessGroup, name: string, flags: readonly string[]): Started {
  return group.start(name, join(root, 'node_modules/.bin/node'), [
    join(root, 'packages/ssvirt/src/main.ts'),
    'sandbox',
    '--bare',
    ...flags,
  ]);
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString();

function fromKubeconfig({ clusters, users }: Kubeconfig): Omit<Cluster, 'adminKubeconfig' | 'stop'> {
  const cluster = clusters[0]?.cluster;
  const tokenUser = users.find(({ user }) => user.token !== undefined)?.user;
  const certificateUser = users.find(({ user }) => user['client-certificate-data'] !== undefined)?.user;
  if (cluster === undefined || tokenUser?.token === undefined)
    throw new Error('the kubeconfig of the sandbox has no server or no token');
  const cert = certificateUser?.['client-certificate-data'];
  const key = certificateUser?.['client-key-data'];
  const url = cluster.server.replace(/\/$/, '');
  const credentials = { url, ca: decode(cluster['certificate-authority-data']), token: tokenUser.token };
  return {
    kind: 'sandbox',
    ...credentials,
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert: decode(cert), key: decode(key) } }),
    // etcd's compaction does not show in a server that answers from its cache: the sandbox keeps as much as that cache
    // would.
    compact: () => Promise.resolve(),
  };
}

/** The file is written when the sandbox listens. */
async function kubeconfig(file: string, sandbox: Started): Promise<Kubeconfig> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return parse(text) as Kubeconfig;
    const { exitCode, signalCode } = sandbox.child;
    const exited = exitCode !== null || signalCode !== null;
    if (exited || Date.now() > deadline)
      throw new Error(`cannot start the sandbox: ${exited ? 'it ended' : 'no kubeconfig in time'}\n${sandbox.tail()}`);
    await new Promise((wake) => setTimeout(wake, 25));
  }
}
