/** What the validation of definitions needs to know from CEL. It is passed in: this folder evaluates nothing. */
import type { FieldError } from '../api/status.ts';
import type { Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';

export interface CompiledRule {
  /** The compiler's complaint about the rule. */
  readonly error?: string;
  /** The rule is missing rather than wrong. */
  readonly required?: boolean;
  /** The complaint about the messageExpression. */
  readonly messageError?: string;
  readonly usesOldSelf: boolean;
}

export interface RuleCompiler {
  /** One result for each of the schema's `x-kubernetes-validations`. `root` is true for a whole object. */
  compile(schema: Schema, root: boolean): readonly CompiledRule[];
  /** The rules at and below a schema, for a default value. */
  evaluate(schema: Schema, value: Json, path: string): FieldError[];
}
