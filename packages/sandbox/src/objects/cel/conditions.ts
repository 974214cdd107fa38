/**
 * The matchConditions of admission webhooks: they restrict, in addition to the rules, for which requests a webhook is
 * called.
 */
import { type FieldError, fieldError } from '../../server/api/status.ts';
import type { JsonObject } from '../../values/json.ts';
import { isQualifiedName } from '../schema/names.ts';
import { fromJson } from './library/json-values.ts';
import { type Compiled, compileExpression } from './program.ts';
import { trimSpace } from '../schema/go/go-text.ts';
import { BOOL, DYN, STRING, type Type, formatType, listOf, mapOf, readType, struct } from './types/types.ts';
import { EvalError, type Value } from './values.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** `ConditionInput` holds the variables of a condition. `request` is the AdmissionRequest that the webhook would receive. */
export interface ConditionInput {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly request: JsonObject;
}

export type ConditionResult =
  | { readonly matches: boolean }
  /** The request is rejected with this text: a condition failed and the failure policy is Fail. */
  | { readonly error: string };

const text = (...names: string[]): [string, Type][] => names.map((name) => [name, STRING]);
const KIND = struct('kubernetes.GroupVersionKind', new Map(text('group', 'version', 'kind')));
const RESOURCE = struct('kubernetes.GroupVersionResource', new Map(text('group', 'version', 'resource')));
const USER = struct(
  'kubernetes.UserInfo',
  new Map([...text('username', 'uid'), ['groups', listOf(STRING)], ['extra', mapOf(STRING, listOf(STRING))]]),
);
const REQUEST = struct(
  'kubernetes.AdmissionRequest',
  new Map([
    ...text('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
    ['kind', KIND],
    ['resource', RESOURCE],
    ['requestKind', KIND],
    ['requestResource', RESOURCE],
    ['userInfo', USER],
    ['dryRun', BOOL],
    ['options', DYN],
  ]),
);

/** In the same order as the values in `evaluateMatchConditions`. */
const VARIABLES: ReadonlyMap<string, Type> = new Map([
  ['object', DYN],
  ['oldObject', DYN],
  ['request', REQUEST],
  ['authorizer', readType('kubernetes.authorization.Authorizer')],
  ['authorizer.requestResource', readType('kubernetes.authorization.ResourceCheck')],
]);

const CACHE_SIZE = 1000;
const cache = new Map<string, Compiled | string>();

/** The program, or the error text when the expression does not compile. */
function compile(expression: string): Compiled | string {
  const known = cache.get(expression);
  if (known !== undefined) return known;
  if (cache.size >= CACHE_SIZE) cache.clear();
  const compiled = compileCondition(expression);
  cache.set(expression, compiled);
  return compiled;
}

function compileCondition(expression: string): Compiled | string {
  const compiled = compileExpression(expression, VARIABLES);
  if (!('run' in compiled)) {
    const stage = compiled.stage === 'compilation' ? 'compilation failed' : 'program instantiation failed';
    return `${stage}: ${compiled.text}`;
  }
  return compiled.type.kind === 'bool' ? compiled : `must evaluate to bool but got ${formatType(compiled.type)}`;
}

/** `validateMatchConditions` returns the errors of a webhook configuration's conditions. */
export function validateMatchConditions(conditions: readonly MatchCondition[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  if (conditions.length > 64) errors.push(fieldError.tooMany(path, conditions.length, 64));
  for (const [i, { name = '', expression = '' }] of conditions.entries()) {
    const at = `${path}[${i}]`;
    errors.push(...expressionErrors(trimSpace(expression), `${at}.expression`), ...nameErrors(name, `${at}.name`));
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
    names.add(name);
  }
  return errors;
}

function expressionErrors(expression: string, path: string): FieldError[] {
  if (expression === '') return [fieldError.required(path, '')];
  const compiled = compile(expression);
  return typeof compiled === 'string' ? [fieldError.invalid(path, expression, compiled)] : [];
}

function nameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [fieldError.required(path, '')];
  return isQualifiedName(name).map((why) => fieldError.invalid(path, name, why));
}

/** `evaluateMatchConditions` returns whether a webhook is called. One false condition means no, even if other conditions fail. */
export function evaluateMatchConditions(
  conditions: readonly MatchCondition[],
  input: ConditionInput,
  failurePolicy: 'Fail' | 'Ignore',
): ConditionResult {
  if (conditions.length === 0) return { matches: true };
  const variables = [input.object ?? null, input.oldObject ?? null, input.request].map(fromJson);
  const failures: string[] = [];
  for (const { expression } of conditions) {
    const result = evaluate(expression, variables);
    if (result === false) return { matches: false };
    if (result instanceof EvalError) failures.push(result.message);
  }
  if (failures.length === 0) return { matches: true };
  return failurePolicy === 'Ignore' ? { matches: false } : { error: aggregate(failures) };
}

function evaluate(expression: string, variables: readonly Value[]): Value {
  const compiled = compile(trimSpace(expression));
  if (typeof compiled === 'string') return new EvalError(`compilation error: ${compiled}`);
  const result = compiled.run(variables);
  if (!(result instanceof EvalError)) return result;
  return new EvalError(`expression '${expression}' resulted in error: ${result.message}`);
}

/** Several errors as Go's aggregate prints them: in brackets, without duplicates. */
function aggregate(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
