/** Numbers in the server's schema validation: a number without a fraction is an int64, any other a float64. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { goFloat, goNumber, isInt64 } from './go/go-text.ts';
import type { Schema } from './schema.ts';

/** `fieldOf` is the field of an error: `<nil>` for the root value, and a top-level map key has no dot. */
export const fieldOf = (path: string): string => (path === '' ? '<nil>' : path.startsWith('.') ? path.slice(1) : path);

const maxFloat32 = 3.4028234663852886e38;

/** Whether a float64 counts as an integer: whole, and small enough to be exact. */
const isExactInteger = (value: number): boolean => Number.isSafeInteger(value);

/** `type` and `format` are the ones that apply, or empty. */
export function numberErrors(schema: Schema, value: number, type: string, format: string, path: string): FieldError[] {
  const errors = rangeErrors(value, type, format, 'Checked', path);
  if (schema.multipleOf !== undefined) multipleErrors(errors, value, schema.multipleOf, type, format, path);
  if (schema.minimum !== undefined) {
    limitErrors(errors, minimum, value, schema.minimum, schema.exclusiveMinimum === true, type, format, path);
  }
  if (schema.maximum !== undefined) {
    limitErrors(errors, maximum, value, schema.maximum, schema.exclusiveMaximum === true, type, format, path);
  }
  return errors;
}

interface Limit {
  readonly name: string;
  readonly broken: (value: number, limit: number, exclusive: boolean) => boolean;
  readonly inclusiveText: string;
  readonly exclusiveText: string;
}

const minimum: Limit = {
  name: 'Minimum boundary',
  broken: (value, limit, exclusive) => (exclusive ? value <= limit : value < limit),
  inclusiveText: 'greater than or equal to',
  exclusiveText: 'greater than',
};
const maximum: Limit = {
  name: 'Maximum boundary',
  broken: (value, limit, exclusive) => (exclusive ? value >= limit : value > limit),
  inclusiveText: 'less than or equal to',
  exclusiveText: 'less than',
};

function limitErrors(
  errors: FieldError[],
  rule: Limit,
  value: number,
  limit: number,
  exclusive: boolean,
  type: string,
  format: string,
  path: string,
): void {
  const unfit = rangeErrors(limit, type, format, rule.name, path);
  errors.push(...unfit);
  // An integer is compared with the truncated limit, unless the limit itself is out of range.
  const asInteger = unfit.length === 0 && isInt64(value);
  const used = asInteger ? Math.trunc(limit) : limit;
  if (!rule.broken(value, used, exclusive)) return;
  const text = exclusive ? rule.exclusiveText : rule.inclusiveText;
  const shown = asInteger ? goNumber(used) : goFloat(used);
  errors.push(fieldError.invalid(fieldOf(path), value, `${path} in body should be ${text} ${shown}`));
}

function multipleErrors(
  errors: FieldError[],
  value: number,
  factor: number,
  type: string,
  format: string,
  path: string,
): void {
  const unfit = rangeErrors(factor, type, format, 'MultipleOf', path);
  errors.push(...unfit);
  const asInteger = unfit.length === 0 && isInt64(value);
  const used = asInteger ? Math.trunc(factor) : factor;
  const shown = asInteger ? goNumber(used) : goFloat(used);
  if (used <= 0) {
    errors.push(
      fieldError.invalid(fieldOf(path), used, `factor MultipleOf declared for ${path} must be positive: ${shown}`),
    );
  } else if (asInteger ? value % used !== 0 : !isExactInteger(used < 1 ? (1 / used) * value : value / used)) {
    errors.push(fieldError.invalid(fieldOf(path), value, `${path} in body should be a multiple of ${shown}`));
  }
}

/** These errors have no field: the server reports them at `<nil>`. */
function rangeErrors(value: number, type: string, format: string, prefix: string, path: string): FieldError[] {
  const fits =
    type === 'integer'
      ? isInt64(value) && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31))
      : format !== 'float' || Math.abs(value) <= maxFloat32;
  if (fits) return [];
  const kind = format === '' ? '(default format)' : `with format ${format}`;
  return [fieldError.invalid('<nil>', '', `${prefix} value must be of type ${type} ${kind} in ${path}`)];
}
