/** What every operator does around its work: the own cluster is found by its kubeconfig, and when another one takes its place the process ends. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { hostOf, isLoopback, type Address } from '../config/address.ts';
import type { Client } from '../kube/client/client.ts';
import type { ConnectedCluster } from '../kube/connect-cluster.ts';
import { loadKubeconfig } from '../kube/kubeconfig/load.ts';
import type { ElectionTimings } from '../kube/leader/timings.ts';
import type { ManagerOptions } from '../kube/manager/manager.ts';
import type { Metrics } from '../kube/metrics/metrics.ts';
import type { ReflectorOptions } from '../kube/reflector/options.ts';
import type { HealthTimes } from './health-times.ts';
import { contactOwnCluster, type OwnClusterChanged } from './own-cluster.ts';

/** What is no setting: an installation is well with the usual times, and who tries outages has not as long. */
export interface ProcessTimes {
  readonly election?: Partial<ElectionTimings>;
  readonly health?: Partial<HealthTimes>;
  readonly reflector?: Partial<ReflectorOptions>;
}

export interface OwnClusterAt {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Who we are to the cluster. */
  readonly component: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reflector: Partial<ReflectorOptions> | undefined;
}

/** Works until the signal; rejects where another cluster has taken the place of the own one. */
export async function withOwnCluster(
  { kubeconfig: path, context, ...options }: OwnClusterAt,
  signal: AbortSignal,
  work: (local: ConnectedCluster, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const source = await loadKubeconfig({
    ...(path === undefined ? {} : { path }),
    ...(context === undefined ? {} : { context }),
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

/** Who we are to the others of our kind: no two processes have the same. */
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

/** Metrics are for those whom the cluster lets read them, where not everybody who reaches the address may; nobody on the way reads the tokens by which they are known. */
export async function metricsAt(
  { metricsAddr, openMetrics }: Pick<ServingConfig, 'metricsAddr' | 'openMetrics'>,
  reviews: Client,
): Promise<NonNullable<ManagerOptions['metricsAt']>> {
  const at = listenAt(metricsAddr);
  if (openMetrics) return { ...at, open: true };
  if (isLoopback(metricsAddr)) return at;
  const { selfMadePair } = await import('../tls/self-made.ts');
  return { ...at, reviews, tls: await selfMadePair('ssvirt-metrics') };
}

export function listenAt(address: Address): { readonly host: string; readonly port: number } {
  return { host: hostOf(address), port: address.port };
}
