/** The number of requests that the operator sent, by its own counters, split into reads and writes. */

/** By method. */
export type Requests = ReadonlyMap<string, number>;

export function requestsOf(metrics: string): Requests {
  const found = new Map<string, number>();
  for (const [, labels = '', value = '0'] of metrics.matchAll(/^rest_client_requests_total\{([^}]*)\} (\S+)$/gm)) {
    const verb = /method="([^"]*)"/.exec(labels)?.[1] ?? '';
    found.set(verb, (found.get(verb) ?? 0) + Number(value));
  }
  return found;
}

export function since(before: Requests, after: Requests): Requests {
  return new Map([...after].map(([verb, count]) => [verb, count - (before.get(verb) ?? 0)]));
}

export const total = (requests: Requests): number => [...requests.values()].reduce((sum, count) => sum + count, 0);

export const counted = (requests: Requests, verb: string): number => requests.get(verb) ?? 0;

/** The sum over all controllers. */
export function reconciles(metrics: string): number {
  const lines = metrics.matchAll(/^controller_runtime_reconcile_total\{[^}]*\} (\S+)$/gm);
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
}
