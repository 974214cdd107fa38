/**
 * Cluster-wide instance types and preferences: the sizes that a VM can have, and the hardware that suits its operating
 * system.
 */
import { mebibytes } from '@ssvirt/base/values/quantity';
import { fields, known, positiveInteger, text } from '../facts/reading.ts';

export interface InstanceType {
  readonly name: string;
  readonly displayName?: string;
  readonly cpus: number;
  readonly memoryMb: number;
}

export interface Preference {
  readonly name: string;
  readonly displayName?: string;
}

/** `fromInstancetype` returns undefined if the sizes are missing: no VM could be created with such an instance type. */
export function fromInstancetype(object: unknown): InstanceType | undefined {
  const { metadata, spec } = fields(object);
  const { cpu, memory } = fields(spec);
  const preference = fromPreference({ metadata });
  const cpus = positiveInteger(fields(cpu)['guest']);
  const memoryMb = mebibytes(fields(memory)['guest']);
  if (preference === undefined || cpus === undefined || memoryMb === undefined) return undefined;
  return { ...preference, cpus, memoryMb };
}

export function fromPreference(object: unknown): Preference | undefined {
  const { name, annotations, deletionTimestamp } = fields(fields(object)['metadata']);
  const called = text(name);
  if (called === undefined || deletionTimestamp !== undefined) return undefined;
  return known<Preference>({ name: called, displayName: text(fields(annotations)['openshift.io/display-name']) });
}
