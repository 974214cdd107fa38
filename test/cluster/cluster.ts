/** What a suite needs to know about a running cluster, a real control plane or the sandbox. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Credentials {
  readonly url: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly ca: string;
  /** A bearer token of a member of system:masters. */
  readonly token: string;
}

export interface Cluster extends Credentials {
  readonly kind: 'real' | 'sandbox';
  /** A kubeconfig file with the same rights, for kubectl. */
  readonly adminKubeconfig: string;
  /** A client certificate of a member of system:masters, if the cluster issues one. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  /** Forgets every revision before now, as etcd's compaction does. */
  compact(): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster whose API server can die and come back on the same port with the same data. */
export interface RestartableCluster extends Cluster {
  /** Kills the API server without warning (SIGKILL). Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again. Resolves when it is ready. */
  restart(): Promise<void>;
}

export function kubeconfigText({ url, ca, token }: Credentials): string {
  const base64 = Buffer.from(ca).toString('base64');
  return `apiVersion: v1
kind: Config
clusters: [{ name: test, cluster: { server: "${url}", certificate-authority-data: ${base64} } }]
users: [{ name: admin, user: { token: "${token}" } }]
contexts: [{ name: test, context: { cluster: test, user: admin } }]
current-context: test
`;
}

export async function writeKubeconfig(file: string, credentials: Credentials): Promise<string> {
  await writeFile(file, kubeconfigText(credentials), { mode: 0o600 });
  return file;
}

export interface ThrowAwayFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function throwAwayFolder(prefix: string): Promise<ThrowAwayFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}
