/** Numbers that can also be percentages (maxSurge, minAvailable). */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { Json, JsonObject } from '../../../values/json.ts';
import { regexError } from '../../schema/names.ts';
import { nonNegative } from '../errors.ts';

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

/** Kubernetes' internal strategy struct as printed for an unknown type. */
export function shownStrategy(type: string, rolling: JsonObject | undefined): Json {
  const limits = { MaxUnavailable: rolling?.['maxUnavailable'] ?? 0, MaxSurge: rolling?.['maxSurge'] ?? 0 };
  return { Type: type, RollingUpdate: rolling === undefined ? null : limits };
}

/** `isZero` returns whether the value is zero, as a number or a percentage; any other text counts as zero. */
export function isZero(value: Json | undefined): boolean {
  if (typeof value !== 'string') return value === 0 || value === undefined;
  return !/^[+-]?\d+$/.test(value) && !PERCENT.test(value) ? true : Number.parseInt(value, 10) === 0;
}
