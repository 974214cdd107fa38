/**
 * The status of the fleet for `ssvirt fleet status`: the clusters, from the status of their KubevirtConfigs or probed
 * now, and the checks of the supervisor.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import { holderOf, leases } from '@ssvirt/kube/leader-election/lease';
import type { Finding } from '@ssvirt/kube/reconcile/conditions';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { group, version } from '../../kubevirt/machine/resource.ts';
import { requestIdentity } from '../identity/identity-request.ts';
import { kubevirtConfigs, localName, type KubevirtConfig } from '../kubevirtconfig/kubevirt-config.ts';
import { baselineOf, probeAnswering, probeOnce } from './probe-once.ts';
import type { PlaceableMachine } from '../placement/place-machine.ts';
import { assess, type Observation } from './observation.ts';
import { reasons } from '../kubevirtconfig/reasons.ts';
import { reporterLease } from '../kubevirtconfig/reporter.ts';
import { checkConfigs, checkDefinitions, type Check } from './supervisor-checks.ts';
import { servesKubeVirt } from './cluster-probe.ts';
import type { Reach } from './reachability.ts';

export interface ClusterStatus {
  readonly name: string;
  readonly phase: string;
  readonly status: string;
  readonly kubernetesVersion?: string;
  readonly kubevirtVersion?: string;
  /** The number of Machines placed there; absent if unknown. */
  readonly machines?: number;
  readonly message: string;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

export interface FleetStatus {
  /** All clusters are Ready, and all checks passed. */
  readonly ok: boolean;
  readonly clusters: readonly ClusterStatus[];
  /** The number of Machines without placement; absent if unknown. */
  readonly unplacedMachines?: number;
  readonly checks: readonly Check[];
}

export interface StatusQuestion {
  readonly supervisor: Client;
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  /** Probes every cluster now instead of trusting the KubevirtConfigs. */
  readonly live: boolean;
  /** The deadline of each request, and of each cluster. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly now?: Date;
}

/** `fleetStatus` rejects if the supervisor does not answer. */
export async function fleetStatus(question: StatusQuestion): Promise<FleetStatus> {
  const { supervisor, namespace, live, deadlineMs, signal, now = new Date() } = question;
  const request = { signal, timeoutMs: deadlineMs };
  const configs = await listOf(supervisor, kubevirtConfigs, { namespace, ...request });
  const [definitions, machines, own, stray, reporter] = await Promise.all([
    checkDefinitions(supervisor, request),
    countMachines(supervisor, request),
    ownCluster(supervisor, configs ?? [], request),
    configs === undefined ? undefined : checkOtherNamespaces(supervisor, namespace, request),
    live || configs === undefined || configs.length === 0
      ? undefined
      : checkReporter(supervisor, namespace, now, request),
  ]);
  const rows = live ? await askAll(question, configs ?? []) : (configs ?? []).map(asReported);
  const all = [...rows, ...(own === undefined ? [] : [own])].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const clusters = all.map((row) => ({
    ...row,
    ...(machines === undefined ? {} : { machines: machines.get(row.name) ?? 0 }),
  }));
  const checks = [
    ...definitions,
    checkConfigs(configs?.length ?? 0, own !== undefined, namespace),
    ...(stray === undefined ? [] : [stray]),
    ...(reporter === undefined ? [] : [reporter]),
  ];
  const unplaced = machines?.get('');
  return {
    ok: clusters.every(({ phase }) => phase === 'Ready') && checks.every(({ ok }) => ok),
    clusters,
    ...defined({ unplacedMachines: unplaced }),
    checks,
  };
}

function asReported({ metadata, status }: KubevirtConfig): ClusterStatus {
  return {
    name: metadata.name ?? '',
    phase: status?.phase ?? 'Pending',
    status: status?.status ?? '',
    ...defined({ kubernetesVersion: status?.kubernetesVersion, kubevirtVersion: status?.kubevirtVersion }),
    message: messageOf(
      status?.message ?? 'it has not been checked yet: is the operator running?',
      status?.conditions ?? [],
    ),
    conditions: (status?.conditions ?? []).map(({ type, status: is, reason }) => ({ type, status: is, reason })),
  };
}

/** A cluster that serves other versions than the others is Ready: its message is a warning. */
function messageOf(message: string, findings: readonly Finding[]): string {
  return message || (findings.find(({ reason }) => reason === reasons.versionsDiffer)?.message ?? '');
}

async function askAll(
  { supervisor, deadlineMs, signal }: StatusQuestion,
  configs: readonly KubevirtConfig[],
): Promise<readonly ClusterStatus[]> {
  const seen = new Map<string, Observation>();
  await Promise.all(
    configs.map(async (config) => {
      // One deadline covers all requests to a cluster.
      const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      seen.set(
        config.metadata.name ?? '',
        await probeOnce(supervisor, config, { signal: within, timeoutMs: deadlineMs }),
      );
    }),
  );
  const baseline = baselineOf(seen);
  return [...seen].map(([name, one]) => asSeen(name, one, baseline?.name === name ? undefined : baseline));
}

function asSeen(name: string, seen: Observation, baseline?: ReturnType<typeof baselineOf>): ClusterStatus {
  const { phase, status, message, findings } = assess(name, seen, baseline);
  const { kubernetesVersion, kubeVirt } = seen.probe ?? {};
  return {
    name,
    phase,
    status,
    ...defined({ kubernetesVersion, kubevirtVersion: kubeVirt?.version }),
    message: messageOf(message, findings),
    conditions: findings.map(({ type, status: is, reason }) => ({ type, status: is, reason })),
  };
}

/** The supervisor as a member, if it serves KubeVirt and no KubevirtConfig refers to it. */
async function ownCluster(
  client: Client,
  configs: readonly KubevirtConfig[],
  request: Reach,
): Promise<ClusterStatus | undefined> {
  if (!(await servesKubeVirt(client, request))) return undefined;
  const identity = await requestIdentity(client, request);
  if (configs.some(({ status }) => status?.identity === identity)) return undefined;
  return asSeen(localName, { connection: 'answers', identity, ...(await probeAnswering(client, request)) });
}

const machines: ResourceType<PlaceableMachine> = {
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

/** Counts Machines by cluster; the empty name counts those without placement. */
async function countMachines(
  client: Client,
  request: RequestOptions,
): Promise<ReadonlyMap<string, number> | undefined> {
  const all = await listOf(client, machines, request);
  if (all === undefined) return undefined;
  const counts = new Map([['', 0]]);
  for (const { status } of all) {
    const name = status?.kubevirtConfigRef ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns undefined if the kind is not served. */
async function listOf<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  options: RequestOptions & { readonly namespace?: string },
): Promise<readonly T[] | undefined> {
  const items: T[] = [];
  try {
    for await (const page of client.pages(type, { ...options, limit: 500 })) items.push(...page.items);
    return items;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * The processes read KubevirtConfigs in one namespace, and have no right to see that a person created one elsewhere.
 * Whoever asks here may have it.
 */
async function checkOtherNamespaces(client: Client, namespace: string, request: RequestOptions): Promise<Check> {
  const subject = 'other namespaces';
  try {
    const all = (await listOf(client, kubevirtConfigs, request)) ?? [];
    const stray = all.filter(({ metadata }) => metadata.namespace !== namespace);
    if (stray.length === 0) return { subject, ok: true, message: 'no KubevirtConfig is in another namespace' };
    const names = stray.map(({ metadata }) => `"${metadata.namespace}/${metadata.name}"`).toSorted();
    return { subject, ok: false, message: strayMessage(names, namespace) };
  } catch (error) {
    request.signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return { subject, ok: true, message: `not checked, because KubevirtConfigs cannot be listed there: ${why}` };
  }
}

const mostNames = 10;

function strayMessage(names: readonly string[], namespace: string): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const what = names.length === 1 ? 'KubevirtConfig' : 'KubevirtConfigs';
  return `no process reads ${what} ${names.slice(0, mostNames).join(', ')}${more}: create ${names.length === 1 ? 'it' : 'them'} in namespace "${namespace}" instead, with the Secret`;
}

/** The tolerated difference between the clocks of two hosts. */
const toleranceMs = 60_000;

async function checkReporter(client: Client, namespace: string, now: Date, request: RequestOptions): Promise<Check> {
  const subject = 'reports';
  const nobody = `no process reports on clusters (Lease "${namespace}/${reporterLease}"), so this status is outdated: start the machine-operator or the vm-controller, or use --check`;
  try {
    const lease = await client.get(leases, { namespace, name: reporterLease }, request);
    const { renewTime, leaseDurationSeconds } = lease.spec ?? {};
    const endsAt = Date.parse(renewTime ?? '') + (leaseDurationSeconds ?? 0) * 1000 + toleranceMs;
    const holder = holderOf(lease);
    if (holder === '' || !(endsAt > now.getTime())) return { subject, ok: false, message: nobody };
    return { subject, ok: true, message: `the state of clusters is reported by ${holder}` };
  } catch (error) {
    if (isNotFound(error)) return { subject, ok: false, message: nobody };
    const why = error instanceof Error ? error.message : String(error);
    return { subject, ok: false, message: `cannot determine which process reports on clusters: ${why}` };
  }
}
