/**
 * The base of all simulators: one API server, read through one set of caches, and written to under the name of the
 * simulated component, because KubeVirt's webhooks check who writes.
 */
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { Logger } from '@ssvirt/base/config/log';
import type { Dials } from './dials.ts';

/** `components` are the simulated components. Each writes and records events under its own name. */
export const components = {
  'virt-controller': 'system:serviceaccount:kubevirt:kubevirt-controller',
  'virt-api': 'system:serviceaccount:kubevirt:kubevirt-apiserver',
  'virt-operator': 'system:serviceaccount:kubevirt:kubevirt-operator',
  'virt-handler': 'system:serviceaccount:kubevirt:kubevirt-handler',
  'cdi-controller': 'system:serviceaccount:cdi:cdi-sa',
  'default-scheduler': 'system:kube-scheduler',
  kubelet: 'system:serviceaccount:kube-system:ssvirt-kubelet',
  'csi-provisioner': 'system:serviceaccount:kube-system:ssvirt-csi',
  'template-controller': 'system:serviceaccount:openshift-infra:template-instance-controller',
  'virt-template': 'system:serviceaccount:kubevirt:virt-template-controller',
  'service-controller': 'system:serviceaccount:kube-system:service-controller',
} as const;

export type Component = keyof typeof components;

export interface World {
  /**
   * Returns the cluster as a component sees it. All components share the caches (`informers`), which show own writes at
   * once; the client and the recorder are the component's own. virt-handler acts for one node: `node` becomes the
   * identity's `authentication.kubernetes.io/node-name`. Some controllers of a component record events under another
   * name: `events`.
   */
  as(component: Component, options?: { readonly node?: string; readonly events?: string }): Cluster;
  /** The namespace in which KubeVirt is installed. */
  readonly kubevirtNamespace: string;
  readonly dials: Dials;
  /** Calls `listener` after a dial was changed. Returns a function that ends this. */
  onDialsChanged(listener: () => void): () => void;
  /**
   * Converts a duration in a real cluster to the duration here: divided by the speed. For `requeueAfter` and timers.
   */
  scaled(milliseconds: number): number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

/**
 * A simulator: what runs as long as the world does. Controllers are created with `needsLeadership: false` and have
 * engaged `world.as(…)`.
 */
export type Simulator = (world: World) => readonly Runnable[];
