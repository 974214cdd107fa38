/** An order: `VirtualMachine` of `cloudkit.openshift.io`, as deploy/crds/ declares it, and what its parts are called everywhere. */

export interface OrderSpec {
  readonly templateID: string;
  /** A JSON object as text; none, and an empty text, are `{}`. */
  readonly templateParameters?: string;
  /** Where its objects are made; the order's own namespace unless said. Never changed. */
  readonly tenantNamespace?: string;
  /** Computed from template and parameters unless said. */
  readonly desiredConfigVersion?: string;
}

export type OrderPhase = 'Progressing' | 'Failed' | 'Ready' | 'Deleting';

/** Who provisions an order. */
export type Mode = 'controller' | 'aap';

/** Beside conditions and observedGeneration. */
export interface OrderFacts {
  readonly phase?: OrderPhase;
  /** What is asked for now: of the spec, else computed. AAP gives it back in an annotation. */
  readonly desiredConfigVersion?: string;
  readonly reconciledConfigVersion?: string;
  /** Where `spec.desiredConfigVersion` is set: the computed version of the spec that was applied last. */
  readonly reconciledSpecVersion?: string;
  readonly virtualMachineReference?: { readonly namespace: string; readonly kubeVirtVirtualMachineName: string };
  /** Written by others, and left as it is: AAP's playbooks read it. */
  readonly tenantReference?: { readonly name: string; readonly namespace: string };
  /** Who works on it, or has last; recorded before anything is made or asked for. */
  readonly provisionedBy?: Mode;
  /** A version that the controller has given up, and AAP was asked for in its place. */
  readonly fallbackConfigVersion?: string;
  readonly ipAddresses?: readonly string[];
  readonly loadBalancerAddress?: string;
  /** The last calls of AAP, so that a restart neither forgets nor hurries. */
  readonly webhook?: WebhookRecord;
}

export interface WebhookRecord {
  readonly action: 'create' | 'delete';
  readonly configVersion: string;
  /** The computed version of the spec that was sent, where `configVersion` is another. */
  readonly specVersion?: string;
  readonly attempts: number;
  readonly lastAttemptTime: string;
  /** When AAP last said that it has taken a call of this action. */
  readonly acceptedTime?: string;
  /** Which version that was: another than `configVersion` where a newer one has not been taken yet. */
  readonly acceptedConfigVersion?: string;
  /** When a call last stayed without an answer: AAP may have taken it all the same. */
  readonly unansweredTime?: string;
  readonly lastError?: string;
}

export const group = 'cloudkit.openshift.io';
export const version = 'v1alpha1';
export const kind = 'VirtualMachine';

/** Ours. The origin's operator has put the same one on. */
export const finalizer = 'cloudkit.openshift.io/virtualmachine';
/** Put on and taken off by AAP's jobs. */
export const aapFinalizers: readonly string[] = [
  'cloudkit.openshift.io/virtualmachine-aap',
  'cloudkit.openshift.io/computeinstance-aap',
];

export const labels = {
  /** On every child: the order's name. Ours bear it, and those of older roles. */
  order: 'cloudkit.openshift.io/virtualmachine',
  /** What newer roles of AAP put in its place. */
  instance: 'cloudkit.openshift.io/computeinstance',
  /** On an order: its id in the fulfillment service. */
  uuid: 'cloudkit.openshift.io/virtualmachine-uuid',
  /** On the pods of a machine, by its template: what the Service selects. */
  vm: 'kubevirt.io/vm',
  /** On a namespace: the namespace whose orders may use it. */
  project: 'cloudkit.openshift.io/project',
} as const;

export const annotations = {
  managedBy: 'cloudkit.openshift.io/managed-by',
  managementState: 'cloudkit.openshift.io/management-state',
  reconciledConfigVersion: 'cloudkit.openshift.io/reconciled-config-version',
  floatingIp: 'cloudkit.openshift.io/floating-ip-address',
  /** On a namespace: the namespaces whose orders may use it, with commas between. */
  orderNamespaces: 'cloudkit.openshift.io/order-namespaces',
  /** On an order by an OrderTemplate: which state of it was applied, and the machine that came of it. */
  templateVersion: 'cloudkit.openshift.io/template-version',
} as const;

export const conditions = {
  accepted: 'Accepted',
  progressing: 'Progressing',
  available: 'Available',
  deleting: 'Deleting',
  cloudInitSecret: 'CloudInitSecretReady',
  sshKeySecret: 'SSHKeySecretReady',
  dataVolume: 'DataVolumeReady',
  virtualMachine: 'VirtualMachineReady',
  service: 'ServiceReady',
  /** Secrets and ConfigMaps of an OrderTemplate. */
  objects: 'ObjectsReady',
  /** There only where it is True. */
  specNotReconciled: 'SpecNotReconciled',
} as const;

export type ChildCondition =
  | typeof conditions.cloudInitSecret
  | typeof conditions.sshKeySecret
  | typeof conditions.dataVolume
  | typeof conditions.virtualMachine
  | typeof conditions.service
  | typeof conditions.objects;

/** Why an order is not done as asked; each has a way out in its message. */
export type ProblemReason =
  | 'InvalidParameters'
  | 'InvalidName'
  | 'UnsupportedTemplate'
  | 'InvalidTemplate'
  | 'FloatingIPTemplate'
  | 'UnknownManagedBy'
  | 'NamespaceNotBound'
  | 'NamespaceNotFound'
  | 'NamespaceTerminating'
  | 'SecretsForbidden'
  | 'NoDefaultStorageClass'
  | 'StorageClassNotFound'
  | 'DataImporterMissing'
  | 'NameConflict'
  | 'ImmutableFieldChanged'
  | 'WebhookNotConfigured'
  | 'WebhookFailed'
  | 'Refused'
  | 'InsufficientResources'
  | 'RetriesExhausted';

export interface Problem {
  readonly reason: ProblemReason;
  readonly message: string;
}

/** The built-in template's ids; lists in the configuration replace them. */
export const nativeTemplates: readonly string[] = ['osac.templates.ocp_virt_vm', 'cloudkit.templates.ocp_virt_vm'];
export const floatingIpTemplates: readonly string[] = ['osac.massopencloud.ocp_virt_vm'];
