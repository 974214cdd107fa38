/** The kinds that an OrderTemplate may contain, and the caches that hold their objects. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { claims, configMaps, dataVolumes, secrets, services, virtualMachines } from '../../../fleet/kinds.ts';
import type { ListedKind } from '../../../kubevirt/order/custom/positions.ts';
import type { OrderCaches } from '../operator/caches.ts';
import { childrenOf } from '../parents.ts';
import type { OrderWork } from '../work.ts';

type Key = { readonly namespace: string; readonly name: string };

interface TemplateKind {
  readonly type: ResourceType<KubeObject>;
  readonly get: (caches: OrderCaches, key: Key) => KubeObject | undefined;
  readonly own: (caches: OrderCaches, uid: string) => readonly KubeObject[];
}

const table: Readonly<Record<ListedKind, TemplateKind>> = {
  Secret: {
    type: secrets,
    get: (caches, key) => caches.secrets.get(key),
    own: (caches, uid) => childrenOf(caches.secrets, uid),
  },
  ConfigMap: {
    type: configMaps,
    get: (caches, key) => caches.configMaps.get(key),
    own: (caches, uid) => childrenOf(caches.configMaps, uid),
  },
  Service: {
    type: services,
    get: (caches, key) => caches.services.get(key),
    own: (caches, uid) => childrenOf(caches.services, uid),
  },
  PersistentVolumeClaim: {
    type: claims,
    get: (caches, key) => caches.claims.get(key),
    own: (caches, uid) => childrenOf(caches.claims, uid),
  },
  DataVolume: {
    type: dataVolumes,
    get: (caches, key) => caches.dataVolumes.get(key),
    own: (caches, uid) => caches.dataVolumes.childrenOf(uid),
  },
  VirtualMachine: {
    type: virtualMachines,
    get: (caches, key) => caches.vms.get(key),
    own: (caches, uid) => caches.vms.childrenOf(uid),
  },
};

export const kindsOfTemplates = Object.keys(table) as readonly ListedKind[];

export function typeOf(kind: string): ResourceType<KubeObject> {
  return table[kind as ListedKind].type;
}

export function cachedAt({ caches, identity }: OrderWork, kind: string, name: string): KubeObject | undefined {
  return table[kind as ListedKind].get(caches, { namespace: identity.tenantNamespace, name });
}

/** `ownOfKind` returns the objects in the tenant namespace that carry the labels of this order. */
export function ownOfKind({ caches, identity }: OrderWork, kind: ListedKind): readonly KubeObject[] {
  return table[kind]
    .own(caches, identity.uid)
    .filter(({ metadata }) => metadata.namespace === identity.tenantNamespace);
}
