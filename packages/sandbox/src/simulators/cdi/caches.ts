/** The objects that CDI reads, from the caches that all components share. */
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Unstructured } from '@ssvirt/kube/object';
import { perCluster } from '@ssvirt/kube/per-cluster';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import * as kinds from '../kubevirt/objects.ts';
import { cdiConfigs } from './kinds.ts';
import { originOf } from './origin.ts';

const BY_VM = 'cdi/vm';
const BY_SOURCE = 'cdi/source';
const BY_DATA_SOURCE = 'cdi/data-source';
const BY_PHASE = 'cdi/phase';

export interface CdiCaches {
  readonly dataVolumes: Informer<kinds.DataVolume>;
  readonly claims: Informer<kinds.PersistentVolumeClaim>;
  readonly volumes: Informer<Unstructured>;
  readonly classes: Informer<Unstructured>;
  readonly profiles: Informer<Unstructured>;
  readonly configs: Informer<Unstructured>;
  readonly dataSources: Informer<Unstructured>;
  readonly vms: Informer<kinds.VirtualMachine>;
  readonly nodes: Informer<Unstructured>;
  ofVm(namespace: string, name: string): readonly kinds.DataVolume[];
  /** DataVolumes that clone this PVC and have not succeeded yet. */
  cloning(namespace: string, claim: string): readonly kinds.DataVolume[];
  /** DataVolumes that name this DataSource and have not succeeded yet. */
  following(namespace: string, dataSource: string): readonly kinds.DataVolume[];
  /** DataVolumes without a phase: they wait for a storage class. */
  withoutPhase(): readonly kinds.DataVolume[];
}

export const cdiCaches: (cluster: Cluster) => CdiCaches = perCluster(({ informers }): CdiCaches => {
  const dataVolumes = informers.informer(kinds.dataVolumes);
  const dataSources = informers.informer(kinds.dataSources);
  dataVolumes.addIndex(BY_VM, ({ metadata: { namespace = '', ownerReferences = [] } }) =>
    ownerReferences.filter(({ kind }) => kind === 'VirtualMachine').map(({ name }) => `${namespace}/${name}`),
  );
  dataVolumes.addIndex(BY_SOURCE, (dataVolume) => {
    if (isDone(dataVolume)) return [];
    const origin = originOf(dataVolume, (namespace, name) => dataSources.get({ namespace, name }));
    return origin.kind === 'clone' && origin.of === 'pvc' ? [`${origin.namespace}/${origin.name}`] : [];
  });
  dataVolumes.addIndex(BY_DATA_SOURCE, (dataVolume) => {
    const reference = objectAt(dataVolume.spec, 'sourceRef');
    if (reference === undefined || isDone(dataVolume)) return [];
    const namespace = textAt(reference, 'namespace') || (dataVolume.metadata.namespace ?? '');
    return [`${namespace}/${textAt(reference, 'name')}`];
  });
  dataVolumes.addIndex(BY_PHASE, ({ status }) => [(status?.phase ?? '') === '' ? 'none' : 'some']);
  return {
    dataVolumes,
    dataSources,
    claims: informers.informer(kinds.persistentVolumeClaims),
    volumes: informers.informer(kinds.persistentVolumes),
    classes: informers.informer(kinds.storageClasses),
    profiles: informers.informer(kinds.storageProfiles),
    configs: informers.informer(cdiConfigs),
    vms: informers.informer(kinds.virtualMachines),
    nodes: informers.informer(kinds.nodes),
    ofVm: (namespace, name) => dataVolumes.byIndex(BY_VM, `${namespace}/${name}`),
    cloning: (namespace, claim) => dataVolumes.byIndex(BY_SOURCE, `${namespace}/${claim}`),
    following: (namespace, dataSource) => dataVolumes.byIndex(BY_DATA_SOURCE, `${namespace}/${dataSource}`),
    withoutPhase: () => dataVolumes.byIndex(BY_PHASE, 'none'),
  };
});

function isDone({ status }: kinds.DataVolume): boolean {
  return status?.phase === 'Succeeded';
}
