/**
 * FIQL as VCD's clients write it: `name==web*;(isEnabled==true,description!=old)`. `;` binds tighter than `,`.
 *
 * A filter arrives in one of two encodings. Usually its operators are raw and its values percent-encoded: it is first
 * split at the raw operators, then each value is decoded, so that `%3B` is a character of a value and not an operator.
 * If it contains no raw comparison (URLSearchParams and `curl --data-urlencode` encode `=`, too), the whole text is
 * decoded once and then split; its values are not decoded again.
 *
 * In a value, a backslash escapes `( ) , ; \ *`, and may be encoded itself (`%5C%2C`, `%5C,`); before any other
 * character it is literal. An unescaped `*` is a wildcard after `==` and `!=`.
 */
import type { Comparison, Filter } from '../../../db/lists/contracts.ts';
import { badRequest, type ApiError } from '../../errors.ts';
import { decodeComponent, shown } from './encoding.ts';
import { operandOf } from './operand.ts';

export const limits = { length: 4096, depth: 20, terms: 100 } as const;

const comparison = /==|!=|=(?:gt|ge|lt|le)=/;
const comparisonHere = /==|!=|=(?:gt|ge|lt|le)=/y;
const fieldHere = /[A-Za-z_][\w.]*/y;
/** One character of a value, or an escaped one; the backslash and the escaped character may be encoded. */
const rawUnitHere = /(?:\\|%5C)(?:%[\dA-F]{2}|.)|[^();,]/isy;
const unitHere = /\\.|[^();,]/sy;

/** `raw` is the undecoded text of the parameter. Throws BAD_REQUEST with the position, the text there and the rule. */
export function parseFilter(raw: string): Filter {
  const isRaw = comparison.test(raw);
  const text = isRaw ? raw : decodeComponent(raw, 'filter');
  if (text.length > limits.length)
    throw badRequest(`filter: is ${text.length} characters long; the limit is ${limits.length}. Split the query.`);
  return new Parser(text, isRaw).parse();
}

class Parser {
  readonly #text: string;
  readonly #isRaw: boolean;
  #at = 0;
  #terms = 0;

  constructor(text: string, isRaw: boolean) {
    this.#text = text;
    this.#isRaw = isRaw;
  }

  parse(): Filter {
    const filter = this.#anyOf(0);
    if (this.#at < this.#text.length) throw this.#fail('expected ";", "," or the end of the filter');
    return filter;
  }

  #anyOf(depth: number): Filter {
    return this.#joined(',', 'or', () => this.#allOf(depth));
  }

  #allOf(depth: number): Filter {
    return this.#joined(';', 'and', () => this.#unit(depth));
  }

  #joined(separator: string, kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const parts = [first];
    while (this.#take(separator)) parts.push(next());
    return parts.length === 1 ? first : { kind, parts };
  }

  #unit(depth: number): Filter {
    if (!this.#take('(')) return this.#term();
    if (depth === limits.depth) throw this.#fail(`parentheses can be at most ${limits.depth} deep`);
    const inner = this.#anyOf(depth + 1);
    if (!this.#take(')')) throw this.#fail('expected ")"; escape it in a value as "\\)"');
    return inner;
  }

  #term(): Filter {
    this.#terms += 1;
    if (this.#terms > limits.terms) throw this.#fail(`a filter can have at most ${limits.terms} comparisons`);
    const field = this.#match(fieldHere);
    if (field === undefined) throw this.#fail('expected a field name, such as name or org.id');
    const operator = this.#match(comparisonHere) as Comparison | undefined;
    if (operator === undefined) throw this.#fail('expected one of == != =gt= =ge= =lt= =le= after the field');
    return { kind: 'compare', field, comparison: operator, operand: operandOf(this.#value(), operator) };
  }

  #value(): string {
    const from = this.#at;
    const unit = this.#isRaw ? rawUnitHere : unitHere;
    while (this.#match(unit) !== undefined);
    if (this.#text[this.#at] === '(') throw this.#fail('escape "(" in a value as "\\("');
    const value = this.#text.slice(from, this.#at);
    return this.#isRaw ? decodeComponent(value, `filter, at ${from + 1}`) : value;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(rule: string): ApiError {
    const rest = this.#text.slice(this.#at);
    return badRequest(`filter, at ${this.#at + 1}: ${rest === '' ? 'the end' : shown(rest)}: ${rule}.`);
  }
}
