/** The kinds that the catalog reads from a cluster, and how they are read. */
import type { Projected, Projection } from '@ssvirt/kube/informer/informer';
import type { Unstructured } from '@ssvirt/kube/object';
import { fromDataSource } from '../../kubevirt/catalog/data-source.ts';
import type { CatalogEntry, EntryKind } from '../../kubevirt/catalog/entry.ts';
import {
  fromInstancetype,
  fromPreference,
  type InstanceType,
  type Preference,
} from '../../kubevirt/catalog/instance-type.ts';
import { fromVirtualMachineTemplate } from '../../kubevirt/catalog/machine-template.ts';
import { fromTemplate } from '../../kubevirt/catalog/template.ts';
import { storageClassFacts, type StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';

/** All that the cache keeps of an object. Templates are large, and most templates in a cluster create no VM. */
export interface CatalogProjection<E> extends Projected {
  readonly entry: E | undefined;
}

export interface SoughtKind<E, K extends string = string> {
  readonly kind: K;
  /** The newest first. The first version that is served is read. */
  readonly apiVersions: readonly string[];
  /** Shown to users, for example `templates.template.openshift.io`. */
  readonly resource: string;
  readonly projection: Projection<Unstructured, CatalogProjection<E>>;
}

export const soughtKinds: readonly SoughtKind<CatalogEntry, EntryKind>[] = [
  {
    kind: 'Template',
    apiVersions: ['template.openshift.io/v1'],
    resource: 'templates.template.openshift.io',
    projection: keeping(fromTemplate),
  },
  {
    kind: 'VirtualMachineTemplate',
    apiVersions: ['template.kubevirt.io/v1beta1', 'template.kubevirt.io/v1alpha1'],
    resource: 'virtualmachinetemplates.template.kubevirt.io',
    projection: keeping(fromVirtualMachineTemplate),
  },
  {
    kind: 'DataSource',
    apiVersions: ['cdi.kubevirt.io/v1beta1'],
    resource: 'datasources.cdi.kubevirt.io',
    projection: keeping(fromDataSource),
  },
];

/**
 * Cluster-scoped only. A namespaced instance type is for VMs in its namespace, and a tenant has no way to create one.
 */
export const soughtInstancetypes: SoughtKind<InstanceType> = {
  kind: 'VirtualMachineClusterInstancetype',
  apiVersions: ['instancetype.kubevirt.io/v1', 'instancetype.kubevirt.io/v1beta1'],
  resource: 'virtualmachineclusterinstancetypes.instancetype.kubevirt.io',
  projection: keeping(fromInstancetype),
};

export const soughtPreferences: SoughtKind<Preference> = {
  kind: 'VirtualMachineClusterPreference',
  apiVersions: ['instancetype.kubevirt.io/v1', 'instancetype.kubevirt.io/v1beta1'],
  resource: 'virtualmachineclusterpreferences.instancetype.kubevirt.io',
  projection: keeping(fromPreference),
};

/** Cluster-scoped: the storage classes that disks of VMs can use. */
export const soughtStorageClasses: SoughtKind<StorageClassFacts> = {
  kind: 'StorageClass',
  apiVersions: ['storage.k8s.io/v1'],
  resource: 'storageclasses.storage.k8s.io',
  projection: keeping(storageClassFacts),
};

/** `keeping` keeps of each object only what `read` returns. */
export function keeping<E>(read: (object: unknown) => E | undefined): Projection<Unstructured, CatalogProjection<E>> {
  return {
    name: 'catalog-entry',
    // We never write these kinds, so a projection never gets its own result as input.
    project: (object) => {
      const { name, namespace, uid, resourceVersion } = object.metadata;
      return {
        metadata: { name, namespace, uid, resourceVersion } as CatalogProjection<E>['metadata'],
        entry: read(object),
      };
    },
  };
}
