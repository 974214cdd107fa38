/**
 * The cluster that a process runs in or that its own kubeconfig names, behind the identity guard like every other
 * cluster. If another cluster takes its place, the process does not trust it and ends.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Client } from '@ssvirt/kube/client/client';
import { connectCluster, type ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { ReflectorOptions } from '@ssvirt/kube/reflector/options';
import { requestIdentity } from './identity-request.ts';
import { guardedClient } from './guarded-client.ts';
import { IdentityGuard } from './identity-guard.ts';
import { localName } from '../kubevirtconfig/kubevirt-config.ts';

export interface OwnClusterOptions {
  readonly source: ConnectionSource;
  /** The name of this component in the cluster. */
  readonly component: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reflector?: Partial<ReflectorOptions> | undefined;
  /** Everything that the process knows belongs to a cluster that no longer exists, so it must end. */
  readonly changed: (error: OwnClusterChanged) => void;
}

/**
 * Everything that a process knows belongs to a cluster that no longer exists, including its Lease and KubevirtConfigs.
 * After a restart it compares the cluster with the one recorded in the database, and reports there what a person can
 * do.
 */
export class OwnClusterChanged extends Error {
  override readonly name = 'OwnClusterChanged';
}

const deadlineMs = 10_000;

/** `connectOwnCluster` returns at once, whether the cluster answers or not: the first cluster that answers is the own cluster. */
export function connectOwnCluster(options: OwnClusterOptions): ConnectedCluster {
  return connect(options, undefined);
}

/** `contactOwnCluster` waits until the cluster has answered; resolves to undefined if the signal is aborted first. */
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
      ask: (until) => requestIdentity(bare, { timeoutMs: deadlineMs, ...defined({ signal: until }) }),
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
  return { name: localName, source, component, log, metrics, ...defined({ reflector }) };
}

async function firstContact(client: Client, log: Logger, signal: AbortSignal): Promise<string | undefined> {
  const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 });
  while (!signal.aborted) {
    try {
      return await requestIdentity(client, { timeoutMs: deadlineMs, signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'own cluster does not answer, retrying');
    }
    await sleep(systemClock, backoff.take(), signal);
  }
  return undefined;
}
