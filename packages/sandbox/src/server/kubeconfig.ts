/** The kubeconfig of the sandbox: one context per cluster, in a file that only its owner can read. */
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

/**
 * Written to a new file and renamed, so that a reader sees the old file or the new one. An existing file might be
 * readable by others, or be a link.
 */
export function writeKubeconfig(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

const OWN_NAME = /^sandbox(?:-\d+)?$/;

/**
 * The clusters of a kubeconfig that no sandbox wrote: overwriting them would destroy a user's access. `own` contains
 * the names of this sandbox.
 */
export function otherClusters(path: string, own: readonly string[] = []): string[] {
  let clusters: unknown;
  try {
    clusters = (parse(readFileSync(path, 'utf8')) as { clusters?: unknown } | null)?.clusters;
  } catch {
    // The file does not exist or is not usable.
    return [];
  }
  const names = Array.isArray(clusters)
    ? clusters.map((cluster: { name?: unknown } | null) => String(cluster?.name))
    : [];
  return names.filter((name) => !OWN_NAME.test(name) && !own.includes(name));
}
