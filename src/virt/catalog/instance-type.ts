/** What a machine can be sized by, and what its system likes: instance types and preferences of a whole cluster. */
import { mebibytes } from '../facts/quantity.ts';
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

/** Undefined where it does not say how large it is: then it is none that a machine could be made with. */
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
