/** The API server's errors for the expressions of a definition's rules, and for their cost. */
import { type FieldError, fieldError } from '../../server/api/status.ts';
import type { Json } from '../../values/json.ts';
import type { ValidationRule } from '../schema/schema.ts';
import { type CostedSchema, type TotalCost, excessiveCost, messageCost, ruleCost } from './cost/rule-cost.ts';
import { type CompiledRule, compileRule, selfTypeName } from './rule.ts';
import { schemaType } from './schema-types.ts';

/** `RulePlace` is a schema with rules, at any depth in a definition's schema. */
export interface RulePlace extends CostedSchema {
  readonly path: string;
  /** The enclosing list whose items cannot be correlated between versions of an object. */
  readonly uncorrelatable: string | undefined;
  /** An expression that was accepted before is not rejected for its cost. */
  readonly anyCost: boolean;
}

/** `checkRules` checks the rules at one place, whose form is already validated, and adds their cost to the total. */
export function checkRules(place: RulePlace, total: TotalCost): FieldError[] {
  const { schema, path, isRoot } = place;
  const field = `${path}.x-kubernetes-validations`;
  const self = schemaType(schema, isRoot, selfTypeName());
  if (self === undefined) return [untyped(field)];
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, i) =>
    ruleErrors(compileRule(rule, self, schema), place, `${field}[${i}]`, total),
  );
}

const untyped = (field: string): FieldError => ({
  type: 'InternalError',
  field,
  detail:
    'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: ' +
    'unable to convert structural schema to CEL declarations',
});

function ruleErrors(compiled: CompiledRule, place: RulePlace, at: string, total: TotalCost): FieldError[] {
  const { rule, error, messageError, program, message } = compiled;
  const errors: FieldError[] = [];
  const charge = (what: string, field: string, cost: number): void => {
    const excess = place.anyCost ? undefined : excessiveCost(what, cost, field);
    if (excess !== undefined) errors.push(excess);
    total.observe(field, cost);
  };
  if (program !== undefined) charge('estimated rule cost', `${at}.rule`, ruleCost(program, place));
  if (error !== undefined) errors.push(fieldError.invalid(`${at}.rule`, goRule(rule), error));
  if (messageError !== undefined) {
    errors.push(fieldError.invalid(`${at}.messageExpression`, goRule(rule), messageError));
  } else if (message !== undefined) {
    charge('estimated messageExpression cost', `${at}.messageExpression`, messageCost(message, place));
  }
  return [...errors, ...transitionErrors(compiled, place, at)];
}

function transitionErrors(
  { rule, usesOldSelf }: CompiledRule,
  { uncorrelatable }: RulePlace,
  at: string,
): FieldError[] {
  if (usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [fieldError.invalid(`${at}.rule`, rule.rule, why)];
  }
  if (usesOldSelf || rule.optionalOldSelf === undefined) return [];
  const why = 'may not be set if oldSelf is not used in rule';
  return [fieldError.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, why)];
}

/** A rule printed as Go prints the struct. */
const goRule = (rule: ValidationRule): Json => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});
