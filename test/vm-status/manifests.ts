/** What is installed for the controller, as an operator would install it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';

const folder = join(import.meta.dirname, '../../deploy/rbac');

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Manifest extends KubeObject {
  readonly rules?: readonly Rule[];
}

export function manifests(file: string): readonly Manifest[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

export async function installManifests(client: Client, all: readonly Manifest[]): Promise<void> {
  for (const one of all) await client.request({ method: 'POST', path: collectionOf(one), body: one });
}

/** `ClusterRole` gives `clusterroles`; the rule fits every kind in these manifests. */
export function collectionOf({ apiVersion = 'v1', kind = '', metadata }: Manifest): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const within = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${root}${within}/${kind.toLowerCase().replace(/y$/, 'ie')}s`;
}
