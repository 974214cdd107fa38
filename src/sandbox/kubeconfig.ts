/** The kubeconfig of the sandbox: one context for each cluster, written so that only its owner can read it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Identity } from './identity.ts';

export interface KubeconfigCluster {
  readonly name: string;
  readonly url: string;
  readonly identity: Identity;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export function kubeconfig(clusters: readonly KubeconfigCluster[]): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: clusters.map(({ name, url, identity }) => ({
      name,
      cluster: { server: url, 'certificate-authority-data': base64(identity.authority.certificate) },
    })),
    users: clusters.flatMap(({ name, identity }) => [
      {
        name: `${name}-admin`,
        user: {
          'client-certificate-data': base64(identity.administrator.certificate),
          'client-key-data': base64(identity.administrator.key),
        },
      },
      { name: `${name}-token`, user: { token: identity.token } },
    ]),
    contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: `${name}-admin` } })),
    'current-context': clusters[0]?.name ?? '',
  });
}

/** Beside and renamed: a reader sees the old file or the new one. What lay there may be readable for others, or lead elsewhere. */
export function writeKubeconfig(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

const OWN_NAME = /^sandbox(?:-\d+)?$/;

/** Clusters of a kubeconfig that no sandbox wrote: to write over them would take somebody's access away. `own` are names that this one gives. */
export function otherClusters(path: string, own: readonly string[] = []): string[] {
  let clusters: unknown;
  try {
    clusters = (parse(readFileSync(path, 'utf8')) as { clusters?: unknown } | null)?.clusters;
  } catch {
    // There is none, or nobody could use it.
    return [];
  }
  const names = Array.isArray(clusters)
    ? clusters.map((cluster: { name?: unknown } | null) => String(cluster?.name))
    : [];
  return names.filter((name) => !OWN_NAME.test(name) && !own.includes(name));
}
