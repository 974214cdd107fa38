/** The estimated cost of a CRD's rules against what the API server allows, for one rule and for all together. */
import { type FieldError, fieldError } from '../api/status.ts';
import type { Schema } from '../schema/schema.ts';
import { estimateCost } from './cost.ts';
import type { Compiled } from './program.ts';
import { MAX_REQUEST_BYTES, minBytes, sizeAt } from './schema-sizes.ts';

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;

/** How often a value can occur in an object, by the limits of the lists and maps around it; undefined if unlimited. */
export type Cardinality = number | undefined;

/** How many values of the schema directly below there can be for each of its own. */
export function cardinalityBelow(schema: Schema, own: Cardinality): Cardinality {
  if (own === undefined) return undefined;
  const limit =
    schema.type === 'array'
      ? schema.maxItems
      : schema.type === 'object' && schema.additionalProperties !== undefined
        ? schema.maxProperties
        : 1;
  return limit === undefined ? undefined : own * Math.max(0, limit);
}

export interface CostedSchema {
  readonly schema: Schema;
  readonly isRoot: boolean;
  readonly cardinality: Cardinality;
}

/** A rule is evaluated for every value that it stands at. */
export function ruleCost(program: Compiled, at: CostedSchema): number {
  const { schema, isRoot, cardinality } = at;
  return messageCost(program, at) * (cardinality ?? Math.floor(MAX_REQUEST_BYTES / (minBytes(schema, isRoot) + 1)));
}

/** A message is made once. */
export function messageCost(program: Compiled, { schema, isRoot }: CostedSchema): number {
  return estimateCost(program.expr, program.checked, (path) => sizeAt(schema, isRoot, path.slice(1)));
}

/** The complaint about a single expression. */
export function excessiveCost(what: string, cost: number, field: string): FieldError | undefined {
  return cost > RULE_LIMIT ? tooExpensive(what, cost / RULE_LIMIT, field) : undefined;
}

function tooExpensive(what: string, times: number, field: string): FieldError {
  const shown = times > 100 ? 'more than 100' : times.toFixed(times < 1.5 ? 6 : 1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return fieldError.forbidden(field, `${what} exceeds budget by factor of ${shown}x (${advice})`);
}

/** Adds up the rules of a whole schema and remembers the most expensive ones. */
export class TotalCost {
  #total = 0;
  #expensive: { readonly field: string; readonly cost: number }[] = [];

  observe(field: string, cost: number): void {
    this.#total += cost;
    if (cost < TOTAL_LIMIT / 100) return;
    this.#expensive = [...this.#expensive, { field, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
  }

  /** The complaints if all together is too much; `field` is the schema. */
  excess(field: string): FieldError[] {
    if (this.#total <= TOTAL_LIMIT) return [];
    const shared = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => fieldError.forbidden(rule.field, shared)),
      tooExpensive(whole, this.#total / TOTAL_LIMIT, field),
    ];
  }
}
