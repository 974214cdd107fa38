/** Disks that machines start from: an image for each operating system, and a DataImportCron that keeps a DataSource at the latest. */
import type { Unstructured } from '../../../kube/object.ts';
import { importName } from '../cdi/import-cron.ts';
import { POPULATED_FOR } from '../cdi/names.ts';
import { namespaces, persistentVolumeClaims, type PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { place, type Placed } from '../place-objects.ts';
import { dataImportCrons, namespace, roleBindings, roles } from './kinds.ts';
import { systems, type System } from './systems.ts';

export const BOOT_SOURCES = 'kubevirt-os-images';

const ROLE = 'os-images.kubevirt.io:view';

/** Instance type and preference that a machine infers from the disk. */
const defaultsOf = ({ instancetype, preference }: System): Readonly<Record<string, string>> => ({
  'instancetype.kubevirt.io/default-instancetype': instancetype,
  'instancetype.kubevirt.io/default-preference': preference,
});

const cron = (system: System): Unstructured => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataImportCron',
  metadata: {
    name: `${system.name}-image-cron`,
    namespace: BOOT_SOURCES,
    labels: defaultsOf(system),
    annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
  },
  spec: {
    managedDataSource: system.name,
    schedule: '0 3 * * 0',
    garbageCollect: 'Outdated',
    importsToKeep: 1,
    retentionPolicy: 'RetainAll',
    template: {
      spec: {
        // In the order in which a server writes it: the import is named by a digest of this.
        source: { registry: { pullMethod: 'node', url: `docker://${system.image}` } },
        storage: { resources: { requests: { storage: system.size } } },
      },
    },
  },
});

/** What the import would make: it is there already, so that machines need not wait for it. */
function importedClaim(system: System): PersistentVolumeClaim {
  const name = importName(cron(system));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: BOOT_SOURCES,
      labels: { app: 'containerized-data-importer', ...defaultsOf(system) },
      annotations: { [POPULATED_FOR]: name },
    },
    spec: {
      accessModes: ['ReadWriteMany'],
      volumeMode: 'Block',
      resources: { requests: { storage: system.size } },
    },
  };
}

/** Everybody may clone them. */
const role: Unstructured = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: ROLE, namespace: BOOT_SOURCES },
  rules: [
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['cdi.kubevirt.io'],
      resources: ['datavolumes', 'datasources', 'dataimportcrons'],
      verbs: ['get', 'list', 'watch'],
    },
    { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes/source'], verbs: ['create'] },
  ],
};

const roleBinding: Unstructured = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: ROLE, namespace: BOOT_SOURCES },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: ROLE },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
};

export const bootSources: readonly Placed[] = [
  ...place(namespaces, [namespace(BOOT_SOURCES)]),
  ...place(roles, [role]),
  ...place(roleBindings, [roleBinding]),
  ...place(persistentVolumeClaims, systems.map(importedClaim)),
];

/** They find their imports done where those were placed before. */
export const importCrons: readonly Placed[] = place(dataImportCrons, systems.map(cron));
