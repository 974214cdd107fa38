/** What the API server has to say about the rules of a CustomResourceDefinition before it takes it. */
import { type FieldError, fieldError } from '../api/status.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { resolveFieldPath } from './field-path.ts';
import { type CostedSchema, TotalCost, cardinalityBelow, excessiveCost, messageCost, ruleCost } from './rule-cost.ts';
import { type CompiledRule, compileRule, selfTypeName } from './rule.ts';
import { schemaType, valuesOf } from './schema-types.ts';
import { trimSpace } from './strings.ts';

export interface RuleError extends FieldError {
  /** The schema that has the rule, such as `openAPIV3Schema.properties[spec]`. */
  readonly path: string;
  /** The rule's place in `x-kubernetes-validations`; −1 if the error is about all rules together. */
  readonly index: number;
  /** What is wrong, without the rendered value before it. */
  readonly message: string;
}

/** Compiles every rule of a resource's schema. `path` is where the schema stands, for the fields of the errors. */
export function compileRules(schema: Schema, path: string = 'openAPIV3Schema'): readonly RuleError[] {
  const errors: RuleError[] = [];
  const total = new TotalCost();
  checkSchema({ schema, path, isRoot: true, cardinality: 1, uncorrelatable: undefined }, total, errors);
  const excess = total.excess(path).map((error) => ({ ...error, path, index: -1, message: error.detail }));
  return [...errors, ...excess];
}

interface Place extends CostedSchema {
  readonly path: string;
  /** The list around that makes it impossible to find an item's old value. */
  readonly uncorrelatable: string | undefined;
}

/** Answers whether the rules here and below are well formed; only then their expressions are looked at. */
function checkSchema(place: Place, total: TotalCost, errors: RuleError[]): boolean {
  const { schema, path, uncorrelatable } = place;
  const cardinality = cardinalityBelow(schema, place.cardinality);
  let formed = true;
  const below = (inner: Schema | undefined, at: string, around: string | undefined): void => {
    if (inner === undefined) return;
    const isRoot = inner['x-kubernetes-embedded-resource'] === true;
    const innerPlace = { schema: inner, path: at, isRoot, cardinality, uncorrelatable: around };
    if (!checkSchema(innerPlace, total, errors)) formed = false;
  };
  below(valuesOf(schema), `${path}.additionalProperties`, uncorrelatable);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    below(property, `${path}.properties[${name}]`, uncorrelatable);
  }
  const keyed = schema['x-kubernetes-list-type'] === 'map';
  below(schema.items, `${path}.items`, keyed ? uncorrelatable : path);
  const rules = schema['x-kubernetes-validations'] ?? [];
  for (const [index, rule] of rules.entries()) {
    const wrong = [...formErrors(rule, schema, ruleAt(path, index, rule))];
    if (wrong.length > 0) formed = false;
    errors.push(...wrong);
  }
  if (formed) checkExpressions(rules, place, total, errors);
  return formed;
}

interface RulePlace {
  readonly path: string;
  readonly index: number;
  readonly rule: ValidationRule;
}

const ruleAt = (path: string, index: number, rule: ValidationRule): RulePlace => ({ path, index, rule });

const complain = (
  { path, index }: RulePlace,
  field: string,
  message: string,
  make: (at: string) => FieldError,
): RuleError => ({ ...make(`${path}.x-kubernetes-validations[${index}].${field}`), path, index, message });

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasLineBreaks = (text: string): boolean => text.includes('\n');

function* formErrors(rule: ValidationRule, schema: Schema, place: RulePlace): Iterable<RuleError> {
  const { message = '', messageExpression = '', fieldPath = '', reason } = rule;
  const required = (field: string, why: string): RuleError =>
    complain(place, field, why, (at) => fieldError.required(at, why));
  const invalid = (field: string, value: string, why: string): RuleError =>
    complain(place, field, why, (at) => fieldError.invalid(at, value, why));
  if (trimSpace(rule.rule) === '') yield required('rule', 'rule is not specified');
  else if (message !== '' && trimSpace(message) === '')
    yield invalid('message', message, 'must be non-empty if specified');
  else if (hasLineBreaks(trimSpace(message))) yield invalid('message', message, 'must not contain line breaks');
  else if (hasLineBreaks(trimSpace(rule.rule)) && trimSpace(message) === '') {
    yield required('message', 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && trimSpace(messageExpression) === '') {
    yield required('messageExpression', 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    yield complain(place, 'reason', 'unsupported', (at) => fieldError.notSupported(at, reason, REASONS));
  }
  if (fieldPath === '') return;
  if (trimSpace(fieldPath) === '') yield invalid('fieldPath', fieldPath, 'must be non-empty if specified');
  if (hasLineBreaks(fieldPath)) yield invalid('fieldPath', fieldPath, 'must not contain line breaks');
  if (resolveFieldPath(fieldPath, schema) === undefined) yield invalid('fieldPath', fieldPath, 'must be a valid path');
}

function checkExpressions(rules: readonly ValidationRule[], place: Place, total: TotalCost, errors: RuleError[]): void {
  if (rules.length === 0) return;
  const { schema, path, isRoot, uncorrelatable } = place;
  const self = schemaType(schema, isRoot, selfTypeName());
  if (self === undefined) return;
  for (const [index, rule] of rules.entries()) {
    const compiled = compileRule(rule, self, schema);
    const at = ruleAt(path, index, rule);
    errors.push(...ruleCostErrors(compiled, place, at, total));
    errors.push(...expressionErrors(compiled, at, uncorrelatable));
    errors.push(...messageCostErrors(compiled, place, at, total));
  }
}

function* ruleCostErrors(
  { program }: CompiledRule,
  place: Place,
  at: RulePlace,
  total: TotalCost,
): Iterable<RuleError> {
  if (program === undefined) return;
  const cost = ruleCost(program, place);
  yield* costErrors('estimated rule cost', 'rule', cost, at, total);
}

function* messageCostErrors(
  { message }: CompiledRule,
  place: Place,
  at: RulePlace,
  total: TotalCost,
): Iterable<RuleError> {
  if (message === undefined) return;
  const cost = messageCost(message, place);
  yield* costErrors('estimated messageExpression cost', 'messageExpression', cost, at, total);
}

function* costErrors(
  what: string,
  name: string,
  cost: number,
  { path, index }: RulePlace,
  total: TotalCost,
): Iterable<RuleError> {
  const field = `${path}.x-kubernetes-validations[${index}].${name}`;
  const error = excessiveCost(what, cost, field);
  total.observe(field, cost);
  if (error !== undefined) yield { ...error, path, index, message: error.detail };
}

function* expressionErrors(
  compiled: CompiledRule,
  place: RulePlace,
  uncorrelatable: string | undefined,
): Iterable<RuleError> {
  const { error, messageError, usesOldSelf } = compiled;
  const { rule } = place;
  const shown = showRule(rule);
  const withRule = (field: string, why: string): RuleError =>
    complain(place, field, why, (at) => ({
      type: 'FieldValueInvalid',
      field: at,
      detail: `Invalid value: ${shown}: ${why}`,
    }));
  if (error !== undefined) yield withRule('rule', error);
  if (messageError !== undefined) yield withRule('messageExpression', messageError);
  if (usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    yield complain(place, 'rule', why, (at) => fieldError.invalid(at, rule.rule, why));
  } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const { optionalOldSelf } = rule;
    const why = 'may not be set if oldSelf is not used in rule';
    yield complain(place, 'optionalOldSelf', why, (at) => fieldError.invalid(at, optionalOldSelf, why));
  }
}

/** A rule as Go renders the struct in an error, with the characters of HTML escaped. */
function showRule(rule: ValidationRule): string {
  const text = JSON.stringify({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
  return text.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
