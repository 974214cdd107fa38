/** What is known of a member without a request: the children of this supervisor's Machines, and what they depend on. */
import type { WithFacts } from '../../fleet/projections.ts';
import type { Informer, Projected } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { ServedKind } from '@ssvirt/kube/controller/served-kind';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { NamespacedKind } from '@ssvirt/kube/controller/namespaced-kind';
import { perCluster } from '@ssvirt/kube/per-cluster';
import { childrenOfKindSelector, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import { roleBindings } from '../../fleet/identity/account.ts';
import { localName } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  networkAttachments,
  secrets,
  storageClasses,
  virtualMachines,
} from '../../fleet/kinds.ts';
import { labels, managedBy } from '../../kubevirt/machine/resource.ts';
import type { StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import {
  childProjection,
  claimProjection,
  classProjection,
  dataVolumeProjection,
  instanceProjection,
  namespaceProjection,
  vmProjection,
  type ProjectedClaim,
  type ProjectedDataVolume,
  type MachineInstance,
  type MachineVm,
} from './projections.ts';
import { machines } from './machine-types.ts';

export interface MemberCaches {
  readonly vms: Informer<MachineVm>;
  readonly instances: Informer<MachineInstance>;
  readonly claims: Informer<ProjectedClaim>;
  /** Only if CDI is installed. */
  readonly dataVolumes: ServedKind<ProjectedDataVolume>;
  /** Only if Multus is installed. Shared by the Machines of a namespace. */
  readonly attachments: ServedKind<KubeObject>;
  /** Only metadata is cached, never the contents. Covers the namespaces in which a RoleBinding grants access. */
  readonly secrets: NamespacedKind<KubeObject>;
  /** In the namespaces of Machines of any supervisor. Undefined in the supervisor, where administrators create them. */
  readonly roleBindings: Informer<KubeObject> | undefined;
  readonly classes: Informer<WithFacts<StorageClassFacts>>;
  readonly namespaces: Informer<Projected>;
}

export const byParent = 'parent uid';
/** VMs and instances by the PersistentVolumeClaims that they have as volumes. */
export const byClaim = 'claim';

/** `supervisor` is the uid of its kube-system namespace. Several supervisors may use the same member. */
export function memberCaches(supervisor: string): (cluster: Cluster) => MemberCaches {
  const ours = `${labels.supervisor}=${supervisor}`;
  // A consistent read: an outdated list would show objects as gone that are not.
  const children = { labelSelector: `${childrenOfKindSelector(machines)},${ours}`, consistent: true } as const;
  return perCluster((cluster) => {
    const { informers } = cluster;
    return {
      vms: withClaims(informers.informer(virtualMachines, { ...children, projection: vmProjection })),
      instances: withClaims(informers.informer(instances, { ...children, projection: instanceProjection })),
      claims: indexed(informers.informer(claims, { ...children, projection: claimProjection })),
      dataVolumes: new ServedKind(cluster, dataVolumes, () =>
        indexed(informers.informer(dataVolumes, { ...children, projection: dataVolumeProjection })),
      ),
      attachments: new ServedKind(cluster, networkAttachments, () =>
        informers.informer(networkAttachments, {
          labelSelector: `${labels.managedBy}=${managedBy},${ours}`,
          consistent: true,
          projection: childProjection,
        }),
      ),
      secrets: new NamespacedKind(secrets, (namespace) =>
        informers.informer(secrets, {
          ...children,
          namespaces: [namespace],
          metadataOnly: true,
          projection: childProjection,
        }),
      ),
      roleBindings:
        cluster.name === localName
          ? undefined
          : informers.informer(roleBindings, {
              labelSelector: `${labels.managedBy}=${managedBy}`,
              consistent: true,
              projection: childProjection,
            }),
      classes: informers.informer(storageClasses, { projection: classProjection }),
      namespaces: informers.informer(namespaces, { metadataOnly: true, projection: namespaceProjection }),
    };
  });
}

function withClaims<P extends MachineVm | MachineInstance>(informer: Informer<P>): Informer<P> {
  informer.addIndex(byClaim, ({ metadata: { namespace = '' }, claims: names }) =>
    names.map((name) => keyOf({ namespace, name })),
  );
  return informer;
}

function indexed<P extends Projected>(informer: Informer<P>): Informer<P> {
  informer.addIndex(byParent, ({ metadata }) => {
    const uid = parentUidOf(metadata);
    return uid === undefined ? [] : [uid];
  });
  return informer;
}
