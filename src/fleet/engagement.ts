/**
 * A cluster that is in use: client, caches and recorder behind the guard of its identity. It lives from the first proof of identity until the
 * KubevirtConfig goes or a person accepts another cluster in its place; credentials may change meanwhile, an outage ends nothing.
 */
import { createInformers } from '../kube/cache/informers.ts';
import { withOwnWrites } from '../kube/cache/own-writes.ts';
import type { Client } from '../kube/client/client.ts';
import { createClient } from '../kube/client/create.ts';
import { swappable } from '../kube/client/swappable.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { ConnectionSource } from '../kube/connection.ts';
import { createRecorder } from '../kube/events/recorder.ts';
import { askIdentity } from './contact.ts';
import { guardedClient } from './guarded-client.ts';
import { IdentityGuard } from './identity-guard.ts';
import type { Parts } from './parts.ts';

export interface Engagement {
  readonly cluster: Cluster;
  readonly identity: string;
  readonly guard: IdentityGuard;
  /** Past the guard: for questions about the cluster itself. */
  readonly bare: Client;
  /** Requests in flight end as they began; all later ones use the new source. It must have led to the same cluster. */
  replace(source: ConnectionSource): void;
  end(): Promise<void>;
}

export interface EngagementOptions {
  readonly name: string;
  readonly source: ConnectionSource;
  readonly identity: string;
  readonly parts: Parts;
  readonly deadlineMs: number;
  readonly changed: (found: string) => void;
}

export function engage({ name, source, identity, parts, deadlineMs, changed }: EngagementOptions): Engagement {
  const { metrics, clock, userAgent, component, reflector } = parts;
  const log = parts.log.child({ cluster: name });
  const connection = swappable(source);
  const bare = createClient({
    cluster: name,
    source: connection,
    userAgent,
    metrics,
    log,
    clock,
    fieldManager: component,
  });
  const guard = new IdentityGuard({
    cluster: name,
    identity,
    ask: (signal) => askIdentity(bare, { timeoutMs: deadlineMs, ...(signal === undefined ? {} : { signal }) }),
    changed,
  });
  const client = guardedClient(bare, guard);
  const informers = createInformers({ client, metrics, log, clock, ...(reflector === undefined ? {} : { reflector }) });
  const recorder = createRecorder({ client, component, metrics, log, clock });
  const leaving = new AbortController();
  return {
    cluster: { name, client: withOwnWrites(client, informers), informers, recorder, signal: leaving.signal },
    identity,
    guard,
    bare,
    replace(next) {
      connection.replace(next);
      guard.doubt();
    },
    async end() {
      leaving.abort();
      await informers.stop();
      await recorder.stop(1000);
      await bare.close();
    },
  };
}
