/**
 * `connectCluster` builds a cluster from a connection: client, caches that show its own writes, and recorder. It sends
 * nothing by itself.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { createInformers, type InformersOptions } from './informer/informers.ts';
import { withOwnWrites } from './informer/own-writes.ts';
import type { Client } from './client/client.ts';
import { createClient, type ClientOptions } from './client/create.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { createRecorder } from './events/recorder.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ConnectClusterOptions extends Pick<ClientOptions, 'source' | 'rateLimit' | 'fieldValidation'> {
  readonly name: string;
  /**
   * Identifies this program to the cluster: in managedFields, in events, and in the User-Agent unless `userAgent` is
   * set.
   */
  readonly component: string;
  readonly userAgent?: string;
  /** Wraps the client for all its users, caches and recorder included. */
  readonly guard?: (bare: Client) => Client;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly reflector?: NonNullable<InformersOptions['reflector']>;
  /** Time to send pending events on close. The default is 5 s. */
  readonly flushMs?: number;
}

export interface ConnectedCluster extends Cluster {
  /** The client without the guard and without the caches. */
  readonly bare: Client;
  /** Aborts the cluster's signal, stops the caches, sends pending events and closes the connections. */
  close(): Promise<void>;
}

export function connectCluster(options: ConnectClusterOptions): ConnectedCluster {
  const { name, component, metrics, clock = systemClock, reflector, flushMs = 5000, ...connection } = options;
  const { guard = (client: Client): Client => client, userAgent = component, log: parent, ...reaching } = connection;
  const context = { log: parent.child({ cluster: name }), metrics, clock };
  // The client adds its cluster to its log lines by itself.
  const bare = createClient({
    ...reaching,
    cluster: name,
    userAgent,
    fieldManager: component,
    metrics,
    clock,
    log: parent,
  });
  const client = guard(bare);
  const informers = createInformers({ client, ...context, ...defined({ reflector }) });
  const recorder = createRecorder({ client, component, ...context });
  const leaving = new AbortController();
  return {
    name,
    client: withOwnWrites(client, informers),
    bare,
    informers,
    recorder,
    signal: leaving.signal,
    async close() {
      leaving.abort();
      try {
        await informers.stop();
        await recorder.stop(flushMs);
      } finally {
        await bare.close();
      }
    },
  };
}
