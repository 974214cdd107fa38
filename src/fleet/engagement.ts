/**
 * A cluster that is in use: client, caches and recorder behind the guard of its identity. It lives from the first proof of identity until the
 * KubevirtConfig goes or a person accepts another cluster in its place; credentials may change meanwhile, an outage ends nothing.
 */
import type { Client } from '../kube/client/client.ts';
import { swappable } from '../kube/client/swappable.ts';
import type { Cluster } from '../kube/cluster.ts';
import { connectCluster } from '../kube/connect-cluster.ts';
import type { ConnectionSource } from '../kube/connection.ts';
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

/** For events that wait when the cluster leaves: it may be the reason why it does. */
const flushMs = 1000;

export function engage({ name, source, identity, parts, deadlineMs, changed }: EngagementOptions): Engagement {
  const connection = swappable(source);
  const guard = new IdentityGuard({
    cluster: name,
    identity,
    ask: (signal) => askIdentity(cluster.bare, { timeoutMs: deadlineMs, ...(signal === undefined ? {} : { signal }) }),
    changed,
  });
  const cluster = connectCluster({
    ...parts,
    name,
    source: connection,
    flushMs,
    guard: (bare) => guardedClient(bare, guard),
  });
  return {
    cluster,
    identity,
    guard,
    bare: cluster.bare,
    replace(next) {
      connection.replace(next);
      guard.doubt();
    },
    end: () => cluster.close(),
  };
}
