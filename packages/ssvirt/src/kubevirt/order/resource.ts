/**
 * An order: `VirtualMachine` of `cloudkit.openshift.io` as deploy/crds/ declares it, and the names of its labels,
 * annotations, conditions and reasons.
 */

export interface OrderSpec {
  readonly templateID: string;
  /** A JSON object as text; an absent or empty text is `{}`. */
  readonly templateParameters?: string;
  /** The namespace of its objects; the default is the order's own namespace. Never changed. */
  readonly tenantNamespace?: string;
  /** The default is computed from template and parameters. */
  readonly desiredConfigVersion?: string;
}

export type OrderPhase = 'Progressing' | 'Failed' | 'Ready' | 'Deleting';

/** Who provisions an order. */
export type Mode = 'controller' | 'aap';

/** `OrderFacts` is the status without conditions and observedGeneration. */
export interface OrderFacts {
  readonly phase?: OrderPhase;
  /** The version that is requested now: from the spec, or else computed. AAP returns it in an annotation. */
  readonly desiredConfigVersion?: string;
  readonly reconciledConfigVersion?: string;
  /** Set if `spec.desiredConfigVersion` is: the computed version of the spec that was applied last. */
  readonly reconciledSpecVersion?: string;
  readonly virtualMachineReference?: { readonly namespace: string; readonly kubeVirtVirtualMachineName: string };
  /** Written by others and left unchanged: AAP's playbooks read it. */
  readonly tenantReference?: { readonly name: string; readonly namespace: string };
  /** The mode that works on it, or did last; recorded before anything is created or requested. */
  readonly provisionedBy?: Mode;
  /** A version that the controller has given up, and that was requested from AAP instead. */
  readonly fallbackConfigVersion?: string;
  readonly ipAddresses?: readonly string[];
  readonly loadBalancerAddress?: string;
  /** The last calls of AAP, so that a restart neither forgets a call nor repeats it too early. */
  readonly webhook?: WebhookRecord;
}

export interface WebhookRecord {
  readonly action: 'create' | 'delete';
  readonly configVersion: string;
  /** The computed version of the spec that was sent, if `configVersion` differs. */
  readonly specVersion?: string;
  readonly attempts: number;
  readonly lastAttemptTime: string;
  /** When AAP last accepted a call of this action. */
  readonly acceptedTime?: string;
  /** The version of that call; it differs from `configVersion` if a newer version was not accepted yet. */
  readonly acceptedConfigVersion?: string;
  /** When a call last got no answer: AAP may have accepted it nevertheless. */
  readonly unansweredTime?: string;
  readonly lastError?: string;
}

export const group = 'cloudkit.openshift.io';
export const version = 'v1alpha1';
export const kind = 'VirtualMachine';

/** Our finalizer; the original operator uses the same one. */
export const finalizer = 'cloudkit.openshift.io/virtualmachine';
/** AAP's jobs add and remove these. */
export const aapFinalizers: readonly string[] = [
  'cloudkit.openshift.io/virtualmachine-aap',
  'cloudkit.openshift.io/computeinstance-aap',
];

export const labels = {
  /** On every child: the order's name. Our objects have it, and those of older AAP roles. */
  order: 'cloudkit.openshift.io/virtualmachine',
  /** Newer AAP roles use this label instead. */
  instance: 'cloudkit.openshift.io/computeinstance',
  /** On an order: its id in the fulfillment service. */
  uuid: 'cloudkit.openshift.io/virtualmachine-uuid',
  /** On the pods of a VM, through its template: the Service selects by it. */
  vm: 'kubevirt.io/vm',
  /** On a namespace: the namespace whose orders may use it. */
  project: 'cloudkit.openshift.io/project',
} as const;

export const annotations = {
  managedBy: 'cloudkit.openshift.io/managed-by',
  managementState: 'cloudkit.openshift.io/management-state',
  reconciledConfigVersion: 'cloudkit.openshift.io/reconciled-config-version',
  floatingIp: 'cloudkit.openshift.io/floating-ip-address',
  /** On a namespace: the namespaces whose orders may use it, separated by commas. */
  orderNamespaces: 'cloudkit.openshift.io/order-namespaces',
  /**
   * On an order with an OrderTemplate: the version of the template that was applied, and the VM that resulted from it.
   */
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
  /** Present only while True. */
  specNotReconciled: 'SpecNotReconciled',
} as const;

export type ChildCondition =
  | typeof conditions.cloudInitSecret
  | typeof conditions.sshKeySecret
  | typeof conditions.dataVolume
  | typeof conditions.virtualMachine
  | typeof conditions.service
  | typeof conditions.objects;

/** Why an order is not fulfilled; each message says what to do. */
export type OrderProblemReason =
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

export interface OrderProblem {
  readonly reason: OrderProblemReason;
  readonly message: string;
}

/** `nativeTemplates` are the ids of the built-in template; lists in the configuration replace them. */
export const nativeTemplates: readonly string[] = ['osac.templates.ocp_virt_vm', 'cloudkit.templates.ocp_virt_vm'];
export const floatingIpTemplates: readonly string[] = ['osac.massopencloud.ocp_virt_vm'];
