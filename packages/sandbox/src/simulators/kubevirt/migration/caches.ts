/**
 * The objects that the migration and evacuation controllers read: those of the VMI controller, and nodes, with indexes.
 */
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Unstructured } from '@ssvirt/kube/object';
import { perCluster } from '@ssvirt/kube/per-cluster';
import { nodes, type Pod, type VirtualMachineInstance, type VirtualMachineInstanceMigration } from '../objects.ts';
import { CONTROLLER_INDEX, MIGRATED_VMI_INDEX, cachesOf as vmiCachesOf, type VmiCaches } from '../vmi/caches.ts';
import { isFinal as isPodFinal } from '../vmi/pods.ts';
import { migrationConfiguration, type MigrationConfiguration } from './configuration.ts';
import { labels } from './names.ts';
import { isFinal } from './state.ts';

const UNFINISHED_INDEX = 'kubevirt-unfinished-migration';
const NODE_INDEX = 'kubevirt-node';
const EVACUATED_INDEX = 'kubevirt-evacuated-node';

export interface MigrationCaches extends VmiCaches {
  readonly nodes: Informer<Unstructured>;
}

export const cachesOf: (cluster: Cluster) => MigrationCaches = perCluster((cluster) => {
  const caches = { ...vmiCachesOf(cluster), nodes: cluster.informers.informer(nodes) };
  caches.migrations.addIndex(UNFINISHED_INDEX, (migration) => (isFinal(migration) ? [] : ['']));
  caches.vmis.addIndex(NODE_INDEX, ({ status }) => (status?.nodeName === undefined ? [] : [status.nodeName]));
  caches.vmis.addIndex(EVACUATED_INDEX, (vmi) => {
    const node = evacuatedNode(vmi);
    return node === '' ? [] : [node];
  });
  return caches;
});

/** `evacuatedNode` returns the node that a VMI must leave; an empty string if it may stay. */
export function evacuatedNode({ status }: VirtualMachineInstance): string {
  const node = status?.['evacuationNodeName'];
  return typeof node === 'string' ? node : '';
}

export const evacuated = (caches: MigrationCaches, node: string): readonly VirtualMachineInstance[] =>
  caches.vmis.byIndex(EVACUATED_INDEX, node);

export const vmisOn = (caches: MigrationCaches, node: string): readonly VirtualMachineInstance[] =>
  caches.vmis.byIndex(NODE_INDEX, node);

export const unfinished = (caches: MigrationCaches): readonly VirtualMachineInstanceMigration[] =>
  caches.migrations.byIndex(UNFINISHED_INDEX, '');

export const migrationsOf = (
  caches: MigrationCaches,
  { metadata }: VirtualMachineInstance,
): readonly VirtualMachineInstanceMigration[] =>
  caches.migrations.byIndex(MIGRATED_VMI_INDEX, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`);

export const podsOf = (
  caches: MigrationCaches,
  { metadata }: { readonly metadata: { readonly uid?: string } },
): readonly Pod[] => caches.pods.byIndex(CONTROLLER_INDEX, metadata.uid ?? '');

/** `activePods` is the number of pods that have not ended, of any migration. */
export const activePods = (caches: MigrationCaches, vmi: VirtualMachineInstance): number =>
  podsOf(caches, vmi).filter((pod) => !isPodFinal(pod)).length;

export function targetOf(
  caches: MigrationCaches,
  { metadata }: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
): Pod | undefined {
  return podsOf(caches, vmi).find((pod) => pod.metadata.labels?.[labels.job] === metadata.uid);
}

export const vmiOf = (
  caches: MigrationCaches,
  { metadata, spec }: VirtualMachineInstanceMigration,
): VirtualMachineInstance | undefined =>
  caches.vmis.get({ namespace: metadata.namespace ?? '', name: spec?.vmiName ?? '' });

export const configurationIn = (caches: MigrationCaches): MigrationConfiguration =>
  migrationConfiguration(caches.kubeVirts.list()[0]);
