/** The containerized data importer: disks, where they come from, and its installation. */
import type { Schema } from '../../schema/schema.ts';
import { cdiConditions } from './conditions.ts';
import { dataVolumeSpec } from './data-volume-spec.ts';
import { AGE, PHASE, column, define, type CustomResourceDefinition, type Outline } from './definition.ts';
import { fields, flag, int32, list, open, text, textMap, texts, time, word, type Properties } from './schema.ts';

const shared = { group: 'cdi.kubevirt.io', versions: ['v1beta1'] } satisfies Partial<Outline>;

const named = (description: string): Schema =>
  fields(
    description,
    { name: text('Its name.'), namespace: text('Its namespace.') },
    { required: ['name', 'namespace'] },
  );

const dataVolumeStatus = (): Schema =>
  open('How far it is.', {
    phase: text(
      'Pending, WaitForFirstConsumer, PendingPopulation, PVCBound, ImportScheduled, ImportInProgress, CloneScheduled, CloneInProgress, ' +
        'UploadScheduled, UploadReady, Paused, Succeeded, Failed, Unknown, or another step of a clone.',
    ),
    progress: text('How much is done, such as 42.00%, or N/A.'),
    restartCount: int32('How often it had to begin again.'),
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
  description:
    'A disk that is filled from somewhere: a PersistentVolumeClaim of the same name, and what it takes to fill it.',
  spec: dataVolumeSpec('What the disk should be. It cannot be changed.'),
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
  description: 'A name for what new disks are filled with, such as the latest image of an operating system.',
  spec: fields('What it stands for.', { source: fields('Exactly one of these.', sources) }, { required: ['source'] }),
  status: open('Whether it can be used: the condition Ready.', {
    conditions: cdiConditions(),
    source: open('What it stands for, in the end.', sources),
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
  description: 'Imports an image again and again as it changes, and keeps a DataSource at the latest.',
  spec: fields(
    'What should be imported, and when.',
    {
      managedDataSource: text('The DataSource that is kept at the latest.'),
      schedule: text('When the source is asked for something new, as cron writes it.'),
      template: fields(
        'The DataVolume of an import.',
        {
          apiVersion: text('May be left out.'),
          kind: text('May be left out.'),
          metadata: { type: 'object', description: 'Not used.' },
          spec: dataVolumeSpec('What the disk should be.'),
          status: dataVolumeStatus(),
        },
        { required: ['spec'] },
      ),
      importsToKeep: int32('How many older imports are kept; 3 unless said.'),
      garbageCollect: text('What becomes of older imports: Outdated (the default) or Never.'),
      retentionPolicy: text('What becomes of imports when this is deleted: RetainAll (the default) or None.'),
      serviceAccountName: text('The ServiceAccount of the pods that ask and import.', { minLength: 1 }),
    },
    { required: ['managedDataSource', 'schedule', 'template'] },
  ),
  status: open('How far it is.', {
    conditions: cdiConditions(),
    currentImports: list(
      'Imports that are going on.',
      open(
        'One import.',
        { DataVolumeName: text('Its DataVolume.'), Digest: text('What is imported.') },
        { required: ['DataVolumeName', 'Digest'] },
      ),
    ),
    lastExecutionTimestamp: time('When the source was asked last.'),
    lastImportTimestamp: time('When something was imported last.'),
    lastImportedPVC: named('The latest import.'),
    sourceFormat: text('pvc or snapshot.'),
  }),
});

const claimPropertySets = (): Schema =>
  list(
    'What claims of the class can be, the best first.',
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
  dataImportCronSourceFormat: text('How images are kept: pvc or snapshot.'),
  snapshotClass: text('The VolumeSnapshotClass.'),
});

const storageProfile = define({
  ...shared,
  kind: 'StorageProfile',
  plural: 'storageprofiles',
  clusterScoped: true,
  hasStatus: true,
  description: 'What CDI knows about a StorageClass. There is one for each, of the same name.',
  spec: fields('What an administrator knows better.', profile()),
  status: open('What holds.', {
    ...profile(),
    conditions: cdiConditions(),
    provisioner: text('The provisioner of the class.'),
    storageClass: text('The class.'),
  }),
});

const overhead = (): Schema =>
  open('The share of a volume that its file system needs for itself, such as 0.06.', {
    global: text('Of all classes.'),
    storageClass: textMap('Of single classes.'),
  });

const configSpec = (): Properties => ({
  featureGates: { type: 'array', description: 'Features that are switched on.', items: { type: 'string' } },
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
  description:
    'The configuration of CDI as it holds. There is one, named config; the CDI object is where it is changed.',
  spec: open('What was set.', configSpec()),
  status: open('What holds.', {
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
  description: 'The installation of CDI in this cluster: its version, its configuration, and how it is.',
  spec: open('What should be installed.', {
    config: open('The configuration.', configSpec()),
    imagePullPolicy: text('Always, IfNotPresent or Never.'),
    infra: open('Where the components run.'),
    workload: open('Where pods run that fill disks.'),
    uninstallStrategy: text(
      'When this object is deleted while disks exist: BlockUninstallIfWorkloadsExist or RemoveWorkloads.',
    ),
    cloneStrategyOverride: text('How disks are cloned: copy, snapshot or csi-clone.'),
  }),
  status: open('How the installation is.', {
    phase: text('Deploying, Deployed, Upgrading, Deleting, Deleted or Error.'),
    conditions: cdiConditions(),
    operatorVersion: text('The version of the operator.'),
    targetVersion: text('The version that should be installed.'),
    observedVersion: text('The version that is installed.'),
  }),
});

/** What a claim names as its dataSourceRef when CDI fills it. */
const populatorSource = (
  kind: string,
  plural: string,
  description: string,
  properties: Properties,
): CustomResourceDefinition =>
  define({
    ...shared,
    kind,
    plural,
    description,
    spec: open('What the claim is filled with.', properties),
    status: open('Not used.'),
  });

const preallocation = flag('All of the storage is taken at once.');

export const cdiDefinitions: readonly CustomResourceDefinition[] = [
  dataVolume,
  dataSource,
  dataImportCron,
  storageProfile,
  cdiConfig,
  cdi,
  populatorSource('VolumeImportSource', 'volumeimportsources', 'Fills a claim by an import.', {
    source: open('Where from, as in a DataVolume.'),
    contentType: text('kubevirt or archive.'),
    preallocation,
    targetClaim: text('The claim.'),
  }),
  populatorSource('VolumeCloneSource', 'volumeclonesources', 'Fills a claim with a copy of another.', {
    source: open('What is copied.', { kind: text('Its kind.'), name: text('Its name.') }),
    preallocation,
    priorityClassName: text('How important the pods are that copy.'),
  }),
  populatorSource('VolumeUploadSource', 'volumeuploadsources', 'Fills a claim by an upload.', {
    contentType: text('kubevirt or archive.'),
    preallocation,
  }),
];
