/** The kinds of the Containerized Data Importer: disks, their sources, and its installation. */
import type { Schema } from '../../objects/schema/schema.ts';
import { cdiConditions } from './conditions.ts';
import { dataVolumeSpec } from './data-volume-spec.ts';
import { AGE, PHASE, column, define, type InstalledDefinition, type Outline } from './definition.ts';
import { fields, flag, int32, list, open, text, textMap, texts, time, word, type Properties } from './schema.ts';

const shared = { group: 'cdi.kubevirt.io', versions: ['v1beta1'] } satisfies Partial<Outline>;

const named = (description: string): Schema =>
  fields(
    description,
    { name: text('Its name.'), namespace: text('Its namespace.') },
    { required: ['name', 'namespace'] },
  );

const dataVolumeStatus = (): Schema =>
  open('The progress.', {
    phase: text(
      'Pending, WaitForFirstConsumer, PendingPopulation, PVCBound, ImportScheduled, ImportInProgress, CloneScheduled, CloneInProgress, ' +
        'UploadScheduled, UploadReady, Paused, Succeeded, Failed, Unknown, or another step of a clone.',
    ),
    progress: text('How much is done, such as 42.00%, or N/A.'),
    restartCount: int32('The number of restarts.'),
    claimName: text('The PersistentVolumeClaim.'),
    conditions: cdiConditions(),
  });

const dataVolume = define({
  ...shared,
  kind: 'DataVolume',
  plural: 'datavolumes',
  shortNames: ['dv', 'dvs'],
  inAll: true,
  hasStatus: true,
  columns: [
    column('Phase', 'string', '.status.phase', { description: 'The phase the data volume is in' }),
    column('Progress', 'string', '.status.progress', {
      description: 'Transfer progress in percentage if known, N/A otherwise',
    }),
    column('Restarts', 'integer', '.status.restartCount', {
      description: 'The number of times the transfer has been restarted.',
    }),
    AGE,
  ],
  description: 'A disk with its source: a PersistentVolumeClaim of the same name, and how it is filled.',
  spec: dataVolumeSpec('The desired disk. It cannot be changed.'),
  status: dataVolumeStatus(),
});

const sources: Properties = {
  pvc: named('A PersistentVolumeClaim.'),
  snapshot: named('A VolumeSnapshot.'),
  dataSource: named('Another DataSource.'),
};

const dataSource = define({
  ...shared,
  kind: 'DataSource',
  plural: 'datasources',
  shortNames: ['das'],
  inAll: true,
  description: 'A name for a source of new disks, such as the latest image of an operating system.',
  spec: fields('The source.', { source: fields('Exactly one of these.', sources) }, { required: ['source'] }),
  status: open('Whether it can be used: the condition Ready.', {
    conditions: cdiConditions(),
    source: open('The resolved source.', sources),
  }),
});

const dataImportCron = define({
  ...shared,
  kind: 'DataImportCron',
  plural: 'dataimportcrons',
  shortNames: ['dic', 'dics'],
  inAll: true,
  columns: [
    column('Format', 'string', '.status.sourceFormat', {
      description: 'The format in which created sources are saved',
    }),
  ],
  description: 'Imports an image whenever it changes, and keeps a DataSource at the latest import.',
  spec: fields(
    'The requested imports and their schedule.',
    {
      managedDataSource: text('The DataSource that points to the latest import.'),
      schedule: text('When the source is checked for a new image, in cron format.'),
      template: fields(
        'The DataVolume of an import.',
        {
          apiVersion: text('May be left out.'),
          kind: text('May be left out.'),
          metadata: { type: 'object', description: 'Not used.' },
          spec: dataVolumeSpec('The desired disk.'),
          status: dataVolumeStatus(),
        },
        { required: ['spec'] },
      ),
      importsToKeep: int32('How many older imports are kept. Default: 3.'),
      garbageCollect: text('What happens to older imports: Outdated (the default) deletes them, Never keeps them.'),
      retentionPolicy: text('What happens to imports when this is deleted: RetainAll (the default) or None.'),
      serviceAccountName: text('The ServiceAccount of the pods that poll and import.', { minLength: 1 }),
    },
    { required: ['managedDataSource', 'schedule', 'template'] },
  ),
  status: open('The progress.', {
    conditions: cdiConditions(),
    currentImports: list(
      'Running imports.',
      open(
        'One import.',
        { DataVolumeName: text('Its DataVolume.'), Digest: text('What is imported.') },
        { required: ['DataVolumeName', 'Digest'] },
      ),
    ),
    lastExecutionTimestamp: time('When the source was last checked.'),
    lastImportTimestamp: time('When the last import ended.'),
    lastImportedPVC: named('The latest import.'),
    sourceFormat: text('pvc or snapshot.'),
  }),
});

const claimPropertySets = (): Schema =>
  list(
    'The possible claims of the class, best first.',
    fields(
      'One possibility.',
      {
        accessModes: texts('Access modes.', {
          maxItems: 4,
          'x-kubernetes-validations': [
            {
              rule: "self.all(am, am in ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'])",
              message: 'Illegal AccessMode',
            },
          ],
        }),
        volumeMode: word('The volume mode.', ['Block', 'Filesystem']),
      },
      { required: ['accessModes', 'volumeMode'] },
    ),
    { maxItems: 8 },
  );

const profile = (): Properties => ({
  claimPropertySets: claimPropertySets(),
  cloneStrategy: text('How disks are cloned: copy, snapshot or csi-clone.'),
  dataImportCronSourceFormat: text('How images are stored: pvc or snapshot.'),
  snapshotClass: text('The VolumeSnapshotClass.'),
});

const storageProfile = define({
  ...shared,
  kind: 'StorageProfile',
  plural: 'storageprofiles',
  clusterScoped: true,
  hasStatus: true,
  description: 'What CDI knows about a StorageClass. There is one for each, of the same name.',
  spec: fields('Values that override those that CDI detected.', profile()),
  status: open('The effective values.', {
    ...profile(),
    conditions: cdiConditions(),
    provisioner: text('The provisioner of the class.'),
    storageClass: text('The class.'),
  }),
});

const overhead = (): Schema =>
  open('The share of a volume that its file system needs for itself, such as 0.06.', {
    global: text('For all classes.'),
    storageClass: textMap('For single classes.'),
  });

const configSpec = (): Properties => ({
  featureGates: { type: 'array', description: 'Enabled features.', items: { type: 'string' } },
  filesystemOverhead: overhead(),
  scratchSpaceStorageClass: text('The StorageClass of scratch space.'),
  preallocation: flag('All of the storage is taken at once.'),
  uploadProxyURLOverride: text('Where uploads go.'),
});

const cdiConfig = define({
  ...shared,
  kind: 'CDIConfig',
  plural: 'cdiconfigs',
  clusterScoped: true,
  description: 'The effective configuration of CDI. There is one, named config; change it in the CDI object.',
  spec: open('The requested values.', configSpec()),
  status: open('The effective values.', {
    defaultPodResourceRequirements: open('Resources of the pods that fill disks.'),
    filesystemOverhead: overhead(),
    scratchSpaceStorageClass: text('The StorageClass of scratch space.'),
    preallocation: flag('Whether all of the storage is taken at once.'),
    uploadProxyURL: text('Where uploads go.'),
  }),
});

const cdi = define({
  ...shared,
  kind: 'CDI',
  plural: 'cdis',
  shortNames: ['cdi', 'cdis'],
  clusterScoped: true,
  hasStatus: true,
  columns: [AGE, PHASE],
  labels: { 'operator.cdi.kubevirt.io': '' },
  description: 'The installation of CDI in this cluster: its version, configuration and status.',
  spec: open('The requested installation.', {
    config: open('The configuration.', configSpec()),
    imagePullPolicy: text('Always, IfNotPresent or Never.'),
    infra: open('Where the components run.'),
    workload: open('Where the pods run that fill disks.'),
    uninstallStrategy: text(
      'What happens if this object is deleted while disks exist: BlockUninstallIfWorkloadsExist or RemoveWorkloads.',
    ),
    cloneStrategyOverride: text('How disks are cloned: copy, snapshot or csi-clone.'),
  }),
  status: open('The status of the installation.', {
    phase: text('Deploying, Deployed, Upgrading, Deleting, Deleted or Error.'),
    conditions: cdiConditions(),
    operatorVersion: text('The version of the operator.'),
    targetVersion: text('The version that should be installed.'),
    observedVersion: text('The version that is installed.'),
  }),
});

/** The kinds that a PVC names as its dataSourceRef if CDI fills it. */
const populatorSource = (
  kind: string,
  plural: string,
  description: string,
  properties: Properties,
): InstalledDefinition =>
  define({
    ...shared,
    kind,
    plural,
    description,
    spec: open('What the claim is filled with.', properties),
    status: open('Not used.'),
  });

const preallocation = flag('All of the storage is taken at once.');

export const cdiDefinitions: readonly InstalledDefinition[] = [
  dataVolume,
  dataSource,
  dataImportCron,
  storageProfile,
  cdiConfig,
  cdi,
  populatorSource('VolumeImportSource', 'volumeimportsources', 'Fills a claim by an import.', {
    source: open('The source, as in a DataVolume.'),
    contentType: text('kubevirt or archive.'),
    preallocation,
    targetClaim: text('The claim.'),
  }),
  populatorSource('VolumeCloneSource', 'volumeclonesources', 'Fills a claim with a copy of another.', {
    source: open('What is copied.', { kind: text('Its kind.'), name: text('Its name.') }),
    preallocation,
    priorityClassName: text('The priority class of the pods that copy.'),
  }),
  populatorSource('VolumeUploadSource', 'volumeuploadsources', 'Fills a claim by an upload.', {
    contentType: text('kubevirt or archive.'),
    preallocation,
  }),
];
