/** The kinds of CDI that only CDI looks at. */
import type { ResourceType } from '../../../kube/resource-type.ts';

const of = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind,
  plural,
  namespaced,
});

export const cdiConfigs = of('CDIConfig', 'cdiconfigs', false);
export const dataImportCrons = of('DataImportCron', 'dataimportcrons');
export const volumeImportSources = of('VolumeImportSource', 'volumeimportsources');
export const volumeCloneSources = of('VolumeCloneSource', 'volumeclonesources');
export const volumeUploadSources = of('VolumeUploadSource', 'volumeuploadsources');
