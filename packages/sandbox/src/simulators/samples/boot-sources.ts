/**
 * Disks from which VMs start: an image for each operating system, and a DataImportCron that keeps a DataSource at the
 * latest one.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import { importName } from '../cdi/imports/import-cron.ts';
import { POPULATED_FOR } from '../cdi/names.ts';
import { namespaces, persistentVolumeClaims, type PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { place, type Placed } from '../place-objects.ts';
import { dataImportCrons, namespace, roleBindings, roles } from './kinds.ts';
import { systems, type System } from './systems.ts';

export const BOOT_SOURCES = 'kubevirt-os-images';

const ROLE = 'os-images.kubevirt.io:view';

/** The instance type and preference that a VM infers from the disk. */
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
        // In the key order of the server, because the name of the import contains a digest of this object.
        source: { registry: { pullMethod: 'node', url: `docker://${system.image}` } },
        storage: { resources: { requests: { storage: system.size } } },
      },
    },
  },
});

/** The PVC that the import would create: it is placed in advance, so that VMs need not wait for it. */
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

/** All users may clone them. */
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

/** The crons find their imports done if the PVCs were placed before. */
export const importCrons: readonly Placed[] = place(dataImportCrons, systems.map(cron));
