/** The points of the checklist, in our own words. */

export interface Point {
  /** The start of the names of its tests. */
  readonly id: string;
  readonly promise: string;
  /** Why there is no test, where there is none. */
  readonly leftOut?: string;
}

export const points: readonly Point[] = [
  {
    id: 'T1',
    promise: 'One pool for each cluster and TLS identity; tokens and authorities are rotated without a restart',
  },
  { id: 'T2', promise: 'A dead connection is found within a bounded time' },
  { id: 'T3', promise: '429 and 5xx are tried again only with Retry-After, ten times at most; a reset only for reads' },
  { id: 'T4', promise: 'A rate limit of our own can be set; it is off by default' },
  { id: 'T5', promise: 'Errors are typed by the reason of the Status, with causes and Retry-After' },
  { id: 'T6', promise: 'Bytes may be cut anywhere, be compressed, and a line may be megabytes long' },
  { id: 'T7', promise: "The server's limits are respected: streams a connection, length of a watch, idle time" },
  {
    id: 'T8',
    promise: 'Warnings are shown once; User-Agent, deadline and AbortSignal on every request; audit ids in logs',
  },
  {
    id: 'F1',
    promise:
      'The first list may be from the cache, a later one is never older than what was seen, after 410 it is from the source',
  },
  { id: 'F2', promise: 'Pages where they help; a page that expired is followed by a full list' },
  { id: 'F3', promise: 'A watch asks for bookmarks, for a random time, from the last version' },
  { id: 'F4', promise: 'A bookmark moves the version and nothing else; synthetic events do not move it' },
  {
    id: 'F5',
    promise: 'A watch-list is taken over as a whole at its bookmark, or not at all; a server without it is listed',
  },
  { id: 'F6', promise: 'Growing pauses with jitter, for ever, and short ones again after good health' },
  { id: 'F7', promise: 'A refused or throttled watch is tried again without a list' },
  { id: 'F8', promise: 'A watch that closes at once is a failure' },
  { id: 'F9', promise: 'An event of another kind is reported and skipped; tables are refused' },
  { id: 'F10', promise: 'The last version and the health of a reflector can be seen' },
  { id: 'D1', promise: 'What is missing in a list is deleted, with its last known state' },
  { id: 'D2', promise: 'Events are delivered in order' },
  {
    id: 'D3',
    promise: 'The cache is updated before handlers are told; states seen are a subsequence of the true ones',
  },
  { id: 'D4', promise: 'Another uid under the same name is a deletion and a creation' },
  { id: 'D5', promise: 'Objects are projected before they are stored' },
  { id: 'D6', promise: 'Nobody can change what is in the cache without being noticed' },
  { id: 'I1', promise: 'One watch for all who want the same; late handlers get what is there' },
  { id: 'I2', promise: 'A slow handler holds up no other, and its backlog can be seen' },
  { id: 'I3', promise: 'Informers and handlers say when they are synced, and workers wait for it' },
  { id: 'I4', promise: 'Indexes by function, at any time, always in step with the objects' },
  { id: 'I5', promise: 'A resync comes out of the cache and never talks to the server' },
  { id: 'I6', promise: 'Namespaces, selectors and projections by kind' },
  { id: 'I7', promise: 'Watches of metadata alone' },
  { id: 'I8', promise: 'An informer that nobody needs lets go of its watch and memory' },
  { id: 'I9', promise: 'Own writes are readable at once' },
  { id: 'Q1', promise: 'A key waits once, however often it is added' },
  { id: 'Q2', promise: 'Never two workers on one key' },
  { id: 'Q3', promise: 'Pauses for each key, from 5 ms doubling to 1000 s' },
  { id: 'Q4', promise: 'The earliest of several times wins' },
  { id: 'Q5', promise: 'Priorities; what happens now overtakes what was there at the start' },
  { id: 'Q6', promise: 'What follows from each result of a reconciler' },
  { id: 'Q7', promise: 'What a reconciler throws is caught and counted; it can have a deadline' },
  { id: 'Q8', promise: 'At the end, what runs is finished and nothing new begins' },
  { id: 'Q9', promise: 'A source that does not sync in time ends the controller with its name' },
  { id: 'Q10', promise: 'Each run has an id in its log' },
  { id: 'P1', promise: 'Predicates' },
  { id: 'P2', promise: 'Handlers for the object, its owner and what it maps to, of old and new' },
  { id: 'P3', promise: 'Sources: kinds, external events' },
  { id: 'P4', promise: 'Owners, finalizers, create or patch, patches with a lock' },
  { id: 'P5', promise: 'Server-side apply with a field manager, and strict fields' },
  { id: 'L1', promise: "A Lease with client-go's times, which are checked" },
  { id: 'L2', promise: 'Only our own monotonic clock counts' },
  { id: 'L3', promise: 'A fast path without a read, a slow one with it; transitions are counted' },
  { id: 'L4', promise: 'The lease is released, after the work has ended' },
  { id: 'L5', promise: 'Who loses the lease has stopped before another can have it' },
  { id: 'L6', promise: 'An older leader is fenced out' },
  { id: 'L7', promise: 'A stalled event loop is noticed before the next write' },
  { id: 'L8', promise: 'Times with six digits' },
  { id: 'L9', promise: 'A standby is warm' },
  { id: 'E1', promise: 'Events are counted, combined and limited' },
  { id: 'E2', promise: 'The queue of events is bounded; what the server refused is dropped' },
  { id: 'E3', promise: 'Where an event stands, and its unique name' },
  { id: 'M1', promise: 'The order of start and stop' },
  { id: 'M2', promise: 'Health and readiness with named checks' },
  { id: 'M3', promise: 'Every replica serves metrics' },
  { id: 'M4', promise: 'The first error stops the manager; a second signal ends the process' },
  { id: 'C1', promise: 'Clusters come and go while controllers run' },
  { id: 'C2', promise: 'A request names its cluster; one that is gone is dropped' },
  { id: 'C3', promise: 'A cluster that fails costs the others nothing' },
  { id: 'C4', promise: 'Clusters out of KubevirtConfigs, and the local one' },
  {
    id: 'C5',
    promise: 'Clusters are shared out between replicas',
    leftOut: 'one process leads and serves all clusters, see docs/operator/fleet.md',
  },
  { id: 'C6', promise: "One cluster's flood does not starve the others" },
];

/** By what users of other runtimes complained of. */
export const complaints: readonly Point[] = [
  {
    id: 'informer silently stops',
    promise: 'A half-open connection is found within the limit of silence, and seen in metrics and readiness',
  },
  { id: 'no reconnect', promise: 'Every fault in every phase is recovered from, with the right pauses' },
  { id: 'objects missed after 429', promise: 'A server that throttles at the start loses no object' },
  { id: 'failed handler lost', promise: 'A reconciler that throws is called again after 5, 10, 20, 40, 80 ms' },
  { id: 'events out of order', promise: 'A thousand updates of a key are seen in order, one at a time' },
  { id: 'replay on restart', promise: 'A watch that goes on from its version reconciles nothing twice' },
  { id: 'socket leak', promise: 'Sockets stay within the pool, over thousands of requests and reconnects' },
  { id: 'memory growth', promise: 'Objects that come and go leave nothing behind' },
  { id: 'token rotation', promise: 'Token and authority change while the work goes on, and no reconcile fails' },
  { id: 'unknown fields deleted', promise: 'An object with unknown fields is written back as it was, byte for byte' },
  { id: 'MicroTime', promise: 'Leases and Events have the times that a server accepts' },
  { id: 'split brain', promise: 'A leader that was stopped for longer than its lease writes nothing when it wakes' },
];
