/**
 * What an apply would change in a VirtualMachine, field by field. Cloud-init may contain secrets and is not printed.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import { fields, list } from '../../kubevirt/facts/reading.ts';

export interface AdoptionChange {
  /** Such as `spec.template.spec.domain.cpu.cores`; list entries appear by name. */
  readonly field: string;
  /** Absent if the field does not exist. */
  readonly from?: string;
  readonly to: string;
}

/**
 * `changesTo` compares the desired object with the live one. Fields that the desired object does not set stay
 * unchanged.
 */
export function changesTo(live: KubeObject, wanted: KubeObject): readonly AdoptionChange[] {
  return compared(fields(live)['spec'], fields(wanted)['spec'], 'spec')
    .filter(({ field }) => !isLabel(field))
    .toSorted((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
}

/** Labels and annotations of the template reach the instance at its next start, and only identify the owner. */
function isLabel(field: string): boolean {
  return field.startsWith('spec.template.metadata');
}

/** `needsRestart` returns whether a running VM gets the change only after a restart. */
export function needsRestart({ field }: AdoptionChange): boolean {
  return field.startsWith('spec.template.spec');
}

function compared(live: unknown, wanted: unknown, field: string): readonly AdoptionChange[] {
  if (wanted === undefined || written(live) === written(wanted)) return [];
  if (Array.isArray(wanted)) return comparedLists(list(live), wanted, field);
  if (typeof wanted === 'object' && wanted !== null && !isEmpty(wanted) && typeof live === 'object' && live !== null)
    return Object.entries(wanted).flatMap(([name, value]) => compared(fields(live)[name], value, `${field}.${name}`));
  return [{ field, ...(live === undefined ? {} : { from: shown(live, field) }), to: shown(wanted, field) }];
}

function comparedLists(live: readonly unknown[], wanted: readonly unknown[], field: string): readonly AdoptionChange[] {
  const nameOf = (entry: unknown): string => String(fields(entry)['name'] ?? JSON.stringify(entry));
  const before = new Map(live.map((entry) => [nameOf(entry), entry]));
  return wanted.flatMap((entry) => compared(before.get(nameOf(entry)), entry, `${field}["${nameOf(entry)}"]`));
}

/** Serializes a value independent of the order of its fields. */
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
  const content = written(value);
  if (/cloudInit|userData|networkData/i.test(field) || /cloudInit/.test(content)) return 'cloud-init user data';
  return typeof value === 'string' ? value : content;
}
