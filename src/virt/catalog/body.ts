/** What a template makes, kept as text for the check of an instantiation: templates are large, and most of them are never used. */
import { fields, list } from '../facts/reading.ts';

const LARGEST_BODY = 256 * 1024;

export interface TemplateBody {
  readonly objects: readonly unknown[];
  readonly labels?: unknown;
}

/** Undefined where it is too large, or nested too deep to be written. */
export function written(body: TemplateBody): string | undefined {
  try {
    const text = JSON.stringify(body);
    return text.length > LARGEST_BODY ? undefined : text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function readBody(text: string): TemplateBody {
  const { objects, labels } = fields(JSON.parse(text));
  return { objects: list(objects), labels };
}

/** A VirtualMachineTemplate need not say that what it makes is a VirtualMachine. */
export function asMachine(virtualMachine: unknown): unknown {
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', ...fields(virtualMachine) };
}
