/** `x-kubernetes-validations`: whether an object keeps the rules of its schema. */
import type { FieldError } from '../api/status.ts';
import type { Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type RuleFindings, RuleValidator } from './validator.ts';

export type { RuleFindings } from './validator.ts';

/** Compiled programs, as long as the schema lives; null stands for a schema without rules. */
const validators = new WeakMap<Schema, RuleValidator | null>();

function validatorOf(schema: Schema): RuleValidator | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = RuleValidator.of(schema, true) ?? null;
  validators.set(schema, compiled);
  return compiled;
}

/** Whether the schema of a resource has any rule at all. */
export function hasRules(schema: Schema): boolean {
  return validatorOf(schema) !== null;
}

/**
 * Evaluates every rule of a resource's schema. `old` is undefined on create; on update, rules that name oldSelf are
 * evaluated where an old value can be found, and failures of what did not change are warnings only.
 */
export function evaluateRules(schema: Schema, value: Json, old: Json | undefined): RuleFindings {
  return validatorOf(schema)?.validate(value, old, '', true) ?? { errors: [], warnings: [] };
}

/**
 * The failures of a default, at the place in a schema that has it: as the value that an update leaves alone, and then as
 * one that appears. `isRoot` tells a resource from a part of one, which has no kind and name of its own.
 */
export function defaultRuleErrors(schema: Schema, value: Json, path: string, isRoot: boolean): readonly FieldError[] {
  const validator = RuleValidator.of(schema, isRoot);
  if (validator === undefined) return [];
  const { errors } = validator.validate(value, value, path, false);
  return errors.length > 0 ? errors : validator.validate(value, undefined, path, false).errors;
}
