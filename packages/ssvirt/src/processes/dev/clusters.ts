/** The simulated clusters: the supervisor, and members that are KubevirtConfigs in it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Folder } from './folder.ts';

/** The first cluster is the supervisor, which the fleet calls `local`. */
const supervisor = 'local';
/** Its name in data of older versions, which stay in use. */
const formerSupervisor = 'sandbox';
const members = ['east', 'west', 'north', 'south', 'center', 'coast', 'island'];

/** A cluster that may have VMs does not disappear when fewer clusters are requested. */
export function clusterNames(folder: Folder, asked: number): readonly string[] {
  const isFormer = existsSync(join(folder.sandbox, formerSupervisor));
  const names = [isFormer ? formerSupervisor : supervisor, ...members];
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

/** `kubeconfigOf` returns the kubeconfig for one of the clusters only, in the form that the Secret of a KubevirtConfig has. */
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
