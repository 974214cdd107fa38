/** The sandbox as a child process, behind the same interface as a real cluster. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { throwAwayFolder } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { processGroup } from './processes.ts';
import type { Started } from './processes.ts';

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
    const node = join(root, 'node_modules/.bin/node');
    const flags = ['--kubeconfig', adminKubeconfig, '--listen', '127.0.0.1:0', ...(options.args ?? [])];
    const sandbox = group.start('sandbox', node, [join(root, 'src/main.ts'), 'sandbox', ...flags]);
    const config = await kubeconfig(adminKubeconfig, sandbox);
    return { ...fromKubeconfig(config), adminKubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
    // etcd's compaction does not show in a server that answers from its cache: the sandbox keeps what that cache would.
    compact: () => Promise.resolve(),
  };
}

/** The file is written when the sandbox listens. */
async function kubeconfig(file: string, sandbox: Started): Promise<Kubeconfig> {
  const deadline = Date.now() + 20_000;
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
