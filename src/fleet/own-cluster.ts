/**
 * The cluster that a process runs in or is told of by its own kubeconfig, behind the guard of its identity like every other: a cluster that takes its place
 * while the process runs is not believed, and ends the process.
 */
import type { Logger } from 'pino';
import { Backoff } from '../kube/backoff.ts';
import { sleep, systemClock } from '../kube/clock.ts';
import type { Client } from '../kube/client/client.ts';
import { connectCluster, type ConnectedCluster } from '../kube/connect-cluster.ts';
import type { ConnectionSource } from '../kube/connection.ts';
import type { Metrics } from '../kube/metrics/metrics.ts';
import type { ReflectorOptions } from '../kube/reflector/options.ts';
import { askIdentity } from './contact.ts';
import { guardedClient } from './guarded-client.ts';
import { IdentityGuard } from './identity-guard.ts';
import { localName } from './kubevirt-config.ts';

export interface OwnClusterOptions {
  readonly source: ConnectionSource;
  /** Who we are to the cluster. */
  readonly component: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reflector?: Partial<ReflectorOptions> | undefined;
  /** Everything that the process knows is of a cluster that is not there any more: it has to end. */
  readonly changed: (error: OwnClusterChanged) => void;
}

/**
 * Everything that a process knows is of a cluster that is not there any more, its Lease and KubevirtConfigs too. Started anew it compares the cluster with what
 * is recorded in the database, and says there what a person can do about it.
 */
export class OwnClusterChanged extends Error {
  override readonly name = 'OwnClusterChanged';
}

const deadlineMs = 10_000;

/** At once, whether it answers or not: it is the cluster that answers first. */
export function connectOwnCluster(options: OwnClusterOptions): ConnectedCluster {
  return connect(options, undefined);
}

/** Waits until it has answered; undefined where the signal came first. */
export async function contactOwnCluster(
  options: OwnClusterOptions,
  signal: AbortSignal,
): Promise<ConnectedCluster | undefined> {
  const first = connectCluster(connectionOf(options));
  const identity = await firstContact(first.bare, options.log, signal);
  await first.close();
  return identity === undefined ? undefined : connect(options, identity);
}

function connect(options: OwnClusterOptions, identity: string | undefined): ConnectedCluster {
  return connectCluster({ ...connectionOf(options), guard: (bare) => guardedClient(bare, guard(bare)) });

  function guard(bare: Client): IdentityGuard {
    return new IdentityGuard({
      cluster: localName,
      identity,
      ask: (until) => askIdentity(bare, { timeoutMs: deadlineMs, ...(until === undefined ? {} : { signal: until }) }),
      changed: (found, before) =>
        options.changed(
          new OwnClusterChanged(
            `cannot go on: the own cluster was the one with kube-system uid ${before}, and is ${found} now`,
          ),
        ),
    });
  }
}

function connectionOf({
  source,
  component,
  log,
  metrics,
  reflector,
}: OwnClusterOptions): Parameters<typeof connectCluster>[0] {
  return { name: localName, source, component, log, metrics, ...(reflector === undefined ? {} : { reflector }) };
}

async function firstContact(client: Client, log: Logger, signal: AbortSignal): Promise<string | undefined> {
  const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 });
  while (!signal.aborted) {
    try {
      return await askIdentity(client, { timeoutMs: deadlineMs, signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'own cluster does not answer, retrying');
    }
    await sleep(systemClock, backoff.take(), signal);
  }
  return undefined;
}
