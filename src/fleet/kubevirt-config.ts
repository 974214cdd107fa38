/** KubevirtConfig, as deploy/crds/kubevirtconfigs.vitistack.io.yaml declares it, and the Secret that it names. */
import type { KubeObject } from '../kube/object.ts';
import type { Condition } from '../kube/reconcile/conditions.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { conditionTypes } from './reasons.ts';

/** The uid that a person accepts as the new identity of a cluster. */
export const acceptIdentityAnnotation = 'vitistack.io/accept-identity';
/** Who uses a cluster keeps its KubevirtConfig: each kind of user by a finalizer and a condition of its own, which nobody else touches. */
export interface Holder {
  readonly finalizer: string;
  /** There only while the KubevirtConfig is to be deleted and is still used. */
  readonly condition: string;
}

export const inUseFinalizer = 'vitistack.io/in-use';
export const holders = {
  /** The vm-controller, for virtual data centers. */
  tenants: { finalizer: inUseFinalizer, condition: conditionTypes.inUse },
  /** The machine operator, for Machines. */
  machines: { finalizer: 'vitistack.io/in-use-by-machines', condition: conditionTypes.inUseByMachines },
} as const satisfies Record<string, Holder>;
/** The key of the Secret's data. */
export const kubeconfigKey = 'kubeconfig';
/** The name that the process's own cluster has in the fleet. */
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
  /** That of the KubevirtConfig unless said. */
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

export interface Secret extends KubeObject {
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export const secrets: ResourceType<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};

export const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** An older definition may let an object through without what ours demands: it must not take the others down. */
export function secretKeyOf(config: KubevirtConfig): { namespace: string; name: string } {
  const spec: Partial<KubevirtConfigSpec> | undefined = config.spec;
  return { namespace: spec?.secretNamespace || config.metadata.namespace || '', name: spec?.kubeconfigSecretRef ?? '' };
}
