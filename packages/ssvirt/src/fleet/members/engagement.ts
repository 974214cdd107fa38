/**
 * A member in use: client, caches and recorder behind the identity guard. It lives from the first proof of identity
 * until the KubevirtConfig is deleted or a person accepts another cluster in its place. Credentials may change
 * meanwhile, and an outage does not end it.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '@ssvirt/kube/client/client';
import { swappable } from '@ssvirt/kube/client/swappable';
import type { Cluster } from '@ssvirt/kube/cluster';
import { connectCluster } from '@ssvirt/kube/connect-cluster';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import { requestIdentity } from '../identity/identity-request.ts';
import { guardedClient } from '../identity/guarded-client.ts';
import { IdentityGuard } from '../identity/identity-guard.ts';
import type { Parts } from './parts.ts';

export interface Engagement {
  readonly cluster: Cluster;
  readonly identity: string;
  readonly guard: IdentityGuard;
  /** Bypasses the guard, for requests about the cluster itself. */
  readonly bare: Client;
  /**
   * Requests in flight finish on the old connection; later ones use the new source. The caller has verified that it
   * leads to the same cluster.
   */
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

/** How long to wait for queued events when the cluster leaves. A failing connection may be the reason why it leaves. */
const flushMs = 1000;

export function engage({ name, source, identity, parts, deadlineMs, changed }: EngagementOptions): Engagement {
  const connection = swappable(source);
  const guard = new IdentityGuard({
    cluster: name,
    identity,
    ask: (signal) => requestIdentity(cluster.bare, { timeoutMs: deadlineMs, ...defined({ signal }) }),
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
