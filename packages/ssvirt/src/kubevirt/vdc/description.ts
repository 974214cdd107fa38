/** `VdcDescription` is a VDC as its namespace shows it. */
export interface VdcDescription {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly namespace: string;
  readonly enabled: boolean;
  readonly organizationId: string;
  readonly organizationName: string;
  /** The installation of ssvirt that created it: several may share a cluster. */
  readonly installationId: string;
  /** 0 means no limit; a MB is a MiB. */
  readonly vmQuota: number;
  readonly memoryLimitMb: number;
  readonly storageLimitMb: number;
}

/** The inputs of the RoleBindings in the namespaces of a cluster. */
export interface VdcAccess {
  /** The api-server's own account in that cluster, as a subject of a RoleBinding. */
  readonly subject: Readonly<Record<string, string>>;
  /** Whether the cluster serves OpenShift's TemplateInstances. */
  readonly servesTemplates: boolean;
}

/**
 * A level of the Pod Security Standards that admits the pods of KubeVirt. `restricted` is none: it refuses launchers
 * without a seccomp profile, which is their default.
 */
export type PodSecurityLevel = 'baseline' | 'privileged';

/** Settings that do not depend on a VDC but on the clusters. */
export interface ClusterNamespaces {
  /** The namespaces of CDI: its upload proxy connects to the pods that fill disks. */
  readonly importNamespaces: readonly string[];
  /** The namespaces from which images are cloned: pods there send to the pods that fill disks. */
  readonly imageNamespaces: readonly string[];
  /** What the pods that import disks may reach. Default: everything. */
  readonly importNetworks?: readonly IpBlock[];
  /** The level that the namespaces of VDCs enforce. */
  readonly podSecurity: PodSecurityLevel;
}

/** Addresses as a NetworkPolicy names them. */
export interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** `defaultClusterNamespaces` are the namespaces in which upstream, the operators and OpenShift Virtualization install CDI, and keep images. */
export const defaultClusterNamespaces: ClusterNamespaces = {
  importNamespaces: ['cdi', 'kubevirt', 'openshift-cnv', 'kubevirt-hyperconverged'],
  imageNamespaces: ['openshift-virtualization-os-images', 'kubevirt-os-images'],
  podSecurity: 'baseline',
};
