/** What an apply would change in a VirtualMachine, field by field. What a guest is told may be secret, and is not printed. */
import type { KubeObject } from '../../kube/object.ts';
import { fields, list } from '../../virt/facts/reading.ts';

export interface Change {
  /** `spec.template.spec.domain.cpu.cores`; entries of lists by their name. */
  readonly field: string;
  /** Absent where it is not there. */
  readonly from?: string;
  readonly to: string;
}

/** `changesTo` compares what is wanted with what is there: a field that nobody wants stays. */
export function changesTo(live: KubeObject, wanted: KubeObject): readonly Change[] {
  return compared(fields(live)['spec'], fields(wanted)['spec'], 'spec')
    .filter(({ field }) => !isLabel(field))
    .toSorted((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
}

/** Labels and annotations of the template reach the instance at its next start, and say whose it is. */
function isLabel(field: string): boolean {
  return field.startsWith('spec.template.metadata');
}

/** Whether a machine that runs has it only when it has been started again. */
export function needsRestart({ field }: Change): boolean {
  return field.startsWith('spec.template.spec');
}

function compared(live: unknown, wanted: unknown, field: string): readonly Change[] {
  if (wanted === undefined || written(live) === written(wanted)) return [];
  if (Array.isArray(wanted)) return comparedLists(list(live), wanted, field);
  if (typeof wanted === 'object' && wanted !== null && !isEmpty(wanted) && typeof live === 'object' && live !== null)
    return Object.entries(wanted).flatMap(([name, value]) => compared(fields(live)[name], value, `${field}.${name}`));
  return [{ field, ...(live === undefined ? {} : { from: shown(live, field) }), to: shown(wanted, field) }];
}

function comparedLists(live: readonly unknown[], wanted: readonly unknown[], field: string): readonly Change[] {
  const nameOf = (entry: unknown): string => String(fields(entry)['name'] ?? JSON.stringify(entry));
  const before = new Map(live.map((entry) => [nameOf(entry), entry]));
  return wanted.flatMap((entry) => compared(before.get(nameOf(entry)), entry, `${field}["${nameOf(entry)}"]`));
}

/** The same for the same value, in whatever order its fields were written. */
function written(value: unknown): string {
  return JSON.stringify(value, (_field, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))))
      : one,
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function shown(value: unknown, field: string): string {
  const told = written(value);
  if (/cloudInit|userData|networkData/i.test(field) || /cloudInit/.test(told)) return 'what the guest is told';
  return typeof value === 'string' ? value : told;
}
