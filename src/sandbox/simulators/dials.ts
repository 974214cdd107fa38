/** How long things take and what goes wrong: what a person can turn while the simulators run. All times are those of a real cluster, before `speed`. */

export interface Dials {
  /** A minute of a real cluster takes a minute divided by this. Changes hold from the next wait on. */
  speed: number;
  /** From a launcher pod that is scheduled to its containers running. */
  podStartMs: number;
  /** From the pod running to the domain running. */
  bootMs: number;
  /** From the domain running to the guest agent's first word; a guest without an agent never has one. */
  agentMs: number;
  /** How long a guest takes to obey ACPI. */
  shutdownMs: number;
  /** For one import or host-assisted clone, whatever its size. */
  importMs: number;
  /** For a volume to be provisioned. */
  provisionMs: number;
  migrationMs: number;
  readonly nodes: { readonly count: number; readonly cpu: string; readonly memory: string };
  /** What goes wrong, until it is lifted. */
  faults: readonly SimulatedFault[];
}

/** The names that `ssvirt sandbox simulate fault` and the annotation `sandbox.ssvirt.io/fault` know. */
export const faultKinds = [
  /** The importer fails again and again. */
  'import-fails',
  /** No node fits. */
  'unschedulable',
  /** The domain dies before it runs. */
  'crash-loop',
  /** The launcher's or a container disk's image cannot be pulled. */
  'image-pull-error',
  /** The guest ends by itself: a crash, once for each boot. */
  'guest-crash',
  /** The guest does not obey ACPI. */
  'ignores-acpi',
  /** The guest has no agent. */
  'no-agent',
  /** A live migration fails. */
  'migration-fails',
  /** The node does not answer: its pods and VMIs stand still, `node` says which. */
  'node-lost',
  /** Volumes are not provisioned. */
  'volume-pending',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface SimulatedFault {
  readonly kind: FaultKind;
  /** Which VMs or DataVolumes it is for; all of a namespace, or of the cluster, where absent. */
  readonly namespace?: string;
  readonly name?: string;
  readonly node?: string;
}

/** An object can ask for its own faults: a comma list. On a VM it is meant for its VMI, pod and DataVolumes too. */
export const FAULT_ANNOTATION = 'sandbox.ssvirt.io/fault';

export const defaultDials: Dials = {
  speed: 1,
  podStartMs: 2000,
  bootMs: 3000,
  agentMs: 15_000,
  shutdownMs: 3000,
  importMs: 10_000,
  provisionMs: 500,
  migrationMs: 8000,
  nodes: { count: 3, cpu: '16', memory: '64Gi' },
  faults: [],
};
