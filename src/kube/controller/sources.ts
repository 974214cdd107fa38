/** Sources that are told: informers, and pushes from outside. For those that must ask see polls.ts. */
import type { Informer, Projected } from '../cache/informer.ts';
import { resourceName } from '../resource-type.ts';
import type { AddOptions } from '../queue/queue.ts';
import { priorityOf, type Change } from './change.ts';
import type { ChangeHandler } from './handlers.ts';
import type { Predicate } from './predicates.ts';
import type { Request } from './request.ts';
import type { Sink, Source } from './source.ts';

/** Every change of an informer that all predicates let through. The informer stays its owner's: the source takes only its handler away. */
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
    // It would throw again: only the code can be mended. What it named before it threw is in the queue.
    const { namespace, name } = change.object.metadata;
    sink.log.error({ err: error, source, namespace, name }, 'cannot map a change to requests');
  }
}

/** One that throws lets the change through: a reconcile too many costs little, one too few may cost hours. */
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
   * For what happens outside of clusters: a notification of a database, a webhook. False when nobody takes it (the controller has not started, does not
   * lead, or does not have that cluster): whoever pushes must be able to tell everything again at the start, as `polls` does.
   */
  push(request: Request, options?: AddOptions): boolean;
}

/** One external source may serve all clusters: requests go where their cluster is. */
export function external(name: string): ExternalSource {
  const sinks = new Map<string, Sink>();
  return {
    name,
    start(sink) {
      sinks.set(sink.cluster, sink);
      const end = (): void => {
        // The cluster may have come back meanwhile.
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
