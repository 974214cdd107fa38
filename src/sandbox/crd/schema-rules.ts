/** The rules for a definition's schema beyond its structure: what OpenAPI may say here, lists, and CEL rules. */
import { fieldError } from '../api/status.ts';
import type { FieldError } from '../api/status.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { findField } from './field-path.ts';
import { goRule } from './internal.ts';
import { listErrors } from './list-rules.ts';
import type { RuleCompiler } from './rules.ts';
import { defaultOf } from './types.ts';
import type { SchemaProps } from './types.ts';

interface Scope {
  /** Why a default may not stand here. */
  readonly noDefaults?: string;
  readonly insideMeta: boolean;
  /** The list or map above whose items cannot be followed from one version of an object to the next. */
  readonly uncorrelated?: string;
  /** Missing where rules are not looked at: in alternatives, and in schemas that are wrong anyway. */
  readonly compiler?: RuleCompiler;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

export function schemaErrors(schema: SchemaProps, path: string, compiler: RuleCompiler | undefined): FieldError[] {
  const found: Found = { schema: [], rules: [] };
  visit(found, schema, path, { insideMeta: false, ...(compiler === undefined ? {} : { compiler }) }, true);
  return [...found.schema, ...found.rules];
}

function visit(found: Found, schema: SchemaProps, path: string, scope: Scope, root: boolean): void {
  const before = found.schema.length;
  openApiErrors(found.schema, schema, path, scope);
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(fieldError.forbidden(`${path}.uniqueItems`, text));
  }
  visitAdditional(found, schema, path, scope);
  visitProperties(found, schema, path, scope, root);
  visitAlternatives(found, schema, path, scope);
  visitItems(found, schema, path, scope);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    found.schema.push(fieldError.invalid(field, false, 'must be true or undefined'));
  }
  listErrors(found.schema, schema, path);
  const rules = schema['x-kubernetes-validations'] ?? [];
  rules.forEach((rule, i) => ruleErrors(found.schema, schema, rule, `${path}.x-kubernetes-validations[${i}]`));
  if (rules.length > 0 && found.schema.length === before && scope.compiler !== undefined) {
    compileErrors(found.rules, schema, rules, path, scope, scope.compiler, root);
  }
}

function openApiErrors(errors: FieldError[], schema: SchemaProps, path: string, scope: Scope): void {
  const type = schema.type ?? '';
  const forbid = (key: string, text: string): void => void errors.push(fieldError.forbidden(`${path}.${key}`, text));
  if (type !== '' && !types.includes(type)) errors.push(fieldError.notSupported(`${path}.type`, type, types));
  if (defaultOf(schema) !== undefined && scope.noDefaults !== undefined) {
    forbid('default', `must not be set ${scope.noDefaults}`);
  }
  if ((schema.id ?? '') !== '') forbid('id', 'id is not supported');
  if (schema.additionalItems !== undefined) forbid('additionalItems', 'additionalItems is not supported');
  for (const key of ['patternProperties', 'definitions'] as const) {
    if (Object.keys(schema[key] ?? {}).length > 0) forbid(key, `${key} is not supported`);
  }
  if (schema.dependencies !== undefined) forbid('dependencies', 'dependencies is not supported');
  if (schema.$ref !== undefined) forbid('$ref', '$ref is not supported');
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    forbid('items', 'items must be a schema object and not an array');
  }
  if (scope.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
}

function visitAdditional(found: Found, schema: SchemaProps, path: string, scope: Scope): void {
  const additional = schema.additionalProperties;
  if (additional === undefined) return;
  const field = `${path}.additionalProperties`;
  if (additional !== true && Object.keys(schema.properties ?? {}).length > 0) {
    found.schema.push(fieldError.forbidden(field, 'additionalProperties and properties are mutual exclusive'));
  }
  if (typeof additional !== 'object') return;
  const inMeta = { noDefaults: 'inside additionalProperties applying to object metadata' };
  visit(found, additional, field, { ...scope, ...(scope.insideMeta ? inMeta : {}) }, false);
}

function visitProperties(found: Found, schema: SchemaProps, path: string, scope: Scope, root: boolean): void {
  const resource = root || schema['x-kubernetes-embedded-resource'] === true;
  const correlated = schema['x-kubernetes-map-type'] !== 'atomic';
  for (const [name, sub] of Object.entries(schema.properties ?? {})) {
    const meta = resource && metaFields.has(name);
    const inner: Scope = {
      ...scope,
      ...(correlated ? {} : { uncorrelated: scope.uncorrelated ?? path }),
      ...(meta ? { insideMeta: true } : {}),
      ...(meta && root ? { noDefaults: `in top-level ${name}` } : {}),
    };
    visit(found, sub, `${path}.properties[${name}]`, inner, false);
  }
}

function visitAlternatives(found: Found, schema: SchemaProps, path: string, scope: Scope): void {
  const { compiler: _, ...inner } = scope;
  if (schema.not !== undefined) visit(found, schema.not, `${path}.not`, inner, false);
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) {
    schema[key]?.forEach((sub, i) => visit(found, sub, `${path}.${key}[${i}]`, inner, false));
  }
  for (const [name, sub] of Object.entries(schema.definitions ?? {})) {
    visit(found, sub, `${path}.definitions[${name}]`, inner, false);
  }
  for (const [name, sub] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(sub)) visit(found, sub, `${path}.dependencies[${name}]`, inner, false);
  }
}

function visitItems(found: Found, schema: SchemaProps, path: string, scope: Scope): void {
  if (schema.items === undefined) return;
  const correlated = schema['x-kubernetes-list-type'] === 'map';
  const inner: Scope = correlated ? scope : { ...scope, uncorrelated: scope.uncorrelated ?? path };
  if (Array.isArray(schema.items)) {
    schema.items.forEach((sub, i) => visit(found, sub, `${path}.items[${i}]`, inner, false));
  } else visit(found, schema.items, `${path}.items`, inner, false);
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasNewline = (text: string): boolean => /[\n\r]/.test(text);

function ruleErrors(errors: FieldError[], schema: SchemaProps, rule: ValidationRule, path: string): void {
  const { message = '', messageExpression = '', fieldPath = '' } = rule;
  const text = (rule.rule ?? '').trim();
  if (text === '') errors.push(fieldError.required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(fieldError.invalid(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasNewline(message.trim())) {
    errors.push(fieldError.invalid(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasNewline(text) && message.trim() === '') {
    const problem = 'message must be specified if rule contains line breaks';
    errors.push(fieldError.required(`${path}.message`, problem));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const problem = 'messageExpression must be non-empty if specified';
    errors.push(fieldError.required(`${path}.messageExpression`, problem));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    errors.push(fieldError.notSupported(`${path}.reason`, rule.reason, reasons));
  }
  if (fieldPath === '') return;
  const wrong = (problem: string): void =>
    void errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, problem));
  if (fieldPath.trim() === '') wrong('must be non-empty if specified');
  if (hasNewline(fieldPath)) wrong('must not contain line breaks');
  if (findField(fieldPath, schema, { arrays: true }).error !== undefined) wrong('must be a valid path');
}

function compileErrors(
  errors: FieldError[],
  schema: SchemaProps,
  rules: readonly ValidationRule[],
  path: string,
  scope: Scope,
  compiler: RuleCompiler,
  root: boolean,
): void {
  compiler.compile(schema as Schema, root).forEach((result, i) => {
    const rule = rules[i];
    if (rule === undefined) return;
    const at = `${path}.x-kubernetes-validations[${i}]`;
    if (result.error !== undefined) {
      errors.push(
        result.required === true
          ? fieldError.required(`${at}.rule`, result.error)
          : fieldError.invalid(`${at}.rule`, goRule(rule), result.error),
      );
    }
    if (result.messageError !== undefined) {
      errors.push(fieldError.invalid(`${at}.messageExpression`, goRule(rule), result.messageError));
    }
    if (result.usesOldSelf) {
      if (scope.uncorrelated === undefined) return;
      const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelated}`;
      errors.push(fieldError.invalid(`${at}.rule`, rule.rule, text));
    } else if (rule.optionalOldSelf !== undefined) {
      const text = 'may not be set if oldSelf is not used in rule';
      errors.push(fieldError.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, text));
    }
  });
}
