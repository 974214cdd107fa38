/** Reads JSON that came over the wire: a value of the wrong type counts as absent. */

import { defined } from '@ssvirt/base/values/defined';

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze({});

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The longest name in Kubernetes. */
const LONGEST_NAME = 253;

// oxlint-disable-next-line no-control-regex -- PostgreSQL refuses NUL, and a line break would split a sentence.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Returns one line without control characters or lone surrogates, at most `longest` long; undefined if nothing is left.
 */
export function text(value: unknown, longest = LONGEST_NAME): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const line = value
    .slice(0, longest * 2)
    .replaceAll(unprintable, ' ')
    .trim();
  const cut = line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
  const whole = cut.toWellFormed();
  return whole === '' ? undefined : whole;
}

/** `positiveInteger` accepts what fits into a column of PostgreSQL's type `integer`. */
export function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 0x7fff_ffff ? value : undefined;
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** `known` removes the fields that are undefined: facts are kept as JSON by the hundred thousand. */
export function known<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return defined(value) as T;
}
