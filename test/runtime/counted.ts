/** A client that counts its requests by method. */
import { Registry } from 'prom-client';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import type { Harness } from './harness.ts';

export interface CountedClient {
  readonly client: Client;
  /** The requests since the last call, such as `{ GET: 1, PATCH: 2 }`. */
  readonly requests: () => Promise<Readonly<Record<string, number>>>;
}

export function countedClient(harness: Harness): CountedClient {
  const metrics = createMetrics(new Registry());
  const requests = async (): Promise<Readonly<Record<string, number>>> => {
    const { values } = await metrics.rest.requests.get();
    metrics.rest.requests.reset();
    const counts = new Map<string, number>();
    for (const { labels, value } of values)
      counts.set(String(labels.method), (counts.get(String(labels.method)) ?? 0) + value);
    return Object.fromEntries(counts);
  };
  return { client: harness.client({ metrics }), requests };
}
