/** Compares the estimated cost of a CRD's rules with the API server's limits, for each rule and for all together. */
import { type FieldError, fieldError } from '../../../server/api/status.ts';
import type { Schema } from '../../schema/schema.ts';
import { estimateCost } from './cost.ts';
import type { Compiled } from '../program.ts';
import { MAX_REQUEST_BYTES, minBytes, sizeAt } from './schema-sizes.ts';

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;

/** How often a value can occur in an object, by the limits of the enclosing lists and maps; undefined if unlimited. */
export type Cardinality = number | undefined;

/** How many values of the schema directly below there can be, given the number of its own. */
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

/** A rule is evaluated for every value of its schema. */
export function ruleCost(program: Compiled, at: CostedSchema): number {
  const { schema, isRoot, cardinality } = at;
  return messageCost(program, at) * (cardinality ?? Math.floor(MAX_REQUEST_BYTES / (minBytes(schema, isRoot) + 1)));
}

/** A message is computed only once. */
export function messageCost(program: Compiled, { schema, isRoot }: CostedSchema): number {
  return estimateCost(program.expr, program.checked, (path) => sizeAt(schema, isRoot, path.slice(1)));
}

/** `excessiveCost` returns the error for a single expression. */
export function excessiveCost(what: string, cost: number, field: string): FieldError | undefined {
  return cost > RULE_LIMIT ? tooExpensive(what, cost / RULE_LIMIT, field) : undefined;
}

function tooExpensive(what: string, times: number, field: string): FieldError {
  const shown = times > 100 ? 'more than 100' : times.toFixed(times < 1.5 ? 6 : 1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return fieldError.forbidden(field, `${what} exceeds budget by factor of ${shown}x (${advice})`);
}

/** `TotalCost` sums the cost of all rules of a schema and records the most expensive ones. */
export class TotalCost {
  #total = 0;
  #expensive: { readonly field: string; readonly cost: number }[] = [];

  observe(field: string, cost: number): void {
    this.#total += cost;
    if (cost < TOTAL_LIMIT / 100) return;
    this.#expensive = [...this.#expensive, { field, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
  }

  /** The errors when the total is too high; `field` is the path of the schema. */
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
