/**
 * The objects that a template creates, kept as text until an instantiation is checked: templates are large, and most of
 * them are never used.
 */
import { fields, list } from '../facts/reading.ts';

const LARGEST_BODY = 256 * 1024;

export interface TemplateBody {
  readonly objects: readonly unknown[];
  readonly labels?: unknown;
}

/** `written` returns undefined if the body is too large, or nested too deep to be serialized. */
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

/** A VirtualMachineTemplate may omit the apiVersion and kind of its VirtualMachine. */
export function asMachine(virtualMachine: unknown): unknown {
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', ...fields(virtualMachine) };
}
