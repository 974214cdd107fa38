/** A cluster out of a connection: client, caches that show its own writes, and recorder. Nothing is sent until somebody asks for something. */
import type { Logger } from 'pino';
import { createInformers, type InformersOptions } from './cache/informers.ts';
import { withOwnWrites } from './cache/own-writes.ts';
import { createClient, type ClientOptions } from './client/create.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { createRecorder } from './events/recorder.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ConnectOptions extends Pick<ClientOptions, 'source' | 'rateLimit' | 'fieldValidation'> {
  readonly name: string;
  /** Who we are to the cluster: in User-Agent, managedFields and events. */
  readonly component: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly reflector?: NonNullable<InformersOptions['reflector']>;
  /** For events that still wait when it is closed; 5 s unless said. */
  readonly flushMs?: number;
}

export interface ConnectedCluster extends Cluster {
  /** Everybody who works for it is told to end, caches are emptied, events are sent, connections are released. */
  close(): Promise<void>;
}

export function connectCluster(options: ConnectOptions): ConnectedCluster {
  const { name, component, metrics, clock = systemClock, reflector, flushMs = 5000, ...connection } = options;
  const log = options.log.child({ cluster: name });
  const surroundings = { log, metrics, clock };
  const writing = { cluster: name, userAgent: component, fieldManager: component };
  const bare = createClient({ ...connection, ...writing, ...surroundings });
  const informers = createInformers({
    client: bare,
    ...surroundings,
    ...(reflector === undefined ? {} : { reflector }),
  });
  const recorder = createRecorder({ client: bare, component, ...surroundings });
  const leaving = new AbortController();
  return {
    name,
    client: withOwnWrites(bare, informers),
    informers,
    recorder,
    signal: leaving.signal,
    async close() {
      leaving.abort();
      await informers.stop();
      await recorder.stop(flushMs);
      await bare.close();
    },
  };
}
