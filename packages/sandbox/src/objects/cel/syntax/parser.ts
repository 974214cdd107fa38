/** Parses text to the syntax tree: cel-js parses, and this file converts its nodes to cel-go's names and positions. */
import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import type { Issue } from '../issues.ts';
import { expandMacro } from './macros.ts';
import { type SyntaxIssue, missingOperand, syntaxIssue } from './syntax-error.ts';
import type { Call, Expr, Literal, LiteralValue } from './syntax.ts';
import { Uint } from '../values.ts';

const LIMITS = { maxAstNodes: 1_000_000, maxDepth: 250, maxListElements: 100_000, maxMapEntries: 100_000 };
const grammar = new Environment({ enableOptionalTypes: true, limits: LIMITS });

export type Parsed = { readonly expr: Expr } | { readonly issues: readonly Issue[] };

export function parseExpression(source: string): Parsed {
  const issues: Issue[] = [];
  const marks: number[] = [];
  for (let text: string | undefined = source; text !== undefined;) {
    const parsed = parseOnce(text, marks, issues);
    if ('expr' in parsed) return issues.length === 0 ? parsed : { issues };
    if ('mark' in parsed) {
      marks.push(parsed.mark);
      text = `${text.slice(0, parsed.mark)} ${text.slice(parsed.mark + 1)}`;
      continue;
    }
    issues.push(parsed);
    text = issues.length < MAX_ISSUES ? parsed.repaired : undefined;
  }
  return { issues };
}

const MAX_ISSUES = 20;

/** A question mark before an element of a list or map, which cel-js does not support. */
interface OptionalMark {
  readonly mark: number;
}

function parseOnce(
  source: string,
  marks: readonly number[],
  issues: Issue[],
): { readonly expr: Expr } | OptionalMark | SyntaxIssue {
  try {
    return { expr: new Converter(source, marks, issues).convert(grammar.parse(source).ast) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const at = error.range?.start ?? 0;
    const isMark = source[at] === '?' && /[[{,]\s*$/.test(source.slice(0, at));
    return isMark ? { mark: at } : syntaxIssue(source, error);
  }
}

const INFIX: ReadonlyMap<string, string> = new Map([
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
  ['&&', '_&&_'],
  ['||', '_||_'],
]);

class Converter {
  readonly #source: string;
  readonly #marks: readonly number[];
  readonly #issues: Issue[];

  constructor(source: string, marks: readonly number[], issues: Issue[]) {
    this.#source = source;
    this.#marks = marks;
    this.#issues = issues;
  }

  convert(node: ASTNode): Expr {
    switch (node.op) {
      case 'value':
        return this.#literal(node.start, literalValue(node.args));
      case 'id':
        return { kind: 'ident', at: node.start, name: node.args };
      case '.': {
        const [operand, field] = node.args;
        return { kind: 'select', at: this.#after(operand.end), operand: this.convert(operand), field, test: false };
      }
      case '.?': {
        const [operand, field] = node.args;
        const at = this.#after(operand.end);
        return call(at, '_?._', [this.convert(operand), { kind: 'literal', at: node.pos, value: field }]);
      }
      case '[]':
      case '[?]': {
        const [operand, index] = node.args;
        const name = node.op === '[]' ? '_[_]' : '_[?_]';
        return call(this.#after(operand.end), name, [this.convert(operand), this.convert(index)]);
      }
      case 'call':
        return this.#call(node.start, node.end, node.args[0], undefined, node.args[1]);
      case 'rcall': {
        const [name, target, args] = node.args;
        return this.#call(this.#after(this.#after(target.end) + 1), node.end, name, target, args);
      }
      case 'list':
        return {
          kind: 'list',
          at: node.start,
          elements: node.args.map((element) => this.convert(element)),
          ...this.#optionals(node.start, node.args),
        };
      case 'map': {
        const values = node.args.map(([, value]) => value);
        const keys = node.args.map(([key]) => key);
        return {
          kind: 'map',
          at: node.start,
          entries: keys.map((key, i) => [this.convert(key), this.convert(values[i] ?? key)] as const),
          ...this.#optionals(node.start, keys),
        };
      }
      case '?:': {
        const [condition, yes, no] = node.args;
        const branches = [this.convert(condition), this.convert(yes), this.convert(no)];
        return call(this.#after(condition.end), '_?_:_', branches);
      }
      case '!_':
      case '-_':
        return this.#unary(node.op, node.start, node.args);
      default: {
        const [left, right] = node.args;
        const name = INFIX.get(node.op) ?? node.op;
        return call(this.#after(left.end), name, [this.convert(left), this.convert(right)]);
      }
    }
  }

  /** `nameAt` is where the name begins; the position of the call is its parenthesis. */
  #call(nameAt: number, end: number, name: string, target: ASTNode | undefined, args: readonly ASTNode[]): Expr {
    const at = this.#after(nameAt + name.length);
    this.#refuseTrailingComma(args.at(-1), end);
    const macroCall = {
      at,
      target: target === undefined ? undefined : this.convert(target),
      args: args.map((argument) => this.convert(argument)),
    };
    const expanded = expandMacro(name, macroCall);
    if (expanded === undefined) return { kind: 'call', name, ...macroCall };
    if ('kind' in expanded) return expanded;
    this.#issues.push(expanded);
    return { kind: 'literal', at, value: null };
  }

  /** cel-js would accept a comma after the last argument. */
  #refuseTrailingComma(last: ASTNode | undefined, end: number): void {
    if (last === undefined || !this.#source.slice(last.end, end).includes(',')) return;
    this.#issues.push({ at: end - 1, message: missingOperand("')'") });
  }

  /** Two equal operators in a row cancel out. */
  #unary(op: '!_' | '-_', at: number, operand: ASTNode): Expr {
    if (operand.op === op && this.#after(at + 1) === operand.start) return this.convert(operand.args);
    return op === '-_' ? this.#minus(at, operand) : call(at, op, [this.convert(operand)]);
  }

  /** A minus before a number belongs to the number, unless there is a parenthesis between them. */
  #minus(at: number, operand: ASTNode): Expr {
    const value = operand.op === 'value' ? operand.args : undefined;
    if ((typeof value === 'bigint' || typeof value === 'number') && this.#after(at + 1) === operand.start) {
      return this.#literal(at, -value);
    }
    return call(at, '-_', [this.convert(operand)]);
  }

  #literal(at: number, value: LiteralValue): Literal {
    if (typeof value === 'bigint' && (value < -(2n ** 63n) || value >= 2n ** 63n)) {
      this.#issues.push({ at, message: 'invalid int literal' });
    }
    return { kind: 'literal', at, value };
  }

  /** Which elements are preceded by a question mark. */
  #optionals(start: number, elements: readonly ASTNode[]): { optionals?: ReadonlySet<number> } {
    if (this.#marks.length === 0) return {};
    const optionals = new Set<number>();
    for (const [i, element] of elements.entries()) {
      const text = this.#source.slice(start, element.start);
      const from = start + Math.max(text.lastIndexOf(','), text.lastIndexOf('['), text.lastIndexOf('{'));
      if (this.#marks.some((mark) => mark > from && mark < element.start)) optionals.add(i);
    }
    return optionals.size === 0 ? {} : { optionals };
  }

  /** The next character that is not whitespace, comment or a closing parenthesis. */
  #after(index: number): number {
    const source = this.#source;
    let at = index;
    for (;;) {
      if (/[\s)]/.test(source[at] ?? '')) at++;
      else if (source.startsWith('//', at)) at = lineEnd(source, at);
      else return at;
    }
  }
}

const lineEnd = (source: string, at: number): number => {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
};

const call = (at: number, name: string, args: readonly Expr[]): Call => ({
  kind: 'call',
  at,
  name,
  target: undefined,
  args,
});

type ParsedLiteral = Extract<ASTNode, { op: 'value' }>['args'];

function literalValue(value: ParsedLiteral): LiteralValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return new Uint(BigInt(value.toString()));
}
