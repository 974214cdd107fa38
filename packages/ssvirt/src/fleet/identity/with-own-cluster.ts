/**
 * What every operator does around its work: it contacts the own cluster through its kubeconfig, and ends the process if
 * another cluster takes its place.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { hostOf, isLoopback, type Address } from '@ssvirt/base/config/address';
import type { Client } from '@ssvirt/kube/client/client';
import type { ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import { systemClock } from '@ssvirt/kube/clock';
import { loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import type { ElectionTimings } from '@ssvirt/kube/leader-election/timings';
import { Checks } from '@ssvirt/kube/manager/checks';
import type { ManagerOptions } from '@ssvirt/kube/manager/manager';
import { startServing } from '@ssvirt/kube/manager/serving';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { ReflectorOptions } from '@ssvirt/kube/reflector/options';
import type { HealthTimes } from '../health/health-times.ts';
import { contactOwnCluster, type OwnClusterChanged } from './own-cluster.ts';

/** Times that are not settings: the defaults suit every installation, and tests of outages need shorter ones. */
export interface ProcessTimes {
  readonly election?: Partial<ElectionTimings>;
  readonly health?: Partial<HealthTimes>;
  readonly reflector?: Partial<ReflectorOptions>;
}

export interface OwnClusterAt {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** The name of this component in the cluster. */
  readonly component: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reflector: Partial<ReflectorOptions> | undefined;
  /** Where /healthz and /readyz are served until the cluster has answered; from then on the manager serves them. */
  readonly health: Address;
}

/** `withOwnCluster` runs `work` until the signal is aborted; rejects if another cluster has taken the place of the own one. */
export async function withOwnCluster(
  { kubeconfig: path, context, health, ...options }: OwnClusterAt,
  signal: AbortSignal,
  work: (local: ConnectedCluster, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const source = await loadKubeconfig({
    ...defined({ path, context }),
    log: options.log,
  });
  const swapped = new AbortController();
  const changed = (error: OwnClusterChanged): void => swapped.abort(error);
  const local = await servingHealth(health, options.log, () =>
    contactOwnCluster({ source, ...options, changed }, signal),
  );
  if (local === undefined) return;
  try {
    await work(local, AbortSignal.any([signal, swapped.signal]));
    swapped.signal.throwIfAborted();
  } finally {
    await local.close();
  }
}

/** A process that waits for its cluster is alive and not ready: without an answer, the kubelet would kill it. */
async function servingHealth<T>(health: Address, log: Logger, wait: () => Promise<T>): Promise<T> {
  // Not ready is the normal state here. Why the cluster does not answer is logged where it is asked.
  const quiet = log.child({}, { level: 'error' });
  const live = new Checks('healthz', quiet);
  const ready = new Checks('readyz', quiet);
  ready.add('own-cluster', () => {
    throw new Error('the own cluster has not answered yet');
  });
  const serving = await startServing({ health: listenAt(health), live, ready, log, clock: systemClock });
  try {
    return await wait();
  } finally {
    await serving.stop();
  }
}

/** The holder name in leader election, unique per process. */
export function holderIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}

interface ServingConfig {
  readonly healthAddr: Address;
  readonly metricsAddr: Address;
  readonly openMetrics: boolean;
}

export async function servingAt(
  config: ServingConfig,
  reviews: Client,
): Promise<Required<Pick<ManagerOptions, 'health' | 'metricsAt'>>> {
  return { health: listenAt(config.healthAddr), metricsAt: await metricsAt(config, reviews) };
}

/**
 * If other hosts can reach the address, metrics need a token that the cluster authorizes, and TLS protects that token
 * on the way.
 */
export async function metricsAt(
  { metricsAddr, openMetrics }: Pick<ServingConfig, 'metricsAddr' | 'openMetrics'>,
  reviews: Client,
): Promise<NonNullable<ManagerOptions['metricsAt']>> {
  const at = listenAt(metricsAddr);
  if (openMetrics) return { ...at, open: true };
  if (isLoopback(metricsAddr)) return at;
  const { selfMadePair } = await import('@ssvirt/base/tls/self-made');
  return { ...at, reviews, tls: await selfMadePair('ssvirt-metrics') };
}

export function listenAt(address: Address): { readonly host: string; readonly port: number } {
  return { host: hostOf(address), port: address.port };
}
