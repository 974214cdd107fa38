/** KubevirtConfig, as deploy/crds/kubevirtconfigs.vitistack.io.yaml declares it, and the Secret that it names. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { Condition } from '@ssvirt/kube/reconcile/conditions';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { conditionTypes } from './reasons.ts';

/** `acceptIdentityAnnotation` is the uid that a person accepts as the new identity of a cluster. */
export const acceptIdentityAnnotation = 'vitistack.io/accept-identity';
/**
 * A user of a cluster protects its KubevirtConfig from deletion. Each kind of user has a finalizer and a condition of
 * its own, which no other writer touches.
 */
export interface Holder {
  readonly finalizer: string;
  /** Exists only while the KubevirtConfig is being deleted and is still in use. */
  readonly condition: string;
}

export const inUseFinalizer = 'vitistack.io/in-use';
export const holders = {
  /** The vm-controller, for VDCs. */
  tenants: { finalizer: inUseFinalizer, condition: conditionTypes.inUse },
  /** The machine operator, for Machines. */
  machines: { finalizer: 'vitistack.io/in-use-by-machines', condition: conditionTypes.inUseByMachines },
} as const satisfies Record<string, Holder>;
/** `kubeconfigKey` is the key of the Secret's data. */
export const kubeconfigKey = 'kubeconfig';
/** The name of the process's own cluster in the fleet. */
export const localName = 'local';

export type Phase = 'Pending' | 'Ready' | 'Degraded' | 'Failed';
export type ConnectionStatus =
  | 'Connecting'
  | 'Connected'
  | 'Disconnected'
  | 'InvalidKubeconfig'
  | 'IdentityChanged'
  | 'Duplicate';

export interface KubevirtConfigSpec {
  readonly name: string;
  readonly kubeconfigSecretRef: string;
  /** The default is the namespace of the KubevirtConfig. */
  readonly secretNamespace?: string;
}

export interface KubevirtConfigStatus {
  readonly phase?: Phase;
  readonly status?: ConnectionStatus;
  readonly message?: string;
  /** The uid of the cluster's namespace kube-system. */
  readonly identity?: string;
  readonly kubernetesVersion?: string;
  readonly kubevirtVersion?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

export interface KubevirtConfig extends KubeObject {
  readonly spec: KubevirtConfigSpec;
  readonly status?: KubevirtConfigStatus;
}

export const kubevirtConfigs: ResourceType<KubevirtConfig> = {
  group: 'vitistack.io',
  version: 'v1alpha1',
  kind: 'KubevirtConfig',
  plural: 'kubevirtconfigs',
  namespaced: true,
};

/** An older CRD may admit an object without fields that ours requires. Such an object must not break the others. */
export function secretKeyOf(config: KubevirtConfig): { namespace: string; name: string } {
  const spec: Partial<KubevirtConfigSpec> | undefined = config.spec;
  return { namespace: spec?.secretNamespace || config.metadata.namespace || '', name: spec?.kubeconfigSecretRef ?? '' };
}
