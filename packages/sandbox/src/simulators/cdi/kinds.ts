/** The kinds of CDI that only the CDI simulator uses. */
import type { ResourceType } from '@ssvirt/kube/resource-type';

const of = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind,
  plural,
  namespaced,
});

export const cdiConfigs = of('CDIConfig', 'cdiconfigs', false);
export const cdis = of('CDI', 'cdis', false);
export const dataImportCrons = of('DataImportCron', 'dataimportcrons');
export const volumeImportSources = of('VolumeImportSource', 'volumeimportsources');
export const volumeCloneSources = of('VolumeCloneSource', 'volumeclonesources');
export const volumeUploadSources = of('VolumeUploadSource', 'volumeuploadsources');

/** Served only in clusters with snapshots. */
export const volumeSnapshots: ResourceType = {
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind: 'VolumeSnapshot',
  plural: 'volumesnapshots',
  namespaced: true,
};
