/** The plug-ins that kube-apiserver enables by default and that have a visible effect, in its order. */
import type { Registry } from '../../server/api/registry.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin } from './admission.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeTaints } from './node-taints.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './quota/resource-quota.ts';
import { serviceAccount } from './service-account.ts';
import { serviceAddresses, type ServiceAddressOptions } from './service-addresses.ts';
import { claimResize, defaultStorageClass, storageProtection } from './storage.ts';
import { mutatingWebhooks, validatingWebhooks } from './webhooks/webhooks.ts';

export interface PluginDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly serviceAddresses?: ServiceAddressOptions;
}

export function defaultPlugins(deps: PluginDeps): AdmissionPlugin[] {
  const { store, registry } = deps;
  const own = [
    namespaceLifecycle(store),
    limitRanger(store),
    serviceAccount(store),
    nodeTaints(),
    priority(store),
    defaultTolerations(),
    defaultStorageClass(store),
    storageProtection(),
    claimResize(store),
  ];
  return [
    ...own,
    mutatingWebhooks({ store, registry }, own),
    // In Kubernetes this is part of the registry, not of admission. It runs after all plug-ins that change a Service
    // and before all that validate it.
    serviceAddresses(store, deps.serviceAddresses),
    validatingWebhooks({ store, registry }),
    resourceQuota(store, registry),
  ];
}
