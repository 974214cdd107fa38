/**
 * The dials of running simulators: how long things take, and what goes wrong. All times are those of a real cluster,
 * before `speed`.
 */

export interface Dials {
  /** A minute of a real cluster takes a minute divided by this. A change applies from the next wait on. */
  speed: number;
  /** From the scheduling of a launcher pod to its running containers. */
  podStartMs: number;
  /** From the running pod to the running domain. */
  bootMs: number;
  /** From the running domain to the guest agent's connection; a guest without an agent never has one. */
  agentMs: number;
  /** How long a guest takes to shut down on ACPI. */
  shutdownMs: number;
  /** For one import or host-assisted clone of any size. */
  importMs: number;
  /** For the provisioning of a volume. */
  provisionMs: number;
  migrationMs: number;
  readonly nodes: { readonly count: number; readonly cpu: string; readonly memory: string };
  /** The active faults. */
  faults: readonly SimulatedFault[];
}

/** The names in `ssvirt sandbox dial --fault` and in the annotation `sandbox.ssvirt.io/fault`. */
export const faultKinds = [
  /** The importer keeps failing. */
  'import-fails',
  /** No node fits. */
  'unschedulable',
  /** The domain ends before it runs. */
  'crash-loop',
  /** The image of the launcher or of a container disk cannot be pulled. */
  'image-pull-error',
  /** The guest crashes, once per boot. */
  'guest-crash',
  /** The guest ignores ACPI. */
  'ignores-acpi',
  /** The guest has no agent. */
  'no-agent',
  /** A live migration fails. */
  'migration-fails',
  /** The node does not answer: its pods and VMIs stop changing; `node` names it. */
  'node-lost',
  /** Volumes are not provisioned. */
  'volume-pending',
] as const;

export type DialFault = (typeof faultKinds)[number];

export interface SimulatedFault {
  readonly kind: DialFault;
  /** The affected VMs or DataVolumes; if absent, all of the namespace or cluster. */
  readonly namespace?: string;
  readonly name?: string;
  readonly node?: string;
}

/**
 * An object can request its own faults, as a comma-separated list. On a VM it applies to its VMI, pod and DataVolumes
 * too.
 */
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
