/** The cluster probe: its version, KubeVirt, and the kinds that we use. No finding makes the cluster unreachable. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import { crdName, requirements, type ServedVersions } from './compatibility.ts';
import { judgeKubeVirt, kubeVirts, type KubeVirt, type KubeVirtFinding } from './kubevirt-ready.ts';
import { reasons } from '../kubevirtconfig/reasons.ts';
import type { CheckResult } from './check-result.ts';

export interface ClusterProbe {
  readonly kubernetesVersion?: string;
  readonly kubeVirt: KubeVirtFinding;
  /** Or why it could not be determined. */
  readonly served: { readonly versions: ServedVersions } | { readonly unknown: CheckResult };
}

export async function probeCluster(client: Client, options: RequestOptions): Promise<ClusterProbe> {
  const [version, kubeVirt, served] = await Promise.all([
    kubernetesVersion(client, options),
    findKubeVirt(client, options),
    lookAtKinds(client, options),
  ]);
  return { ...defined({ kubernetesVersion: version }), kubeVirt, served };
}

/** `servesKubeVirt` returns whether VirtualMachines can be created there at all. */
export async function servesKubeVirt(client: Client, options: RequestOptions): Promise<boolean> {
  const served = await servedVersions(client, options);
  return (served.get('virtualmachines.kubevirt.io') ?? []).includes('v1');
}

const longestVersion = 100;
/** More than any API group has ever had; each costs one request. */
const mostVersions = 20;

/** Only for display: a server that hides its version is fine. */
export async function kubernetesVersion(client: Client, options: RequestOptions): Promise<string | undefined> {
  try {
    const { body } = await client.request({ method: 'GET', path: '/version', ...options });
    const version = (body as { gitVersion?: unknown } | undefined)?.gitVersion;
    return typeof version === 'string' ? version.slice(0, longestVersion) : undefined;
  } catch {
    return undefined;
  }
}

async function findKubeVirt(client: Client, options: RequestOptions): Promise<KubeVirtFinding> {
  try {
    const { items } = await client.list<KubeVirt>(kubeVirts, { limit: 10, ...options });
    return judgeKubeVirt(items);
  } catch (error) {
    return isNotFound(error) ? judgeKubeVirt(undefined) : notChecked('kubevirts.kubevirt.io', error);
  }
}

function notChecked(what: string, error: unknown): CheckResult {
  const why = error instanceof Error ? error.message : String(error);
  return isKind(error, 'Forbidden')
    ? { status: 'Unknown', reason: reasons.forbidden, message: `${why}: grant get and list on ${what}` }
    : { status: 'Unknown', reason: reasons.notChecked, message: `cannot read ${what}: ${why}` };
}

async function lookAtKinds(client: Client, options: RequestOptions): Promise<ClusterProbe['served']> {
  try {
    return { versions: await servedVersions(client, options) };
  } catch (error) {
    return { unknown: notChecked('the served kinds', error) };
  }
}

/** Uses discovery, which needs no extra permissions and, unlike CRDs, says what is served now. */
async function servedVersions(client: Client, options: RequestOptions): Promise<ServedVersions> {
  const groups = [...new Set(requirements.map(({ group }) => group))];
  const perGroup = await Promise.all(groups.map((group) => versionsOfGroup(client, group, options)));
  const kinds = new Map(groups.map((group, i) => [group, perGroup[i] ?? []]));
  return new Map(
    requirements.map((requirement) => [
      crdName(requirement),
      (kinds.get(requirement.group) ?? [])
        .filter(({ plurals }) => plurals.has(requirement.plural))
        .map(({ version }) => version),
    ]),
  );
}

interface ServedVersion {
  readonly version: string;
  readonly plurals: ReadonlySet<string>;
}

async function versionsOfGroup(client: Client, group: string, options: RequestOptions): Promise<ServedVersion[]> {
  const found = await discover<{ versions?: { version?: string }[] }>(client, `/apis/${group}`, options);
  const served = (found?.versions ?? []).slice(0, mostVersions);
  const versions = served.flatMap(({ version }) => (version === undefined ? [] : [version]));
  return Promise.all(
    versions.map(async (version) => {
      const list = await discover<{ resources?: { name?: string }[] }>(client, `/apis/${group}/${version}`, options);
      return { version, plurals: new Set((list?.resources ?? []).map(({ name }) => name ?? '')) };
    }),
  );
}

/** Returns undefined if the path does not exist. */
async function discover<T>(client: Client, path: string, options: RequestOptions): Promise<T | undefined> {
  try {
    return (await client.request({ method: 'GET', path, ...options })).body as T;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** `isPartial` returns whether a part could not be checked, for a reason that may be temporary. */
export function isPartial({ kubeVirt, served }: ClusterProbe): boolean {
  return kubeVirt.reason === reasons.notChecked || !isKnown(served);
}

/** `completed` replaces what could not be checked now with the earlier result. */
export function completed(found: ClusterProbe, before: ClusterProbe): ClusterProbe {
  return {
    ...defined({ kubernetesVersion: found.kubernetesVersion ?? before.kubernetesVersion }),
    kubeVirt: found.kubeVirt.reason === reasons.notChecked ? before.kubeVirt : found.kubeVirt,
    served: isKnown(found.served) ? found.served : before.served,
  };
}

function isKnown(served: ClusterProbe['served']): boolean {
  return 'versions' in served || served.unknown.reason !== reasons.notChecked;
}

/** `isSound` returns whether everything required is present. */
export function isSound({ kubeVirt, served }: ClusterProbe): boolean {
  if (kubeVirt.status !== 'True' || !('versions' in served)) return false;
  return requirements.every(
    (one) => one.optional !== undefined || (served.versions.get(crdName(one)) ?? []).includes(one.version),
  );
}
