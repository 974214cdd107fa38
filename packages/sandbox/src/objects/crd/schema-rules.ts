/** The rules for a definition's schema beyond its structure: allowed OpenAPI fields, lists, and CEL rules. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { checkRules } from '../cel/rule-check.ts';
import { type Cardinality, TotalCost, cardinalityBelow } from '../cel/cost/rule-cost.ts';
import type { Schema } from '../schema/schema.ts';
import { listErrors } from './list-rules.ts';
import { ruleFormErrors } from './rule-form.ts';
import { defaultOf } from './types.ts';
import type { SchemaProps } from './types.ts';

interface Scope {
  /** Why a default is not allowed here. */
  readonly noDefaults?: string;
  readonly insideMeta: boolean;
  /** The enclosing list whose items cannot be correlated between versions of an object. */
  readonly uncorrelated?: string;
  /** Absent where expressions are not checked: in alternatives, and in schemas that are already invalid. */
  readonly costs?: Costs;
}

interface Costs {
  readonly total: TotalCost;
  readonly cardinality: Cardinality;
  readonly anyCost: boolean;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

export interface SchemaChecks {
  /** Whether the schema is valid so far, so that the rules' expressions can be checked. */
  readonly expressions: boolean;
  /** Whether the cost of a single expression is unlimited. */
  readonly anyCost: boolean;
}

export function schemaErrors(schema: SchemaProps, path: string, checks: SchemaChecks): FieldError[] {
  const found: Found = { schema: [], rules: [] };
  const total = new TotalCost();
  const costs: Costs = { total, cardinality: 1, anyCost: checks.anyCost };
  visit(found, schema, path, { insideMeta: false, ...(checks.expressions ? { costs } : {}) }, true);
  return [...found.schema, ...found.rules, ...total.excess(path)];
}

function visit(found: Found, schema: SchemaProps, path: string, scope: Scope, root: boolean): void {
  const before = found.schema.length;
  openApiErrors(found.schema, schema, path, scope);
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(fieldError.forbidden(`${path}.uniqueItems`, text));
  }
  const below = scopeBelow(schema, scope);
  visitAdditional(found, schema, path, below);
  visitProperties(found, schema, path, below, root);
  visitAlternatives(found, schema, path, scope);
  visitItems(found, schema, path, below);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    found.schema.push(fieldError.invalid(field, false, 'must be true or undefined'));
  }
  listErrors(found.schema, schema, path);
  const rules = schema['x-kubernetes-validations'] ?? [];
  rules.forEach((rule, i) => {
    found.schema.push(...ruleFormErrors(rule, schema, `${path}.x-kubernetes-validations[${i}]`));
  });
  if (rules.length > 0 && found.schema.length === before && scope.costs !== undefined) {
    const { total, ...costs } = scope.costs;
    const isRoot = root || schema['x-kubernetes-embedded-resource'] === true;
    const place = { ...costs, path, schema: schema as Schema, isRoot, uncorrelatable: scope.uncorrelated };
    found.rules.push(...checkRules(place, total));
  }
}

function scopeBelow(schema: SchemaProps, scope: Scope): Scope {
  const { costs } = scope;
  if (costs === undefined) return scope;
  const cardinality = cardinalityBelow(schema as Schema, costs.cardinality);
  return cardinality === costs.cardinality ? scope : { ...scope, costs: { ...costs, cardinality } };
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
  for (const [name, sub] of Object.entries(schema.properties ?? {})) {
    const meta = resource && metaFields.has(name);
    const inner: Scope = {
      ...scope,
      ...(meta ? { insideMeta: true } : {}),
      ...(meta && root ? { noDefaults: `in top-level ${name}` } : {}),
    };
    visit(found, sub, `${path}.properties[${name}]`, inner, false);
  }
}

function visitAlternatives(found: Found, schema: SchemaProps, path: string, scope: Scope): void {
  const { costs: _, ...inner } = scope;
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
