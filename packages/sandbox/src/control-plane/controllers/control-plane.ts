/** The controllers that a real control plane runs in its controller manager. */
import type { ServiceAccountTokens } from '../../server/service-account-tokens.ts';
import type { Store } from '../../store/store.ts';
import type { LocalClient } from './client.ts';
import { DisruptionController } from './disruption.ts';
import { EventExpiry } from './event-expiry.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespaces.ts';
import type { RemoteObjects } from './remote-objects.ts';
import { ResourceQuotaController } from './resource-quota.ts';
import { StorageProtectionController } from './storage-protection.ts';
import { TokenSecretsController } from './token-secrets.ts';
import { VolumeBinder } from './volume-binder.ts';

export interface Stoppable {
  stop(): void;
}

/** Creates the error callback of a controller; each controller retries by itself. */
export type Reporter = (controller: string) => (error: unknown, key: string) => void;

export interface ControlPlaneDeps {
  readonly store: Store;
  readonly client: LocalClient;
  readonly tokens: ServiceAccountTokens;
  /** PEM, for the ConfigMap in every namespace. */
  readonly authority: string;
  /** The objects of other servers. */
  readonly remote: RemoteObjects;
  readonly reporter: Reporter;
}

export function startControlPlane(deps: ControlPlaneDeps): Stoppable[] {
  const { store, client, tokens, authority, remote, reporter } = deps;
  return [
    new GarbageCollector(store, client, reporter('garbage collector'), remote),
    new NamespaceController({ store, client, authority, remote }, reporter('namespace controller')),
    new ResourceQuotaController(store, client, reporter('quota controller')),
    new StorageProtectionController(store, client, reporter('storage protection')),
    new VolumeBinder(store, client, reporter('volume binder')),
    new DisruptionController(store, client, reporter('disruption controller')),
    new TokenSecretsController({ store, client, tokens, authority }, reporter('token controller')),
    new EventExpiry(store, reporter('event expiry')),
  ];
}

/** The namespaces that every cluster has from the start. The uid of `kube-system` is the cluster's identity. */
export async function createSystemNamespaces(client: LocalClient): Promise<void> {
  const namespaces = client.builtin('', 'v1', 'namespaces');
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    if (client.get(namespaces, '', name) !== undefined) continue;
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}
