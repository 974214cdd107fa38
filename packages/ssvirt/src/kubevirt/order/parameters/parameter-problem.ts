/** How a parameter of an order is refused: field, value, rule, and what to do. */
import type { OrderProblem } from '../resource.ts';
import { shown } from '../shown.ts';

export interface ParameterProblem {
  /** The parameter's name; `templateParameters` if the problem concerns the whole text. */
  readonly field: string;
  /** The value as it may be shown: cut; for user data and keys, only the length. */
  readonly value: string;
  readonly rule: string;
  /** What to do, without the full stop. */
  readonly remedy: string;
  /** All fields in a sentence, and what to do. */
  readonly message: string;
}

export interface RefusedParameter {
  readonly problem: ParameterProblem;
}

/** `Read` is the result of reading one parameter. */
export type Read<T> = { readonly value: T; readonly warning?: string } | RefusedParameter;

/** Reads the value of a parameter. `written` is the value's JSON text. */
export type Reader<T> = (field: string, value: unknown, written: string) => Read<T>;

export interface ParameterRule {
  /** Continues "must be". */
  readonly rule: string;
  /** What to do, without the full stop. */
  readonly remedy: string;
}

export function refused(field: string, value: unknown, { rule, remedy }: ParameterRule): RefusedParameter {
  return { problem: problem(field, shown(value), rule, remedy) };
}

/** For values that only the guest should read: they are never shown. */
export function refusedUnseen(field: string, value: unknown, { rule, remedy }: ParameterRule): RefusedParameter {
  return { problem: problem(field, unseen(value), rule, remedy) };
}

export function problem(field: string, value: string, rule: string, remedy: string): ParameterProblem {
  return { field, value, rule, remedy, message: `${field} is ${value}, but must be ${rule}. ${remedy}.` };
}

function unseen(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'empty' : `a text of ${value.length} characters (not shown)`;
  return typeof value === 'object' ? shown(value) : `a ${typeof value}`;
}

/** `problemOf` combines all of them into one problem. */
export function problemOf(problems: readonly ParameterProblem[]): OrderProblem {
  return {
    reason: 'InvalidParameters',
    message: `spec.templateParameters: ${problems.map(({ message }) => message).join(' ')}`,
  };
}
