/** `x-kubernetes-validations`: evaluates the rules of a schema for an object. */
import type { FieldError } from '../../server/api/status.ts';
import type { Json } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { type RuleFindings, RuleValidator } from './validator.ts';

export type { RuleFindings } from './validator.ts';

/** Compiled programs, cached while the schema lives; null marks a schema without rules. */
const validators = new WeakMap<Schema, RuleValidator | null>();

function validatorOf(schema: Schema): RuleValidator | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = RuleValidator.of(schema, true) ?? null;
  validators.set(schema, compiled);
  return compiled;
}

/** `hasRules` returns whether the schema of a resource has any rules. */
export function hasRules(schema: Schema): boolean {
  return validatorOf(schema) !== null;
}

/**
 * Evaluates every rule of a resource's schema. `old` is undefined on create. On update, rules that use oldSelf are
 * evaluated where an old value is found, and failures of unchanged values are only warnings.
 */
export function evaluateRules(schema: Schema, value: Json, old: Json | undefined): RuleFindings {
  return validatorOf(schema)?.validate(value, old, '', true) ?? { errors: [], warnings: [] };
}

/**
 * The errors of a default at its place in a schema: first as a value that an update does not change, then as a new
 * value. `isRoot` is true for a resource and false for a part of one, which has no kind and name.
 */
export function defaultRuleErrors(schema: Schema, value: Json, path: string, isRoot: boolean): readonly FieldError[] {
  const validator = RuleValidator.of(schema, isRoot);
  if (validator === undefined) return [];
  const { errors } = validator.validate(value, value, path, false);
  return errors.length > 0 ? errors : validator.validate(value, undefined, path, false).errors;
}
