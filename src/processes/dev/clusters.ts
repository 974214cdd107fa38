/** The simulated clusters: the supervisor, and those that are KubevirtConfigs there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Folder } from './folder.ts';

/** The first one is called as it is alone, so that its data stay its own when others come. */
const names = ['sandbox', 'east', 'west', 'north', 'south', 'center', 'coast', 'island'];

/** A cluster that machines may live in does not vanish because it was not asked for this time. */
export function clusterNames(folder: Folder, asked: number): readonly string[] {
  const kept = names.findLastIndex((name) => existsSync(join(folder.sandbox, name))) + 1;
  return names.slice(0, Math.max(asked, kept));
}

interface Named {
  readonly name: string;
}

interface Kubeconfig {
  readonly clusters: readonly Named[];
  readonly users: readonly Named[];
}

/** What leads to one of the clusters and to no other, as it stands in the Secret of a KubevirtConfig. */
export function kubeconfigOf(kubeconfig: string, name: string): string {
  const whole = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const user = `${name}-token`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: whole.clusters.filter((one) => one.name === name),
    users: whole.users.filter((one) => one.name === user),
    contexts: [{ name, context: { cluster: name, user } }],
    'current-context': name,
  });
}
