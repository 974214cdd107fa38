/** `createClient` creates a client with its transport. */
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../clock.ts';
import type { ConnectionSource } from '../connection.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { parseJson } from '../transport/body.ts';
import type { RateLimit } from '../transport/rate-limit.ts';
import { Transport } from '../transport/transport.ts';
import type { Client, WriteOptions } from './client.ts';
import { Discovery } from './discovery.ts';
import { KubeClient } from './kube-client.ts';

export interface ClientOptions {
  /** The cluster's name in logs, errors and metrics. */
  readonly cluster: string;
  readonly source: ConnectionSource;
  readonly userAgent: string;
  readonly metrics?: Metrics;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Off by default. */
  readonly rateLimit?: RateLimit;
  /** The field manager of writes. The default is `ssvirt`. */
  readonly fieldManager?: string;
  /** The default is `Strict`: sending a field that the server would drop is a bug in the caller. */
  readonly fieldValidation?: NonNullable<WriteOptions['fieldValidation']>;
}

export function createClient(options: ClientOptions): Client {
  const { cluster, source, userAgent, metrics, log, clock = systemClock, rateLimit } = options;
  const transport = new Transport({
    cluster,
    source,
    userAgent,
    clock,
    ...(metrics !== undefined && { metrics }),
    ...(log !== undefined && { log: log.child({ cluster }) }),
    ...(rateLimit !== undefined && { rateLimit }),
  });
  const discovery = new Discovery(cluster, clock, async (path) => {
    const { body } = await transport.call({ method: 'GET', path, doing: `discover ${path}` });
    return parseJson(body);
  });
  const { fieldManager = 'ssvirt', fieldValidation = 'Strict' } = options;
  return new KubeClient({ cluster, transport, discovery, writing: { fieldManager, fieldValidation } });
}
