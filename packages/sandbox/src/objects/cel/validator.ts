/** The compiled rules of a schema, in the structure of the schema, and their evaluation for an object. */
import { type FieldError, fieldError } from '../../server/api/status.ts';
import { type Json, type JsonObject, isObject } from '../../values/json.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { somewhere } from '../schema/subschemas.ts';
import { Correlation, Ratchet, itemsByKey, listKey } from './correlation.ts';
import { type CompiledRule, compileRule, selfTypeName } from './rule.ts';
import { isTyped, schemaType, valuesOf, withTypeAndMeta } from './schema-types.ts';
import { toValue } from './schema-values.ts';
import { trimSpace } from '../schema/go/go-text.ts';
import { EvalError, Optional, type Value } from './values.ts';

export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Failures of values that an update does not change: they are ignored, but reported as warnings. */
  readonly warnings: readonly string[];
}

interface Findings {
  readonly errors: FieldError[];
  readonly warnings: string[];
}

export class RuleValidator {
  readonly #schema: Schema;
  readonly #rules: readonly CompiledRule[];
  readonly #items: RuleValidator | undefined;
  readonly #values: RuleValidator | undefined;
  readonly #properties: ReadonlyMap<string, RuleValidator>;
  readonly #allOf: readonly RuleValidator[];

  /** `rules` contains the rules, `schema` the types; they differ inside an allOf. */
  private constructor(rules: Schema, schema: Schema, isRoot: boolean) {
    this.#schema = isRoot ? withTypeAndMeta(schema) : schema;
    this.#rules = compileAll(rules['x-kubernetes-validations'] ?? [], schema, isRoot);
    this.#items = RuleValidator.#below(rules.items, schema.items);
    this.#values = RuleValidator.#below(valuesOf(rules), valuesOf(schema));
    this.#properties = RuleValidator.#propertiesOf(rules, schema);
    this.#allOf = (rules.allOf ?? []).flatMap((part) => RuleValidator.#ifAny(new RuleValidator(part, schema, isRoot)));
  }

  /** The validator of a resource, or of a part of one; undefined when there are no rules. */
  static of(schema: Schema, isRoot: boolean): RuleValidator | undefined {
    return hasRules(schema) ? new RuleValidator(schema, schema, isRoot) : undefined;
  }

  static #below(rules: Schema | undefined, schema: Schema | undefined): RuleValidator | undefined {
    if (rules === undefined || schema === undefined) return undefined;
    // Data without a CEL type has no rules.
    if (!carriesRules(rules) || !isTyped(schema)) return undefined;
    const isRoot = schema['x-kubernetes-embedded-resource'] === true;
    return RuleValidator.#ifAny(new RuleValidator(rules, schema, isRoot))[0];
  }

  static #propertiesOf(rules: Schema, schema: Schema): ReadonlyMap<string, RuleValidator> {
    const found = new Map<string, RuleValidator>();
    for (const [name, property] of Object.entries(rules.properties ?? {})) {
      const validator = RuleValidator.#below(property, schema.properties?.[name]);
      if (validator !== undefined) found.set(name, validator);
    }
    return found;
  }

  static #ifAny(validator: RuleValidator): RuleValidator[] {
    const { length } = validator.#rules;
    const below = validator.#properties.size + validator.#allOf.length;
    const any = length + below > 0 || validator.#items !== undefined || validator.#values !== undefined;
    return any ? [validator] : [];
  }

  /** With `ratchet`, failures of values that an update does not change become warnings. */
  validate(value: Json, old: Json | undefined, path: string, ratchet: boolean): RuleFindings {
    const findings: Findings = { errors: [], warnings: [] };
    const correlation = old === undefined || !ratchet ? undefined : new Correlation(value, old, this.#schema);
    this.#walk(value, old, path, new Ratchet(correlation), findings);
    return findings;
  }

  #walk(value: Json | undefined, old: Json | undefined, path: string, ratchet: Ratchet, findings: Findings): void {
    // A null value has no rules of its own; only those of its parent apply to it.
    if (value === null || value === undefined) return;
    if (this.#rules.length > 0) this.#evaluate(value, old ?? undefined, path, ratchet, findings);
    for (const part of this.#allOf) part.#walk(value, old, path, ratchet.withoutCurrent(), findings);
    if (Array.isArray(value)) this.#walkItems(value, Array.isArray(old) ? old : [], path, ratchet, findings);
    else if (isObject(value)) this.#walkFields(value, isObject(old) ? old : {}, path, ratchet, findings);
  }

  #walkItems(items: readonly Json[], old: readonly Json[], path: string, ratchet: Ratchet, findings: Findings): void {
    if (this.#items === undefined) return;
    const oldItems = itemsByKey(old, this.#schema);
    for (const [i, item] of items.entries()) {
      const counterpart = oldItems.size === 0 ? undefined : oldItems.get(listKey(item, this.#schema) ?? '');
      this.#items.#walk(item, counterpart, `${path}[${i}]`, ratchet.index(i), findings);
    }
  }

  #walkFields(object: JsonObject, old: JsonObject, path: string, ratchet: Ratchet, findings: Findings): void {
    if (this.#values !== undefined) {
      for (const [key, value] of Object.entries(object)) {
        this.#values.#walk(value, old[key], `${path}[${key}]`, ratchet.key(key), findings);
      }
    }
    for (const [name, validator] of this.#properties) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      if (value === undefined) continue;
      validator.#walk(value, old[name], child(path, name), ratchet.key(name), findings);
    }
  }

  #evaluate(value: Json, old: Json | undefined, path: string, ratchet: Ratchet, findings: Findings): void {
    const self = toValue(value, this.#schema);
    const oldSelf = old === undefined ? undefined : toValue(old, this.#schema);
    for (const compiled of this.#rules) {
      const error = this.#judge(compiled, value, self, oldSelf, path);
      if (error === undefined) continue;
      // Transition rules, and rules that could not be evaluated, always produce errors.
      if (error.failed && !compiled.usesOldSelf && ratchet.forgives) {
        findings.warnings.push(`${error.error.field}: ${error.error.detail}`);
      } else findings.errors.push(error.error);
    }
  }

  #judge(
    compiled: CompiledRule,
    value: Json,
    self: Value,
    oldSelf: Value | undefined,
    path: string,
  ): { readonly error: FieldError; readonly failed: boolean } | undefined {
    const { rule, program, usesOldSelf } = compiled;
    const broken = (why: string): { error: FieldError; failed: false } => ({
      error: fieldError.invalid(pathText(path), this.#schema.type ?? '', why),
      failed: false,
    });
    if (compiled.error !== undefined) return broken(`rule compile error: ${compiled.error}`);
    if (program === undefined) return undefined;
    const optional = rule.optionalOldSelf === true;
    if (usesOldSelf && oldSelf === undefined && !optional) return undefined;
    const variables = [self, optional ? new Optional(oldSelf) : (oldSelf ?? null)];
    const result = program.run(variables);
    if (result === true) return undefined;
    if (result instanceof EvalError) return broken(evaluationText(result, rule));
    const detail = messageOf(compiled, variables) ?? defaultMessage(rule);
    const where = pathText(compiled.fieldPath === '' ? path : child(path, compiled.fieldPath));
    return { error: this.#failure(rule, where, value, detail), failed: true };
  }

  #failure(rule: ValidationRule, field: string, value: Json, detail: string): FieldError {
    // The text does not repeat objects and lists.
    const whole = this.#schema.type === 'object' || this.#schema.type === 'array';
    switch (rule.reason) {
      case 'FieldValueForbidden':
        return fieldError.forbidden(field, detail);
      case 'FieldValueRequired':
        return fieldError.required(field, detail);
      case 'FieldValueDuplicate':
        if (whole) return { type: 'FieldValueDuplicate', field, detail: 'Duplicate value' };
        return fieldError.duplicate(field, value);
      default:
        if (whole) return { type: 'FieldValueInvalid', field, detail: `Invalid value: ${detail}` };
        return fieldError.invalid(field, value, detail);
    }
  }
}

function compileAll(rules: readonly ValidationRule[], schema: Schema, isRoot: boolean): readonly CompiledRule[] {
  if (rules.length === 0) return [];
  const self = schemaType(schema, isRoot, selfTypeName());
  return self === undefined ? [] : rules.map((rule) => compileRule(rule, self, schema));
}

const ownRules = (schema: Schema): boolean => (schema['x-kubernetes-validations'] ?? []).length > 0;

/** Whether the schema itself has rules; those only in an allOf do not count, as in Kubernetes. */
const hasRules = somewhere(ownRules);

/** Whether there are rules anywhere below. Parts without rules are not walked for every object. */
const carriesRules = somewhere((schema) => ownRules(schema) || (schema.allOf ?? []).some((part) => carriesRules(part)));

const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
/** Go's text for the path of the object itself. */
const pathText = (path: string): string => (path === '' ? '<nil>' : path);

function evaluationText({ message }: EvalError, rule: ValidationRule): string {
  const shown = ruleText(rule);
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${shown}`;
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`;
}

const ruleText = ({ rule, message }: ValidationRule): string =>
  trimSpace(message === undefined || message === '' ? rule : message);

const defaultMessage = (rule: ValidationRule): string =>
  rule.message === undefined || rule.message === '' ? `failed rule: ${ruleText(rule)}` : trimSpace(rule.message);

const MAX_MESSAGE_BYTES = 5 * 1024;

/** The result of messageExpression; undefined when it fails or is unusable, and then the plain message applies. */
function messageOf({ message }: CompiledRule, variables: readonly Value[]): string | undefined {
  const value = message?.run(variables);
  if (typeof value !== 'string') return undefined;
  const text = trimSpace(value);
  const usable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;
  return usable ? text : undefined;
}
