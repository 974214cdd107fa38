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
import { loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import type { ElectionTimings } from '@ssvirt/kube/leader-election/timings';
import type { ManagerOptions } from '@ssvirt/kube/manager/manager';
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
}

/** Runs `work` until the signal is aborted; rejects if another cluster has taken the place of the own one. */
export async function withOwnCluster(
  { kubeconfig: path, context, ...options }: OwnClusterAt,
  signal: AbortSignal,
  work: (local: ConnectedCluster, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const source = await loadKubeconfig({
    ...defined({ path, context }),
    log: options.log,
  });
  const swapped = new AbortController();
  const changed = (error: OwnClusterChanged): void => swapped.abort(error);
  const local = await contactOwnCluster({ source, ...options, changed }, signal);
  if (local === undefined) return;
  try {
    await work(local, AbortSignal.any([signal, swapped.signal]));
    swapped.signal.throwIfAborted();
  } finally {
    await local.close();
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
