/** The details of a cluster: its versions, nodes, capacity, storage classes and features. For people, not for rules. */
import { mebibytes, quantity } from '@ssvirt/base/values/quantity';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import { storageClasses } from '../kinds.ts';
import { kubernetesVersion } from './cluster-probe.ts';
import { kubeVirts } from './kubevirt-ready.ts';

export interface StorageClassDetails {
  readonly name: string;
  readonly provisioner: string;
  readonly isDefault: boolean;
}

/** Null stands for what is unknown, or is not installed. */
export interface ClusterDetails {
  readonly kubernetesVersion: string | null;
  readonly kubevirtVersion: string | null;
  readonly cdiVersion: string | null;
  readonly nodes: { readonly total: number; readonly ready: number } | null;
  /** What the nodes that are ready and not cordoned offer to pods, whether it is used or not. */
  readonly capacity: { readonly cpus: number; readonly memoryMb: number } | null;
  readonly storageClasses: readonly StorageClassDetails[] | null;
  /** The feature gates of KubeVirt. */
  readonly features: readonly string[] | null;
  /** What could not be read for lack of a right, and which right that is. */
  readonly unread: readonly string[];
}

interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, unknown>>;
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  };
}

const nodes: ResourceType<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

interface Installation extends KubeObject {
  readonly spec?: {
    readonly configuration?: { readonly developerConfiguration?: { readonly featureGates?: readonly string[] } };
  };
  readonly status?: { readonly observedKubeVirtVersion?: string; readonly observedVersion?: string };
}

const installations = kubeVirts as ResourceType<Installation>;

const cdis: ResourceType<Installation> = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'CDI',
  plural: 'cdis',
  namespaced: false,
};

interface StorageClass extends KubeObject {
  readonly provisioner?: string;
}

/** Large enough for most clusters in one request; nodes are large objects. */
const pageSize = 250;
const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** `readClusterDetails` rejects if the cluster does not answer. A kind that is not served, or may not be read, is left out. */
export async function readClusterDetails(client: Client, options: RequestOptions): Promise<ClusterDetails> {
  const unread: string[] = [];
  const all = <T extends KubeObject>(type: ResourceType<T>): Promise<readonly T[] | undefined> =>
    listed(client, type, options, unread);
  const [version, virts, containerized, members, classes] = await Promise.all([
    kubernetesVersion(client, options),
    all(installations),
    all(cdis),
    all(nodes),
    all(storageClasses as ResourceType<StorageClass>),
  ]);
  return {
    kubernetesVersion: version ?? null,
    kubevirtVersion: virts?.[0]?.status?.observedKubeVirtVersion ?? null,
    cdiVersion: containerized?.[0]?.status?.observedVersion ?? null,
    nodes: members === undefined ? null : { total: members.length, ready: members.filter(isReady).length },
    capacity: members === undefined ? null : capacityOf(members),
    storageClasses: classes?.map(classOf).toSorted(byName) ?? null,
    features: featuresOf(virts),
    unread: unread.toSorted(),
  };
}

async function listed<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  options: RequestOptions,
  unread: string[],
): Promise<readonly T[] | undefined> {
  const items: T[] = [];
  try {
    for await (const page of client.pages(type, { ...options, limit: pageSize })) items.push(...page.items);
    return items;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (!isKind(error, 'Forbidden')) throw error;
    unread.push(`${resourceName(type)}: grant the vm-controller the right to list them in this cluster`);
    return undefined;
  }
}

function isReady({ status }: Node): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

function capacityOf(members: readonly Node[]): NonNullable<ClusterDetails['capacity']> {
  const usable = members.filter((node) => isReady(node) && node.spec?.unschedulable !== true);
  const sum = (of: (allocatable: Readonly<Record<string, unknown>>) => number | undefined): number =>
    usable.reduce((total, { status }) => total + (of(status?.allocatable ?? {}) ?? 0), 0);
  return {
    cpus: Math.round(sum(({ cpu }) => quantity(cpu)) * 1000) / 1000,
    memoryMb: sum(({ memory }) => mebibytes(memory)),
  };
}

function classOf({ metadata, provisioner = '' }: StorageClass): StorageClassDetails {
  const { name = '', annotations = {} } = metadata;
  return { name, provisioner, isDefault: annotations[defaultClass] === 'true' };
}

function byName(a: StorageClassDetails, b: StorageClassDetails): number {
  return a.name < b.name ? -1 : 1;
}

function featuresOf(virts: readonly Installation[] | undefined): readonly string[] | null {
  const [first] = virts ?? [];
  if (first === undefined) return null;
  return [...(first.spec?.configuration?.developerConfiguration?.featureGates ?? [])].toSorted();
}
