/** A virtual data center as far as its namespace shows it. */
export interface VdcDescription {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly namespace: string;
  readonly enabled: boolean;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Which installation of ssvirt has made it: several may share a cluster. */
  readonly installationId: string;
  /** 0 for as many, and as much, as there is; a MB is a MiB. */
  readonly vmQuota: number;
  readonly memoryLimitMb: number;
  readonly storageLimitMb: number;
}

/** What the RoleBindings in the namespaces of a cluster depend on. */
export interface VdcAccess {
  /** The api-server's own account there, as a subject of a RoleBinding. */
  readonly subject: Readonly<Record<string, string>>;
  /** Whether the cluster serves OpenShift's TemplateInstances. */
  readonly servesTemplates: boolean;
}

/** What is not of one virtual data center but of the clusters. */
export interface VdcSurroundings {
  /** Where CDI runs: its upload proxy reaches the pods that fill disks. */
  readonly importNamespaces: readonly string[];
  /** Where images are cloned from: pods there send to those that fill disks. */
  readonly imageNamespaces: readonly string[];
}

/** The names under which upstream, the operators and OpenShift Virtualization install CDI, and keep images. */
export const defaultSurroundings: VdcSurroundings = {
  importNamespaces: ['cdi', 'kubevirt', 'openshift-cnv', 'kubevirt-hyperconverged'],
  imageNamespaces: ['openshift-virtualization-os-images', 'kubevirt-os-images'],
};
