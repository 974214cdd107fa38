/** Parses and applies label and field selectors as apimachinery does, with its error texts. */
import { errors } from '../status.ts';

export type LabelRequirement =
  | { readonly key: string; readonly operator: 'in' | 'notin'; readonly values: ReadonlySet<string> }
  | { readonly key: string; readonly operator: 'exists' | 'absent' }
  | { readonly key: string; readonly operator: 'gt' | 'lt'; readonly value: number };

export interface Selector {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
}

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

type Token = { readonly kind: 'word' | 'symbol' | 'end'; readonly text: string };

const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '<', '>'] as const;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    if (/\s/.test(text[i] as string)) {
      i++;
      continue;
    }
    const symbol = SYMBOLS.find((s) => text.startsWith(s, i));
    if (symbol !== undefined) {
      tokens.push({ kind: 'symbol', text: symbol });
      i += symbol.length;
      continue;
    }
    let end = i;
    while (end < text.length && !/[\s=!(),<>]/.test(text[end] as string)) end++;
    tokens.push({ kind: 'word', text: text.slice(i, end) });
    i = end;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

class LabelParser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().kind === 'end') return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      const next = this.#next();
      if (next.kind === 'end') return requirements;
      if (next.text !== ',') throw unparsable(`found '${next.text}', expected: ',' or 'end of string'`);
      if (this.#peek().kind === 'end') throw unparsable(`found '', expected: identifier after ','`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #requirement(): LabelRequirement {
    if (this.#peek().text === '!' && this.#peek().kind === 'symbol') {
      this.#next();
      return { key: this.#key(), operator: 'absent' };
    }
    const key = this.#key();
    const peeked = this.#peek();
    if (peeked.kind === 'end' || peeked.text === ',') return { key, operator: 'exists' };
    return this.#comparison(key, this.#next());
  }

  #comparison(key: string, operator: Token): LabelRequirement {
    switch (operator.text) {
      case '=':
      case '==':
        return { key, operator: 'in', values: new Set([this.#value(key)]) };
      case '!=':
        return { key, operator: 'notin', values: new Set([this.#value(key)]) };
      case 'in':
      case 'notin':
        return { key, operator: operator.text, values: this.#values(key) };
      case '<':
      case '>': {
        const value = this.#value(key);
        if (!/^-?\d+$/.test(value)) {
          throw invalidRequirement(
            `values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
          );
        }
        return { key, operator: operator.text === '>' ? 'gt' : 'lt', value: Number(value) };
      }
      default:
        throw invalidRequirement(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #key(): string {
    const token = this.#next();
    if (token.kind !== 'word')
      throw unparsable(
        `found '${token.text}', expected: ${this.#at > 1 && token.text === ',' ? "identifier after ','" : "!, identifier, or 'end of string'"}`,
      );
    const problem = labelKeyProblem(token.text);
    if (problem !== undefined)
      throw invalidRequirement(`<nil>: Invalid value: ${JSON.stringify(token.text)}: ${problem}`);
    return token.text;
  }

  #value(key: string): string {
    const token = this.#peek();
    if (token.kind === 'end' || token.text === ',') return '';
    if (token.kind !== 'word') throw invalidRequirement(`found '${token.text}', expected: identifier`);
    this.#next();
    checkLabelValue(key, token.text, 0);
    return token.text;
  }

  #values(key: string): Set<string> {
    const open = this.#next();
    if (open.text !== '(') throw invalidRequirement(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    if (this.#peek().text === ')') {
      this.#next();
      values.add('');
      return values;
    }
    for (;;) {
      values.add(this.#value(key));
      const token = this.#next();
      if (token.text === ')') return values;
      if (token.text !== ',') throw invalidRequirement(`found '${token.text}', expected: ',' or ')'`);
    }
  }
}

function unparsable(why: string): Error {
  return errors.badRequest(why);
}

function invalidRequirement(why: string): Error {
  return errors.badRequest(`unable to parse requirement: ${why}`);
}

const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) as string;
  if (parts.length > 2 || (parts.length === 2 && !SUBDOMAIN.test(parts[0] as string)) || !QUALIFIED.test(name)) {
    return "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  }
  return undefined;
}

function checkLabelValue(key: string, value: string, index: number): void {
  if (value === '' || (value.length <= 63 && QUALIFIED.test(value))) return;
  throw invalidRequirement(
    `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${
      value.length > 63
        ? 'must be no more than 63 bytes'
        : "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
    }`,
  );
}

export function parseLabelSelector(text: string): LabelRequirement[] {
  return new LabelParser(text).parse();
}

export function parseFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text).map((term) => {
    const at = operatorAt(term);
    if (at === undefined) throw errors.badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    return {
      field: term.slice(0, at.index),
      equal: at.operator !== '!=',
      value: term.slice(at.index + at.operator.length).replaceAll(/\\([\\,=])/g, '$1'),
    };
  });
}

/** Terms are split at commas that are not escaped. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms.filter((term) => term !== '');
}

function operatorAt(term: string): { index: number; operator: string } | undefined {
  for (let i = 0; i < term.length; i++) {
    const operator = ['!=', '==', '='].find((o) => term.startsWith(o, i));
    if (operator !== undefined) return { index: i, operator };
  }
  return undefined;
}

export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return requirements.every((requirement) => {
    const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.operator) {
      case 'in':
        return value !== undefined && requirement.values.has(value);
      case 'notin':
        return value === undefined || !requirement.values.has(value);
      case 'exists':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'gt':
      case 'lt':
        if (value === undefined || !/^-?\d+$/.test(value)) return false;
        return requirement.operator === 'gt' ? Number(value) > requirement.value : Number(value) < requirement.value;
    }
  });
}

export function matchesFields(
  requirements: readonly FieldRequirement[],
  fields: Readonly<Record<string, string>>,
): boolean {
  return requirements.every(({ field, equal, value }) => ((fields[field] ?? '') === value) === equal);
}
