/** A step of virt-handler for a VMI: one write with its events, or a wait. */
import type { EventType } from '@ssvirt/kube/events/event';
import type { JsonObject } from '../../../values/json.ts';
import type { Condition, Pod, VirtualMachineInstance, VmiPhase } from '../../kubevirt/objects.ts';
import type { Dials, DialFault } from '../../dials.ts';

export interface Happening {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  /** The node whose virt-handler emits the event. Default: the writer's node. */
  readonly host?: string;
}

export interface StatusWrite {
  readonly kind: 'write';
  /** The node whose virt-handler writes. */
  readonly node: string;
  /** The changed fields of the status; undefined removes a field. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly before?: readonly Happening[];
  readonly after?: readonly Happening[];
}

export type DomainStep = StatusWrite | { readonly kind: 'wait'; readonly ms: number } | undefined;

export const wait = (ms: number): DomainStep => ({ kind: 'wait', ms });

/** `Scene` is the input of a decision. */
export interface Scene {
  readonly vmi: VirtualMachineInstance;
  readonly node: string;
  /** The launcher that runs the domain. */
  readonly pod: Pod | undefined;
  readonly targetPod: Pod | undefined;
  readonly dials: Dials;
  readonly now: string;
  hasFault(kind: DialFault): boolean;
  /** The milliseconds left of a stage; `ms` is its duration in real-cluster time. */
  left(stage: string, ms: number, since?: string | null): number;
  accessModes(claim: string): readonly string[] | undefined;
  isRunning(pod: string): boolean;
  addressOf(node: string): string;
}

export function conditionsWithout(vmi: VirtualMachineInstance, type: string): readonly Condition[] {
  return (vmi.status?.conditions ?? []).filter((one) => one.type !== type);
}

export function conditionOf(vmi: VirtualMachineInstance, type: string): Condition | undefined {
  return vmi.status?.conditions?.find((one) => one.type === type);
}

interface Transition {
  readonly phase: string;
  readonly phaseTransitionTimestamp: string;
}

function transitions({ status }: VirtualMachineInstance): readonly Transition[] {
  return (status?.['phaseTransitionTimestamps'] as readonly Transition[] | undefined) ?? [];
}

export function since(vmi: VirtualMachineInstance, phase: string): string | undefined {
  return transitions(vmi).find((one) => one.phase === phase)?.phaseTransitionTimestamp;
}

export function enter(vmi: VirtualMachineInstance, phase: VmiPhase, now: string): Readonly<Record<string, unknown>> {
  return {
    phase,
    phaseTransitionTimestamps: [...transitions(vmi), { phase, phaseTransitionTimestamp: now }],
  };
}

export const devicesOf = (vmi: VirtualMachineInstance): JsonObject =>
  (vmi.spec.domain['devices'] as JsonObject | undefined) ?? {};
