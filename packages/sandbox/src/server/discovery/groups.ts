/** API groups with their versions, in the order in which kube-apiserver lists them. */
import type { RemoteVersion, ServedResource } from './served-resource.ts';
import { compareVersions } from '../../values/version-order.ts';

export interface ServedVersion {
  readonly version: string;
  readonly priority: number;
  readonly resources: readonly ServedResource[];
  readonly remote?: RemoteVersion;
}

export interface ServedGroup {
  /** Empty for the core group, which is never listed with the others. */
  readonly name: string;
  readonly priority: number;
  /** The first version is the preferred one. */
  readonly versions: readonly ServedVersion[];
}

/** From kube-apiserver's table of APIService priorities; a group that is not listed belongs to CRDs. */
export const builtinPriorities: { readonly [group: string]: number } = {
  'apiregistration.k8s.io': 20000,
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'resource.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
};
/** The priority of APIServices that Kubernetes creates for CRDs. */
const customGroupPriority = 1000;
const localVersionPriority = 100;

/** All groups including the core group, in the order of aggregated discovery: by priority, then by name. */
export function groupsByName(
  resources: readonly ServedResource[],
  remote: readonly RemoteVersion[] = [],
): ServedGroup[] {
  const names = new Set([...resources, ...remote].map(({ group }) => group));
  return [...names]
    .toSorted()
    .map((name) => group(name, resources, remote))
    .toSorted((a, b) => b.priority - a.priority);
}

/**
 * The groups of `/apis`. Those with equal priority are sorted by the names of the APIServices, which begin with the
 * version: v1.shop.example.com comes before v2.a.example.com.
 */
export function groupsByService(
  resources: readonly ServedResource[],
  remote: readonly RemoteVersion[] = [],
): ServedGroup[] {
  const service = ({ name, versions }: ServedGroup): string =>
    versions.map(({ version }) => `${version}.${name}`).toSorted()[0] ?? '';
  return groupsByName(resources, remote)
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.priority - a.priority || (service(a) < service(b) ? -1 : 1));
}

function group(name: string, resources: readonly ServedResource[], remote: readonly RemoteVersion[]): ServedGroup {
  const local = resources.filter((resource) => resource.group === name);
  const versions = new Map<string, ServedVersion>();
  for (const { version } of local) {
    const served = local.filter((resource) => resource.version === version);
    versions.set(version, { version, priority: localVersionPriority, resources: served });
  }
  const elsewhere = remote.filter((entry) => entry.group === name);
  for (const entry of elsewhere) {
    versions.set(entry.version, {
      version: entry.version,
      priority: entry.versionPriority,
      resources: [],
      remote: entry,
    });
  }
  const localPriority = local.length === 0 ? 0 : (builtinPriorities[name] ?? customGroupPriority);
  return {
    name,
    priority: Math.max(localPriority, ...elsewhere.map((entry) => entry.groupPriorityMinimum)),
    versions: [...versions.values()].toSorted(
      (a, b) => b.priority - a.priority || compareVersions(a.version, b.version),
    ),
  };
}
