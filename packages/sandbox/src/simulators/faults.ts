/** Which faults apply to an object: those of the dials, and those in the annotations of the object or of its VM. */
import type { Dials, DialFault, SimulatedFault } from './dials.ts';
import { FAULT_ANNOTATION } from './dials.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

export interface Sufferer {
  readonly namespace?: string;
  /** The name of the VM or DataVolume; several when the object belongs to more than one. */
  readonly names?: readonly string[];
  readonly node?: string;
  /** Annotations of the object and of its owners. */
  readonly annotations?: readonly Annotations[];
}

export function suffers(dials: Pick<Dials, 'faults'>, kind: DialFault, sufferer: Sufferer): boolean {
  return (
    dials.faults.some((fault) => fault.kind === kind && hits(fault, sufferer)) ||
    (sufferer.annotations ?? []).some((annotations) => asksFor(annotations, kind))
  );
}

function hits(fault: SimulatedFault, { namespace, names = [], node }: Sufferer): boolean {
  return (
    (fault.namespace === undefined || fault.namespace === namespace) &&
    (fault.name === undefined || names.includes(fault.name)) &&
    (fault.node === undefined || fault.node === node)
  );
}

function asksFor(annotations: Annotations, kind: DialFault): boolean {
  const asked = annotations?.[FAULT_ANNOTATION];
  if (asked === undefined) return false;
  return asked.split(',').some((name) => name.trim() === kind);
}

/** `changedFaults` returns the faults that were added or removed: their targets are reconciled again. */
export function changedFaults(
  before: readonly SimulatedFault[],
  after: readonly SimulatedFault[],
): readonly SimulatedFault[] {
  const textsBefore = new Set(before.map((fault) => JSON.stringify(fault)));
  const textsAfter = new Set(after.map((fault) => JSON.stringify(fault)));
  return [
    ...before.filter((fault) => !textsAfter.has(JSON.stringify(fault))),
    ...after.filter((fault) => !textsBefore.has(JSON.stringify(fault))),
  ];
}
