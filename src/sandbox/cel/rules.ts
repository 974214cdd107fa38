/** `x-kubernetes-validations`: whether a schema's rules compile, and whether an object keeps them. */
import type { FieldError } from '../api/status.ts';
import type { Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type RuleFindings, RuleValidator } from './validator.ts';

export { compileRules, type RuleError } from './rule-check.ts';
export type { RuleFindings } from './validator.ts';

type Validators = WeakMap<Schema, RuleValidator | null>;

/** Compiled programs, as long as the schema lives; null stands for a schema without rules. */
const ofResources: Validators = new WeakMap();
const ofParts: Validators = new WeakMap();

function validatorOf(schema: Schema, isRoot: boolean): RuleValidator | null {
  const validators = isRoot ? ofResources : ofParts;
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = RuleValidator.of(schema, isRoot) ?? null;
  validators.set(schema, compiled);
  return compiled;
}

/** Whether a schema has any rule at all. */
export function hasRules(schema: Schema): boolean {
  return validatorOf(schema, true) !== null;
}

const NOTHING: RuleFindings = { errors: [], warnings: [] };

/**
 * Evaluates every rule of a resource's schema. `oldValue` is undefined on create; on update, rules that name oldSelf are
 * evaluated where an old value can be found, and failures of what did not change are warnings only. `isRoot` is false
 * for a part of a resource, such as the value of a default, which has no kind and name of its own.
 */
export function evaluateRules(
  schema: Schema,
  value: Json,
  oldValue: Json | undefined,
  path: string = '',
  isRoot: boolean = true,
): RuleFindings {
  return validatorOf(schema, isRoot)?.validate(value, oldValue, path) ?? NOTHING;
}

/** The errors alone. */
export function validateRules(
  schema: Schema,
  value: Json,
  oldValue: Json | undefined,
  path: string = '',
  isRoot: boolean = true,
): readonly FieldError[] {
  return evaluateRules(schema, value, oldValue, path, isRoot).errors;
}
