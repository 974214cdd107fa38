/** The objects that the VMI controller reads, with their indexes. */
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Unstructured } from '@ssvirt/kube/object';
import { perCluster } from '@ssvirt/kube/per-cluster';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import {
  dataVolumes,
  kubeVirts,
  namespaces,
  persistentVolumeClaims,
  pods,
  virtualMachineInstanceMigrations,
  virtualMachineInstances,
  virtualMachines,
  type DataVolume,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '../objects.ts';
import { claimOf, volumesOf } from './domain.ts';
import { labels } from './names.ts';
import type { Storage } from './volumes.ts';

const resourceQuotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

export interface VmiCaches {
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly vms: Informer<VirtualMachine>;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly dataVolumes: Informer<DataVolume>;
  readonly migrations: Informer<VirtualMachineInstanceMigration>;
  readonly quotas: Informer<Unstructured>;
  readonly namespaces: Informer<Unstructured>;
  readonly kubeVirts: Informer<Unstructured>;
}

/** Indexes pods by the uid of their controller: a VMI, or the launcher pod of attachment pods. */
export const CONTROLLER_INDEX = 'kubevirt-controller-uid';
/** Indexes VMIs by `namespace/name` of the PVCs and DataVolumes that they use. */
export const CLAIM_INDEX = 'kubevirt-claim';
/** Indexes migrations by `namespace/name` of their VMI. */
export const MIGRATED_VMI_INDEX = 'kubevirt-migrated-vmi';
/** Indexes PVCs by `namespace/name` of the VMI whose state they keep. */
export const STATE_INDEX = 'kubevirt-persistent-state';

export const cachesOf: (cluster: Cluster) => VmiCaches = perCluster(({ informers }) => {
  const caches = {
    vmis: informers.informer(virtualMachineInstances),
    vms: informers.informer(virtualMachines),
    pods: informers.informer(pods),
    claims: informers.informer(persistentVolumeClaims),
    dataVolumes: informers.informer(dataVolumes),
    migrations: informers.informer(virtualMachineInstanceMigrations),
    quotas: informers.informer(resourceQuotas),
    namespaces: informers.informer(namespaces),
    kubeVirts: informers.informer(kubeVirts),
  };
  caches.pods.addIndex(CONTROLLER_INDEX, (pod) => {
    const uid = controllerOf(pod)?.uid;
    return uid === undefined ? [] : [uid];
  });
  caches.vmis.addIndex(CLAIM_INDEX, (vmi) => {
    const names = volumesOf(vmi)
      .map(claimOf)
      .filter((name) => name !== undefined);
    return [...new Set(names)].map((name) => `${vmi.metadata.namespace ?? ''}/${name}`);
  });
  caches.migrations.addIndex(MIGRATED_VMI_INDEX, ({ metadata, spec }) => [
    `${metadata.namespace ?? ''}/${spec?.vmiName ?? ''}`,
  ]);
  caches.claims.addIndex(STATE_INDEX, ({ metadata }) => {
    const vmi = metadata.labels?.[labels.persistentStateFor];
    return vmi === undefined ? [] : [`${metadata.namespace ?? ''}/${vmi}`];
  });
  return caches;
});

export function storageIn(caches: VmiCaches, namespace: string): Storage {
  return {
    claim: (name) => caches.claims.get({ namespace, name }),
    dataVolume: (name) => caches.dataVolumes.get({ namespace, name }),
  };
}
