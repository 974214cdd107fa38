/** Numbers that may also be written as a percentage (maxSurge, minAvailable). */
import type { FieldError } from '../api/status.ts';
import { fieldError } from '../api/status.ts';
import type { Json } from '../json.ts';
import { regexError } from '../schema/names.ts';
import { nonNegative } from './errors.ts';

const PERCENT = /^[0-9]+%$/;
const PERCENT_ERROR = regexError(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

export function positiveIntOrPercent(value: Json | undefined, field: string): FieldError[] {
  if (typeof value === 'string') return PERCENT.test(value) ? [] : [fieldError.invalid(field, value, PERCENT_ERROR)];
  return nonNegative(typeof value === 'number' ? value : 0, field);
}

export function notMoreThan100Percent(value: Json | undefined, field: string): FieldError[] {
  const percent = typeof value === 'string' && PERCENT.test(value) ? Number(value.slice(0, -1)) : 0;
  return percent > 100 ? [fieldError.invalid(field, value, 'must not be greater than 100%')] : [];
}

/** Zero, whichever way it is written. */
export const isZero = (value: Json | undefined): boolean =>
  value === 0 || value === undefined || /^0+%$/.test(String(value));
