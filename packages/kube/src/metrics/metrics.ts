/**
 * `Metrics` holds every metric of the runtime, under the names that dashboards for controller-runtime and client-go
 * already use. One set per registry: a process creates one and passes it on.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** The buckets of client-go's workqueue: 10 ns to 1000 s in powers of ten. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

export type Metrics = ReturnType<typeof createMetrics>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the inferred type is the type
export function createMetrics(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: L[]
  ): Histogram<L> => new Histogram({ name, help, buckets, labelNames, registers });
  const observers = new Set<() => void>();
  const observed = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const observe of observers) observe();
      },
    });

  return {
    registry,
    /** Called on each scrape, to set the metrics that would cost too much to keep up to date. */
    observers,
    reconcile: {
      total: counter(
        'controller_runtime_reconcile_total',
        'Reconciliations by controller and result: success, error, requeue, requeue_after',
        'controller',
        'result',
      ),
      errors: counter('controller_runtime_reconcile_errors_total', 'Reconciliations that failed', 'controller'),
      terminalErrors: counter(
        'controller_runtime_terminal_reconcile_errors_total',
        'Reconciliations that failed and are not retried',
        'controller',
      ),
      panics: counter(
        'controller_runtime_reconcile_panics_total',
        'Reconcilers that threw a value that is not an Error',
        'controller',
      ),
      timeouts: counter(
        'controller_runtime_reconcile_timeouts_total',
        'Reconciliations that exceeded their timeout',
        'controller',
      ),
      seconds: histogram(
        'controller_runtime_reconcile_time_seconds',
        'Duration of a reconciliation',
        reconcileBuckets,
        'controller',
      ),
      maxConcurrent: gauge(
        'controller_runtime_max_concurrent_reconciles',
        'Maximum number of concurrent reconciliations',
        'controller',
      ),
      activeWorkers: gauge('controller_runtime_active_workers', 'Reconciliations in progress', 'controller'),
    },
    queue: {
      depth: observed('workqueue_depth', 'Keys waiting in the queue', 'name', 'controller', 'priority'),
      adds: counter('workqueue_adds_total', 'Keys added', 'name', 'controller'),
      waitSeconds: histogram(
        'workqueue_queue_duration_seconds',
        'Time that a key waits in the queue',
        queueBuckets,
        'name',
        'controller',
      ),
      workSeconds: histogram(
        'workqueue_work_duration_seconds',
        'Time that a key is worked on',
        queueBuckets,
        'name',
        'controller',
      ),
      unfinishedSeconds: observed(
        'workqueue_unfinished_work_seconds',
        'Seconds of work in progress that is not finished yet',
        'name',
        'controller',
      ),
      longestSeconds: observed(
        'workqueue_longest_running_processor_seconds',
        'Age of the oldest work in progress',
        'name',
        'controller',
      ),
      retries: counter('workqueue_retries_total', 'Keys added again after a failure', 'name', 'controller'),
    },
    rest: {
      requests: counter(
        'rest_client_requests_total',
        'Requests by status code, method and host',
        'code',
        'method',
        'host',
      ),
      failures: counter(
        'rest_client_failed_requests_total',
        'Requests answered with 4xx or 5xx, by status code, method and resource',
        'code',
        'method',
        'resource',
        'host',
      ),
      seconds: histogram(
        'rest_client_request_duration_seconds',
        'Duration of a request',
        requestBuckets,
        'verb',
        'host',
      ),
      rateLimiterSeconds: histogram(
        'rest_client_rate_limiter_duration_seconds',
        'Time that a request waits for the rate limit of the client',
        requestBuckets,
        'verb',
        'host',
      ),
      retries: counter('rest_client_request_retries_total', 'Requests that were retried', 'code', 'verb', 'host'),
      requestBytes: histogram(
        'rest_client_request_size_bytes',
        'Size of request bodies',
        [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216],
        'verb',
        'host',
      ),
      responseBytes: histogram(
        'rest_client_response_size_bytes',
        'Size of response bodies',
        [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216],
        'verb',
        'host',
      ),
    },
    leader: {
      isLeader: gauge('leader_election_master_status', '1 for the leader', 'name'),
      slowPath: counter('leader_election_slowpath_total', 'Renewals that had to read the lease first', 'name'),
    },
    reflector: {
      lists: counter('reflector_lists_total', 'Lists, watch-lists included', 'cluster', 'resource'),
      listSeconds: histogram(
        'reflector_list_duration_seconds',
        'Duration of a list',
        requestBuckets,
        'cluster',
        'resource',
      ),
      items: gauge('reflector_items_per_list', 'Objects in the last list', 'cluster', 'resource'),
      watches: counter('reflector_watches_total', 'Watches opened', 'cluster', 'resource'),
      shortWatches: counter(
        'reflector_short_watches_total',
        'Watches that closed at once without an event',
        'cluster',
        'resource',
      ),
      failures: counter(
        'reflector_failures_total',
        'Failed lists and watches, by kind of error',
        'cluster',
        'resource',
        'error',
      ),
      consecutiveFailures: gauge(
        'reflector_consecutive_failures',
        'Failures since the last success',
        'cluster',
        'resource',
      ),
      synced: gauge('reflector_synced', '1 when the first list is in the cache', 'cluster', 'resource'),
      lastActivitySeconds: gauge(
        'reflector_last_activity_timestamp_seconds',
        'Time of the last event or bookmark (Unix time)',
        'cluster',
        'resource',
      ),
    },
    informer: {
      objects: gauge('informer_objects', 'Objects in the cache', 'cluster', 'resource'),
      pending: gauge(
        'informer_handler_pending_events',
        'Events that a handler has not processed yet',
        'cluster',
        'resource',
        'handler',
      ),
      errors: counter(
        'informer_handler_errors_total',
        'Events for which a handler failed',
        'cluster',
        'resource',
        'handler',
      ),
    },
    events: {
      total: counter('event_recorder_events_total', 'Events by result: sent, aggregated, dropped, refused', 'result'),
    },
  };
}
