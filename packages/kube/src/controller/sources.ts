/** Push-based sources: informers and external events. For polling see polls.ts. */
import type { Informer, Projected } from '../informer/informer.ts';
import { resourceName } from '../resource-type.ts';
import type { AddOptions } from '../queue/queue.ts';
import { priorityOf, type Change } from './change.ts';
import type { ChangeHandler } from './handlers.ts';
import type { Predicate } from './predicates.ts';
import type { Request } from './request.ts';
import type { Sink, Source } from './source.ts';

/**
 * `watches` enqueues every change of an informer that all predicates pass. The caller keeps ownership of the informer:
 * the source removes only its handler.
 */
export function watches<P extends Projected>(
  informer: Informer<P>,
  handler: ChangeHandler<P>,
  ...predicates: readonly Predicate<P>[]
): Source {
  const name = resourceName(informer.type);
  return {
    name,
    start(sink) {
      const pass = (change: Change<P>): void => forward(change, handler, predicates, sink, name);
      const registration = informer.addHandler({
        name: sink.controller,
        added: (object, { initial }) => pass({ type: 'created', object, initial }),
        updated: (before, object, { resync }) => pass({ type: 'updated', before, object, resync }),
        deleted: (object, { finalStateUnknown }) => pass({ type: 'deleted', object, finalStateUnknown }),
      });
      sink.signal.addEventListener('abort', () => registration.remove(), { once: true });
      return {
        get hasSynced() {
          return registration.hasSynced;
        },
        synced: (signal) => registration.synced(signal),
        trouble() {
          const { trouble, lastError } = informer.health();
          return trouble === 'none' || trouble === 'failing' ? lastError?.message : trouble;
        },
      };
    },
  };
}

function forward<P extends Projected>(
  change: Change<P>,
  handler: ChangeHandler<P>,
  predicates: readonly Predicate<P>[],
  sink: Sink,
  source: string,
): void {
  if (!predicates.every((predicate) => lets(predicate, change, sink, source))) return;
  try {
    const priority = priorityOf(change);
    for (const target of handler(change, sink.cluster))
      sink.enqueue({ cluster: sink.cluster, ...target }, { priority });
  } catch (error) {
    // Not retried: it would throw again, and only a code change fixes it. Requests yielded before the error are queued.
    const { namespace, name } = change.object.metadata;
    sink.log.error({ err: error, source, namespace, name }, 'cannot map a change to requests');
  }
}

/**
 * A predicate that throws lets the change pass: an unnecessary reconcile costs little, a missing one may cost hours.
 */
function lets<P extends Projected>(predicate: Predicate<P>, change: Change<P>, sink: Sink, source: string): boolean {
  try {
    return predicate(change);
  } catch (error) {
    sink.log.error({ err: error, source }, 'predicate failed, change passes');
    return true;
  }
}

export interface ExternalSource extends Source {
  /**
   * For events from outside the clusters: a database notification, a webhook. Returns false when the request is dropped
   * (the controller has not started, does not lead, or has not engaged that cluster): the pusher must be able to
   * enqueue everything again at the start, as `polls` does.
   */
  push(request: Request, options?: AddOptions): boolean;
}

/** One external source may serve all clusters: each request goes to its cluster's sink. */
export function external(name: string): ExternalSource {
  const sinks = new Map<string, Sink>();
  return {
    name,
    start(sink) {
      sinks.set(sink.cluster, sink);
      const end = (): void => {
        // The cluster may have come back.
        if (sinks.get(sink.cluster) === sink) sinks.delete(sink.cluster);
      };
      sink.signal.addEventListener('abort', end, { once: true });
      return { hasSynced: true, synced: () => Promise.resolve(), trouble: () => undefined };
    },
    push(request, options) {
      return sinks.get(request.cluster)?.enqueue(request, options) ?? false;
    },
  };
}
