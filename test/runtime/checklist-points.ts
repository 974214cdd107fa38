/** The points of the checklist, in our own words. */

export interface Point {
  /** The prefix of the names of its tests. */
  readonly id: string;
  readonly promise: string;
  /** Why there is no test, if there is none. */
  readonly leftOut?: string;
}

export const points: readonly Point[] = [
  {
    id: 'T1',
    promise: 'Each cluster and TLS identity has one pool; tokens and authorities are rotated without a restart',
  },
  { id: 'T2', promise: 'A dead connection is found within a bounded time' },
  { id: 'T3', promise: '429 and 5xx are retried only with Retry-After, at most ten times; resets only for reads' },
  { id: 'T4', promise: 'A rate limit of our own can be configured; it is off by default' },
  { id: 'T5', promise: 'Errors have the reason of the Status, with causes and Retry-After' },
  { id: 'T6', promise: 'Chunks may be cut anywhere and be compressed; a line may be megabytes long' },
  { id: 'T7', promise: "The server's limits are respected: streams per connection, duration of a watch, idle time" },
  {
    id: 'T8',
    promise: 'Warnings are shown once; User-Agent, deadline and AbortSignal on every request; audit ids in logs',
  },
  {
    id: 'F1',
    promise:
      'The first list may be from the cache; later ones are never older than what was seen; after 410 a list is consistent',
  },
  { id: 'F2', promise: 'Lists are paged where that helps; an expired page is followed by a full list' },
  { id: 'F3', promise: 'A watch requests bookmarks, lasts a random time, and starts at the last version' },
  { id: 'F4', promise: 'A bookmark moves the version and nothing else; synthetic events do not move it' },
  {
    id: 'F5',
    promise: 'A watch-list takes effect as a whole at its bookmark, or not at all; a server without it is listed',
  },
  { id: 'F6', promise: 'Failures are retried forever, with growing pauses and jitter; good health resets the pauses' },
  { id: 'F7', promise: 'A refused or throttled watch is retried without a list' },
  { id: 'F8', promise: 'A watch that closes at once is a failure' },
  { id: 'F9', promise: 'An event of another kind is reported and skipped; tables are refused' },
  { id: 'F10', promise: 'The last version and the health of a reflector are visible' },
  { id: 'D1', promise: 'An object that is missing in a list is deleted, with its last known state' },
  { id: 'D2', promise: 'Events are delivered in order' },
  {
    id: 'D3',
    promise: 'The cache is updated before handlers run; handlers see a subsequence of the real states',
  },
  { id: 'D4', promise: 'Another uid under the same name is a deletion and a creation' },
  { id: 'D5', promise: 'Objects are projected before they are stored' },
  { id: 'D6', promise: 'A change of an object in the cache is detected' },
  { id: 'I1', promise: 'Users of the same kind share one watch; late handlers get the existing objects' },
  { id: 'I2', promise: 'A slow handler delays no other, and its backlog is visible' },
  { id: 'I3', promise: 'Informers and handlers say when they are synced, and workers wait for it' },
  { id: 'I4', promise: 'Indexes can be added at any time and always match the objects' },
  { id: 'I5', promise: 'A resync uses the cache and sends no request' },
  { id: 'I6', promise: 'Namespaces, selectors and projections can be set for each kind' },
  { id: 'I7', promise: 'Watches can be restricted to metadata' },
  { id: 'I8', promise: 'An unused informer releases its watch and its memory' },
  { id: 'I9', promise: 'Own writes are readable at once' },
  { id: 'Q1', promise: 'A key waits once, however often it is added' },
  { id: 'Q2', promise: 'Never two workers on one key' },
  { id: 'Q3', promise: 'Each key has its own pauses, which double from 5 ms to 1000 s' },
  { id: 'Q4', promise: 'The earliest of several times wins' },
  { id: 'Q5', promise: 'Keys have priorities; current changes overtake the initial list' },
  { id: 'Q6', promise: 'Each result of a reconciler has its defined effect' },
  { id: 'Q7', promise: 'Errors of a reconciler are caught and counted; it can have a deadline' },
  { id: 'Q8', promise: 'At shutdown, running reconciles finish and none starts' },
  { id: 'Q9', promise: 'A source that does not sync in time ends the controller, and the error names it' },
  { id: 'Q10', promise: 'Each run has an id in its log' },
  { id: 'P1', promise: 'Predicates select the changes that count' },
  { id: 'P2', promise: 'Handlers enqueue the object, its owner, or what it maps to, of the old and the new state' },
  { id: 'P3', promise: 'Sources are kinds and external events' },
  { id: 'P4', promise: 'There are helpers for owners, finalizers, create-or-patch, and patches with a lock' },
  { id: 'P5', promise: 'Server-side apply has a field manager and strict fields' },
  { id: 'L1', promise: "The Lease has client-go's times, which are validated" },
  { id: 'L2', promise: 'Only our own monotonic clock counts' },
  { id: 'L3', promise: 'A renewal needs no read if nothing changed; transitions are counted' },
  { id: 'L4', promise: 'The lease is released after the work has ended' },
  { id: 'L5', promise: 'A leader that loses the lease has stopped before another process can have it' },
  { id: 'L6', promise: 'An older leader is fenced out' },
  { id: 'L7', promise: 'A stalled event loop is noticed before the next write' },
  { id: 'L8', promise: 'Times have six digits' },
  { id: 'L9', promise: 'A standby is warm' },
  { id: 'E1', promise: 'Events are counted, combined and limited' },
  { id: 'E2', promise: 'The queue of events is bounded; what the server refused is dropped' },
  { id: 'E3', promise: 'An Event has the right namespace and a unique name' },
  { id: 'M1', promise: 'Parts start and stop in order' },
  { id: 'M2', promise: 'Health and readiness have named checks' },
  { id: 'M3', promise: 'Every replica serves metrics' },
  { id: 'M4', promise: 'The first error stops the manager; a second signal ends the process' },
  { id: 'C1', promise: 'Clusters come and go while controllers run' },
  { id: 'C2', promise: 'A request names its cluster; a request for a cluster that has left is dropped' },
  { id: 'C3', promise: 'A cluster that fails does not affect the others' },
  { id: 'C4', promise: 'Clusters come from KubevirtConfigs, and the local one' },
  {
    id: 'C5',
    promise: 'Clusters are distributed among replicas',
    leftOut: 'one process leads and serves all clusters, see docs/operator/fleet.md',
  },
  { id: 'C6', promise: 'A flood from one cluster does not starve the others' },
];

/** By the complaint of users of other runtimes. */
export const complaints: readonly Point[] = [
  {
    id: 'informer silently stops',
    promise: 'A half-open connection is detected within the limit for silence, and visible in metrics and readiness',
  },
  { id: 'no reconnect', promise: 'The reflector recovers from every fault in every phase, with the right pauses' },
  { id: 'objects missed after 429', promise: 'A server that throttles at the start loses no object' },
  { id: 'failed handler lost', promise: 'A reconciler that throws is called again after 5, 10, 20, 40, 80 ms' },
  { id: 'events out of order', promise: 'A thousand updates of a key are seen in order, one at a time' },
  { id: 'replay on restart', promise: 'A watch that resumes from its version reconciles nothing twice' },
  { id: 'socket leak', promise: 'Sockets stay within the pool, over thousands of requests and reconnects' },
  { id: 'memory growth', promise: 'Objects that come and go leave nothing behind' },
  { id: 'token rotation', promise: 'Token and authority can change during work, and no reconcile fails' },
  { id: 'unknown fields deleted', promise: 'An object with unknown fields is written back as it was, byte for byte' },
  { id: 'MicroTime', promise: 'Leases and Events have times that a server accepts' },
  { id: 'split brain', promise: 'A leader that was stopped for longer than its lease writes nothing when it wakes' },
];
