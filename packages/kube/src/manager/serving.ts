/** Serves /healthz, /readyz and /metrics of a process, on one address or on two. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Checks } from './checks.ts';
import { defaultHost, serve } from './endpoint.ts';
import type { Answerer, Endpoint, HttpAnswer, ListenAt } from './endpoint.ts';
import { createMetricsAccess } from './metrics-access.ts';

export interface MetricsAt extends ListenAt {
  /** The client that reviews readers: they need a token with the right to get /metrics. */
  readonly reviews?: Client;
  /**
   * Allows anonymous access on an address that is not loopback when there are no `reviews`. Without it that combination
   * is refused.
   */
  readonly open?: boolean;
}

export interface ServingOptions {
  readonly health?: ListenAt;
  readonly metrics?: MetricsAt;
  readonly registry?: Registry;
  readonly live: Checks;
  readonly ready: Checks;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface Serving {
  /** Where health and metrics are served. */
  readonly urls: { readonly health?: string; readonly metrics?: string };
  stop(): Promise<void>;
}

const notFound: HttpAnswer = { code: 404, text: '404 page not found\n' };

export async function startServing(options: ServingOptions): Promise<Serving> {
  const { health, metrics, log } = options;
  const answerHealth = healthAnswers(options);
  const answerMetrics = metrics === undefined ? undefined : metricsAnswers(options, metrics);
  if (health !== undefined && metrics !== undefined && sameAddress(health, metrics)) {
    const both: Answerer = (url, request) =>
      (url.pathname === '/metrics' ? (answerMetrics ?? answerHealth) : answerHealth)(url, request);
    const endpoint = await serve('health and metrics', { ...health, ...metrics }, both, log);
    return { urls: { health: endpoint.url, metrics: endpoint.url }, stop: () => endpoint.stop() };
  }
  const started: Endpoint[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(started.map((endpoint) => endpoint.stop())));
  const start = async (
    what: string,
    at: ListenAt | undefined,
    answer: Answerer | undefined,
  ): Promise<string | undefined> => {
    if (at === undefined || answer === undefined) return undefined;
    const endpoint = await serve(what, at, answer, log);
    started.push(endpoint);
    return endpoint.url;
  };
  try {
    const healthUrl = await start('health', health, answerHealth);
    const metricsUrl = await start('metrics', metrics, answerMetrics);
    const urls = {
      ...defined({ health: healthUrl, metrics: metricsUrl }),
    };
    return { urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function healthAnswers({ live, ready }: ServingOptions): Answerer {
  return async (url) => {
    const match = /^\/(healthz|livez|readyz)(\/[^/]*)?$/.exec(url.pathname);
    if (match === null) return notFound;
    return (match[1] === 'readyz' ? ready : live).answer(match[2] ?? '', url.searchParams);
  };
}

function metricsAnswers({ registry, clock, log }: ServingOptions, at: MetricsAt): Answerer {
  if (registry === undefined) throw new Error('cannot serve metrics: the manager has no metrics registry');
  if (at.reviews === undefined && at.open !== true && !isLoopback(at.host ?? defaultHost))
    throw new Error(
      `cannot serve metrics on ${at.host}: anyone could read them; require authorization (reviews), or allow anonymous access (open)`,
    );
  if (at.reviews !== undefined && at.tls === undefined && !isLoopback(at.host ?? defaultHost))
    log.warn('metrics need a token but are served without TLS');
  const access = at.reviews === undefined ? undefined : createMetricsAccess(at.reviews, clock);
  // Node's own metrics: event loop lag, heap, garbage collection, CPU. Once per registry.
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: registry });
  return async (url, request) => {
    if (url.pathname !== '/metrics') return notFound;
    const refused = await access?.(url.pathname, request.headers.authorization);
    if (refused !== undefined) return refused;
    return { code: 200, text: await registry.metrics(), headers: { 'content-type': registry.contentType } };
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function sameAddress(a: ListenAt, b: ListenAt): boolean {
  return a.port !== 0 && a.port === b.port && (a.host ?? defaultHost) === (b.host ?? defaultHost);
}
