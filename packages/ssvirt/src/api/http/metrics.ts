/** Metrics of requests: number, duration and requests in progress, by route, never by URL. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ApiApp, Request } from './app-types.ts';

export function addMetrics(app: ApiApp, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'ssvirt_api_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'ssvirt_api_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    // `Prefer: wait` holds a request for up to a minute.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  let inFlight = 0;
  const underWay = new Gauge({
    name: 'ssvirt_api_requests_in_flight',
    help: 'Requests in progress.',
    registers: [],
    collect() {
      this.set(inFlight);
    },
  });
  registry.registerMetric(underWay);

  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1;
    // Also emitted if the client has disconnected.
    reply.raw.once('close', () => (inFlight -= 1));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: routeOf(request) };
    requests.inc({ ...labels, status: String(reply.statusCode) });
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

/** Unknown paths count as one route. */
function routeOf({ routeOptions }: Request): string {
  return routeOptions.url ?? 'none';
}
