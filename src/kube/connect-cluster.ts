/** A cluster out of a connection: client, caches that show its own writes, and recorder. Nothing is sent until somebody asks for something. */
import type { Logger } from 'pino';
import { createInformers, type InformersOptions } from './cache/informers.ts';
import { withOwnWrites } from './cache/own-writes.ts';
import type { Client } from './client/client.ts';
import { createClient, type ClientOptions } from './client/create.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { createRecorder } from './events/recorder.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ConnectOptions extends Pick<ClientOptions, 'source' | 'rateLimit' | 'fieldValidation'> {
  readonly name: string;
  /** Who we are to the cluster: in managedFields, in events, and in the User-Agent unless that is given. */
  readonly component: string;
  readonly userAgent?: string;
  /** What stands between the client and everybody who uses it, caches and recorder too. */
  readonly guard?: (bare: Client) => Client;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly reflector?: NonNullable<InformersOptions['reflector']>;
  /** For events that still wait when it is closed; 5 s unless said. */
  readonly flushMs?: number;
}

export interface ConnectedCluster extends Cluster {
  /** Past the guard, and past the caches. */
  readonly bare: Client;
  /** Everybody who works for it is told to end, caches are emptied, events are sent, connections are released. */
  close(): Promise<void>;
}

export function connectCluster(options: ConnectOptions): ConnectedCluster {
  const { name, component, metrics, clock = systemClock, reflector, flushMs = 5000, ...connection } = options;
  const { guard = (client: Client): Client => client, userAgent = component, log: parent, ...reaching } = connection;
  const surroundings = { log: parent.child({ cluster: name }), metrics, clock };
  // The client says by itself in its log which cluster it is for.
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
  const informers = createInformers({ client, ...surroundings, ...(reflector === undefined ? {} : { reflector }) });
  const recorder = createRecorder({ client, component, ...surroundings });
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
