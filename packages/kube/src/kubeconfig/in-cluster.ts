/** `inCluster` connects a pod to its own cluster with the files of its service account. */
import { defined } from '@ssvirt/base/values/defined';
import { readFileSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { followedAuthority, sourceOf } from './connections.ts';
import { proxyFromEnvironment } from './environment-proxy.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec/exec-credentials.ts';
import { Followed } from './followed.ts';
import { bearer, tokenProblem } from './headers.ts';
import { combined, type Credentials, fixed } from './part.ts';
import type { KubeconfigSource } from './source.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions extends Pick<ExecOptions, 'env' | 'clock' | 'log'> {
  /** Where the service account is mounted. */
  readonly folder?: string;
}

/** `isInCluster` returns whether this process runs in a pod with a service account. */
export function isInCluster({ env = process.env, folder = FOLDER }: InClusterOptions = {}): boolean {
  const token = statSync(join(folder, 'token'), { throwIfNoEntry: false });
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT']) && token?.isFile() === true;
}

/** `inCluster` rereads token and authority at run time: the kubelet replaces both. */
export function inCluster(options: InClusterOptions = {}): KubeconfigSource {
  const { env = process.env, folder = FOLDER } = options;
  const server = serverFrom(env);
  const proxyUrl = proxyFromEnvironment(server, env);
  const token = new Followed({
    ...options,
    what: 'token of the service account',
    paths: [join(folder, 'token')],
    make: ([text = '']) => {
      const problem = tokenProblem(text.trim());
      if (problem !== undefined) throw new Error(problem);
      return bearer(text.trim());
    },
  });
  const source = sourceOf({
    server,
    // Without the file, the system's authorities apply, as in client-go.
    authority: followedAuthority(join(folder, 'ca.crt'), options, { value: undefined }),
    credentials: combined<string, undefined, Credentials>(token, fixed(undefined), (authorization) => ({
      authorization,
    })),
    tls: {},
    headers: {},
    ...defined({ proxyUrl }),
  });
  return { ...source, server, context: undefined, contexts: [], namespace: namespaceFrom(env, folder) };
}

function serverFrom(env: Readonly<Record<string, string | undefined>>): string {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  if (host === '' || port === '')
    throw new KubeconfigError(
      '',
      'this process is not in a pod (KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set): set KUBECONFIG',
    );
  return new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`).origin;
}

function namespaceFrom(env: Readonly<Record<string, string | undefined>>, folder: string): string {
  const named = env['POD_NAMESPACE'] ?? '';
  if (named !== '') return named;
  try {
    return readFileSync(join(folder, 'namespace'), 'utf8').trim() || 'default';
  } catch {
    // Not every mount has the file; kubectl falls back to "default".
    return 'default';
  }
}
