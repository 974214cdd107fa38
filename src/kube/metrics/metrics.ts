/**
 * Every metric of the runtime, by the names that dashboards for controller-runtime and client-go already know. One set for each registry: a
 * process makes one and passes it on.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75,
  2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Workqueue's own: 10 ns to 1000 s in powers of ten. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

export type Metrics = ReturnType<typeof createMetrics>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the table below is the type
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
    /** Called whenever somebody reads the metrics, to set those that would cost too much to keep. */
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
        'Reconciliations that failed and are not tried again',
        'controller',
      ),
      panics: counter(
        'controller_runtime_reconcile_panics_total',
        'Reconcilers that threw what is no error',
        'controller',
      ),
      timeouts: counter(
        'controller_runtime_reconcile_timeouts_total',
        'Reconciliations that took too long',
        'controller',
      ),
      seconds: histogram(
        'controller_runtime_reconcile_time_seconds',
        'How long a reconciliation takes',
        reconcileBuckets,
        'controller',
      ),
      maxConcurrent: gauge(
        'controller_runtime_max_concurrent_reconciles',
        'Reconciliations at a time, at most',
        'controller',
      ),
      activeWorkers: gauge('controller_runtime_active_workers', 'Reconciliations that run now', 'controller'),
    },
    queue: {
      depth: observed('workqueue_depth', 'Keys that wait', 'name', 'controller', 'priority'),
      adds: counter('workqueue_adds_total', 'Keys that were added', 'name', 'controller'),
      waitSeconds: histogram(
        'workqueue_queue_duration_seconds',
        'How long a key waits',
        queueBuckets,
        'name',
        'controller',
      ),
      workSeconds: histogram(
        'workqueue_work_duration_seconds',
        'How long a key is worked on',
        queueBuckets,
        'name',
        'controller',
      ),
      unfinishedSeconds: observed(
        'workqueue_unfinished_work_seconds',
        'Seconds of work on keys that are not done yet',
        'name',
        'controller',
      ),
      longestSeconds: observed(
        'workqueue_longest_running_processor_seconds',
        'How long the oldest work in progress runs',
        'name',
        'controller',
      ),
      retries: counter('workqueue_retries_total', 'Keys that were added again after a failure', 'name', 'controller'),
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
        'Requests that were answered with 4xx or 5xx, by status code, method and resource',
        'code',
        'method',
        'resource',
        'host',
      ),
      seconds: histogram(
        'rest_client_request_duration_seconds',
        'How long a request takes',
        requestBuckets,
        'verb',
        'host',
      ),
      rateLimiterSeconds: histogram(
        'rest_client_rate_limiter_duration_seconds',
        'How long a request waits for our own rate limit',
        requestBuckets,
        'verb',
        'host',
      ),
      retries: counter('rest_client_request_retries_total', 'Requests that were sent again', 'code', 'verb', 'host'),
      requestBytes: histogram(
        'rest_client_request_size_bytes',
        'Size of the body of a request',
        [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216],
        'verb',
        'host',
      ),
      responseBytes: histogram(
        'rest_client_response_size_bytes',
        'Size of the body of an answer',
        [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216],
        'verb',
        'host',
      ),
    },
    leader: {
      isLeader: gauge('leader_election_master_status', '1 for the one that leads', 'name'),
      slowPath: counter('leader_election_slowpath_total', 'Renewals that had to read the lease first', 'name'),
    },
    reflector: {
      lists: counter('reflector_lists_total', 'Lists, watch-lists included', 'cluster', 'resource'),
      listSeconds: histogram(
        'reflector_list_duration_seconds',
        'How long a list takes',
        requestBuckets,
        'cluster',
        'resource',
      ),
      items: gauge('reflector_items_per_list', 'Objects in the last list', 'cluster', 'resource'),
      watches: counter('reflector_watches_total', 'Watches that were opened', 'cluster', 'resource'),
      shortWatches: counter('reflector_short_watches_total', 'Watches that closed at once', 'cluster', 'resource'),
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
        'When the last event or bookmark came (Unix time)',
        'cluster',
        'resource',
      ),
    },
    informer: {
      objects: gauge('informer_objects', 'Objects in the cache', 'cluster', 'resource'),
      pending: gauge(
        'informer_handler_pending_events',
        'Events that a handler has not taken yet',
        'cluster',
        'resource',
        'handler',
      ),
      errors: counter(
        'informer_handler_errors_total',
        'Events on which a handler failed',
        'cluster',
        'resource',
        'handler',
      ),
    },
    events: {
      total: counter(
        'event_recorder_events_total',
        'Events by what became of them: sent, aggregated, dropped, refused',
        'result',
      ),
    },
  };
}
